import { CENTS, formatCents, MILLIONTHS } from '../common/money.js';
import { recordOf } from '../common/record-of.js';
import type { RecordFields } from './record-fields.js';
import {
  PAYOUT_FIELDS,
  REFUND_AMOUNT_FIELDS,
  REFUND_IMPACT_FIELDS,
  TAX_FIELDS,
  type DeliveryColumn,
  type PayoutField,
  type RefundAmountField,
  type TaxField,
  type TrackingField,
} from './transaction-fields.js';

const TRANSACTION_STATUSES = ['pending', 'completed', 'refunded', 'charged_back'] as const;
const COMMISSION_STATUSES = ['UNPAID', 'PAID', 'PAYMENT_ERROR', 'REFUNDED'] as const;

/** A payment key: 1 to 64 printable ASCII characters without spaces (ledger format: transaction). */
export const TRANSACTION_ID = /^[\x21-\x7e]{1,64}$/;
const EXPECTED_ID = '1 to 64 printable ASCII characters without spaces';
/** A line of a mebibyte has no room for more valid items. */
const MAX_PAYOUT_ITEMS = 10_000;
const MILLIONTHS_IN_A_CENT = 10 ** (MILLIONTHS - CENTS);

/** One sale (ledger format: transaction). Money in cents, date-times in UTC. */
export type TransactionRecord = Readonly<ReturnType<typeof readTransaction>>;
/** One payee's share of a transaction (interface 2.6). */
export type PayoutItemRecord = Readonly<ReturnType<typeof readPayoutItem>>;

/**
 * Faults are reported in the order of the reads. The fields are listed one by one: a line of the bench's
 * ledger is read in 8 µs, and in 19 µs if the objects are built in loops over the names.
 */
export function readTransaction(fields: RecordFields) {
  const customer = fields.object('customer');
  const tracking = fields.optionalObject('tracking');
  const payouts = fields.object('payouts');
  const taxes = fields.optionalObject('taxes');
  const delivery = fields.optionalObject('delivery');
  const sale_date = fields.dateTime('sale_date');
  const transaction_id = fields.matching('transaction_id', TRANSACTION_ID, EXPECTED_ID);
  const product_id = fields.id('product_id');
  const refund = readRefund(fields.optionalObject('refund'), sale_date);
  const record = {
    transaction_id,
    product_id,
    sale_date,
    affiliate_id: fields.optionalId('affiliate_id'),
    product_name: fields.text('product_name'),
    amount: fields.money('amount'),
    status: fields.choice('status', TRANSACTION_STATUSES),
    pre_key: fields.optionalText('pre_key'),
    customer_email: customer.text('email'),
    customer_first_name: customer.text('first_name'),
    customer_last_name: customer.text('last_name'),
    customer_ip: customer.optionalText('ip'),
    customer_phone: customer.optionalText('phone'),
    customer_processor_email: customer.optionalText('processor_email'),
    affiliate_commission_status:
      fields.optionalChoice('affiliate_commission_status', COMMISSION_STATUSES) ?? 'UNPAID',
    ...readTracking(tracking),
    seller_earnings: payouts.money('seller_earnings'),
    affiliate_payout: payouts.money('affiliate_payout'),
    agent_payout: payouts.money('agent_payout'),
    jv_payout: payouts.money('jv_payout'),
    service_fee: payouts.money('service_fee'),
    refund_date: refund.refund_date,
    refund_amount: refund.refund_amount,
    seller_refund_impact: refund.seller_refund_impact,
    affiliate_refund_impact: refund.affiliate_refund_impact,
    agent_refund_impact: refund.agent_refund_impact,
    jv_refund_impact: refund.jv_refund_impact,
    service_fee_adjustment: refund.service_fee_adjustment,
    tax_total: taxes?.optionalMoney('tax_total') ?? null,
    international_sales_tax: taxes?.optionalMoney('international_sales_tax') ?? null,
    national_sales_tax: taxes?.optionalMoney('national_sales_tax') ?? null,
    vat_tax: taxes?.optionalMoney('vat_tax') ?? null,
    // In millionths.
    shipping_fee: fields.optionalDecimal('shipping_fee', MILLIONTHS),
    ...readDelivery(delivery),
    payout_items: fields.optionalList('payout_items', MAX_PAYOUT_ITEMS).map(readPayoutItem),
  };
  warnOfSums(fields, record);
  return record;
}

