import { MILLIONTHS } from '../common/money.js';
import { recordOf } from '../common/record-of.js';
import type { RecordFields } from './record-fields.js';
import {
  REFUND_AMOUNT_FIELDS,
  type DeliveryColumn,
  type RefundAmountField,
  type TrackingField,
} from './transaction-fields.js';

const TRANSACTION_STATUSES = ['pending', 'completed', 'refunded', 'charged_back'] as const;
const COMMISSION_STATUSES = ['UNPAID', 'PAID', 'PAYMENT_ERROR', 'REFUNDED'] as const;

/**
 * Matches a `transaction_id`: 1 to 64 printable ASCII characters without spaces
 * (docs/ledger-file.md#transaction).
 */
export const TRANSACTION_ID = /^[\x21-\x7e]{1,64}$/;
const EXPECTED_ID = '1 to 64 printable ASCII characters without spaces';
/** Maximum number of payout items. A line of 1 MiB has no room for more valid ones. */
export const MAX_PAYOUT_ITEMS = 10_000;

/**
 * Describes a transaction as a ledger file contains it (docs/ledger-file.md#transaction). Money is
 * in cents, date-times are in UTC.
 */
export type TransactionRecord = Readonly<ReturnType<typeof readTransaction>>;
/** Describes the share of one payee in a transaction (docs/ledger-file.md#transaction). */
export type PayoutItemRecord = Readonly<ReturnType<typeof readPayoutItem>>;

/**
 * Reads a transaction. It reports faults in the order of the reads. The fields are listed one by
 * one, because building the objects in loops over the names is slower. The texts may break their
 * rules: `fittedTransaction` changes those that do.
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
  return {
    transaction_id,
    product_id,
    sale_date,
    affiliate_id: fields.optionalId('affiliate_id'),
    product_name: fields.anyText('product_name'),
    amount: fields.money('amount'),
    status: fields.choice('status', TRANSACTION_STATUSES),
    pre_key: fields.optionalAnyText('pre_key'),
    customer_email: customer.anyText('email'),
    customer_first_name: customer.anyText('first_name'),
    customer_last_name: customer.anyText('last_name'),
    customer_ip: customer.optionalAnyText('ip'),
    customer_phone: customer.optionalAnyText('phone'),
    customer_processor_email: customer.optionalAnyText('processor_email'),
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
}

function readTracking(tracking: RecordFields | null): Record<TrackingField, string | null> {
  return {
    vtid: tracking?.optionalAnyText('vtid') ?? null,
    custom: tracking?.optionalAnyText('custom') ?? null,
    tid: tracking?.optionalAnyText('tid') ?? null,
    utm_source: tracking?.optionalAnyText('utm_source') ?? null,
    utm_medium: tracking?.optionalAnyText('utm_medium') ?? null,
    utm_campaign: tracking?.optionalAnyText('utm_campaign') ?? null,
    utm_content: tracking?.optionalAnyText('utm_content') ?? null,
    utm_term: tracking?.optionalAnyText('utm_term') ?? null,
    sub_id1: tracking?.optionalAnyText('sub_id1') ?? null,
    sub_id2: tracking?.optionalAnyText('sub_id2') ?? null,
    sub_id3: tracking?.optionalAnyText('sub_id3') ?? null,
    sub_id4: tracking?.optionalAnyText('sub_id4') ?? null,
    sub_id5: tracking?.optionalAnyText('sub_id5') ?? null,
    gclid: tracking?.optionalAnyText('gclid') ?? null,
    fbclid: tracking?.optionalAnyText('fbclid') ?? null,
    msclkid: tracking?.optionalAnyText('msclkid') ?? null,
    ttclid: tracking?.optionalAnyText('ttclid') ?? null,
    li_fat_id: tracking?.optionalAnyText('li_fat_id') ?? null,
    twclid: tracking?.optionalAnyText('twclid') ?? null,
    yclid: tracking?.optionalAnyText('yclid') ?? null,
    other_params: tracking?.optionalAnyText('other_params') ?? null,
  };
}

function readDelivery(delivery: RecordFields | null): Record<DeliveryColumn, string | null> {
  return {
    delivery_name: delivery?.optionalAnyText('name') ?? null,
    delivery_phone: delivery?.optionalAnyText('phone') ?? null,
    delivery_address_line_1: delivery?.optionalAnyText('address_line_1') ?? null,
    delivery_address_line_2: delivery?.optionalAnyText('address_line_2') ?? null,
    delivery_city: delivery?.optionalAnyText('city') ?? null,
    delivery_region: delivery?.optionalAnyText('region') ?? null,
    delivery_postal_code: delivery?.optionalAnyText('postal_code') ?? null,
    delivery_country: delivery?.optionalAnyText('country') ?? null,
  };
}

/** All fields are null without a refund. */
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
    payee_name: item.anyText('payee_name'),
    payout_type: item.anyText('payout_type'),
    payment_processor: item.anyText('payment_processor'),
    payout_status: item.anyText('payout_status'),
  };
}