function readTracking(tracking: RecordFields | null): Record<TrackingField, string | null> {
  return {
    vtid: tracking?.optionalLongText('vtid') ?? null,
    custom: tracking?.optionalLongText('custom') ?? null,
    tid: tracking?.optionalLongText('tid') ?? null,
    utm_source: tracking?.optionalLongText('utm_source') ?? null,
    utm_medium: tracking?.optionalLongText('utm_medium') ?? null,
    utm_campaign: tracking?.optionalLongText('utm_campaign') ?? null,
    utm_content: tracking?.optionalLongText('utm_content') ?? null,
    utm_term: tracking?.optionalLongText('utm_term') ?? null,
    sub_id1: tracking?.optionalLongText('sub_id1') ?? null,
    sub_id2: tracking?.optionalLongText('sub_id2') ?? null,
    sub_id3: tracking?.optionalLongText('sub_id3') ?? null,
    sub_id4: tracking?.optionalLongText('sub_id4') ?? null,
    sub_id5: tracking?.optionalLongText('sub_id5') ?? null,
    gclid: tracking?.optionalLongText('gclid') ?? null,
    fbclid: tracking?.optionalLongText('fbclid') ?? null,
    msclkid: tracking?.optionalLongText('msclkid') ?? null,
    ttclid: tracking?.optionalLongText('ttclid') ?? null,
    li_fat_id: tracking?.optionalLongText('li_fat_id') ?? null,
    twclid: tracking?.optionalLongText('twclid') ?? null,
    yclid: tracking?.optionalLongText('yclid') ?? null,
    other_params: tracking?.optionalLongText('other_params') ?? null,
  };
}

function readDelivery(delivery: RecordFields | null): Record<DeliveryColumn, string | null> {
  return {
    delivery_name: delivery?.optionalText('name') ?? null,
    delivery_phone: delivery?.optionalText('phone') ?? null,
    delivery_address_line_1: delivery?.optionalText('address_line_1') ?? null,
    delivery_address_line_2: delivery?.optionalText('address_line_2') ?? null,
    delivery_city: delivery?.optionalText('city') ?? null,
    delivery_region: delivery?.optionalText('region') ?? null,
    delivery_postal_code: delivery?.optionalText('postal_code') ?? null,
    delivery_country: delivery?.optionalText('country') ?? null,
  };
}

/** All null without a refund. */
type RefundFields = Readonly<
  Record<RefundAmountField, number | null> & { refund_date: string | null }
>;
const NO_REFUND: RefundFields = {
  refund_date: null,
  ...recordOf(REFUND_AMOUNT_FIELDS, () => null),
};

function readRefund(refund: RecordFields | null, sale_date: string): RefundFields {
  if (refund === null) return NO_REFUND;
  const refund_date = refund.dateTime('refund_date');
  if (refund_date !== '' && refund_date < sale_date) {
    refund.fault('refund_date', `must not be before sale_date (${sale_date}), not ${refund_date}`);
  }
  return {
    refund_date,
    refund_amount: refund.money('refund_amount', 'zero_or_more'),
    seller_refund_impact: refund.money('seller_refund_impact', 'zero_or_less'),
    affiliate_refund_impact: refund.money('affiliate_refund_impact', 'zero_or_less'),
    agent_refund_impact: refund.money('agent_refund_impact', 'zero_or_less'),
    jv_refund_impact: refund.money('jv_refund_impact', 'zero_or_less'),
    service_fee_adjustment: refund.money('service_fee_adjustment'),
  };
}

function readPayoutItem(item: RecordFields) {
  return {
    payee_amount: item.money('payee_amount'),
    payee_user_id: item.integer('payee_user_id'),
    payee_name: item.text('payee_name'),
    payout_type: item.text('payout_type'),
    payment_processor: item.text('payment_processor'),
    payout_status: item.text('payout_status'),
  };
}

/** Warns if more was paid out or taken back than the customer paid. */
function warnOfSums(fields: RecordFields, record: TransactionRecord): void {
  const paid = paidOf(record);
  const what = `more than was paid (${formatCents(paid)} with taxes and shipping)`;
  const shared = sumOf(record, PAYOUT_FIELDS);
  if (shared > paid) fields.warn('payouts', `add up to ${formatCents(shared)}, ${what}`);
  const impacts = sumOf(record, REFUND_IMPACT_FIELDS) + (record.service_fee_adjustment ?? 0);
  const taken = Math.max(record.refund_amount ?? 0, -impacts);
  if (taken > paid) fields.warn('refund', `takes back ${formatCents(taken)}, ${what}`);
}

/** Rounded down to whole cents: all other amounts are whole cents. */
function paidOf(record: TransactionRecord): number {
  const [, ...taxes] = TAX_FIELDS;
  const shipping = Math.floor((record.shipping_fee ?? 0) / MILLIONTHS_IN_A_CENT);
  return record.amount + (record.tax_total ?? sumOf(record, taxes)) + shipping;
}

type AmountField = PayoutField | RefundAmountField | TaxField;

function sumOf(record: TransactionRecord, fields: readonly AmountField[]): number {
  return fields.reduce((sum, field) => sum + (record[field] ?? 0), 0);
}
