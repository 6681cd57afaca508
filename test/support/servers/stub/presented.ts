/**
 * Writes the objects of a stub upstream as the API shows them. It shares no code with the service
 * and differs from it wherever the API leaves room: another offset, another order of fields,
 * additional fields.
 */
import type {
  StubContents,
  StubPayment,
  StubRefund,
  StubRelationship,
  StubSale,
} from './contents.js';
import { TRACKING_NAMES } from '../../oracles/shape.js';

/** Words that replace `service` and `processor` in the names of fields. */
export interface StubWords {
  readonly service: string;
  readonly processor: string;
}

const OFFSET_HOURS = -5;
const MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/;
const TRACKING = TRACKING_NAMES.toReversed();
const DELIVERY = 'country postal_code region city address_line_2 address_line_1 phone name'.split(
  ' ',
);

/** Returns `2025-06-01T12:00:00Z` as `2025-06-01T07:00:00-05:00`. */
export function local(moment: string): string {
  const shifted = new Date(Date.parse(moment) + OFFSET_HOURS * 3_600_000);
  return `${shifted.toISOString().slice(0, 19)}-05:00`;
}

/** Returns a transaction of version 3.0. */
export function transactionOf(sale: StubSale, words: StubWords): object {
  const { affiliate, customer, payouts, refund, tracking } = sale;
  const { fee, ...shares } = payouts;
  return {
    currency: 'USD',
    status: sale.status,
    transaction_id: sale.transaction_id,
    amount: sale.amount,
    refund: refund === null ? null : refundOf(refund, words),
    payouts: { [`${words.service}_fee`]: fee, reserve: '0.00', ...shares },
    product_name: sale.product_name,
    product_id: sale.product_id,
    tracking: {
      ...Object.fromEntries(TRACKING.map((field) => [field, tracking[field] ?? null])),
      device: 'mobile',
    },
    affiliate: affiliate && { display_name: affiliate.display_name, id: affiliate.id, level: 1 },
    customer: {
      last_name: customer.last_name,
      first_name: customer.first_name,
      email: customer.email,
      locale: 'en-US',
    },
    sale_date: local(sale.sold),
  };
}

function refundOf(refund: StubRefund, words: StubWords): object {
  return {
    [`${words.service}_fee_adjustment`]: refund.fee,
    jv_refund_impact: refund.jv,
    agent_refund_impact: refund.agent,
    affiliate_refund_impact: refund.affiliate,
    seller_refund_impact: refund.seller,
    refund_amount: refund.amount,
    reason: 'requested',
    refund_date: local(refund.date),
  };
}

/** Returns the details of a transaction in version 2.1, whose date has no offset. */
export function detailOf(sale: StubSale, { vendor }: StubContents, words: StubWords): object {
  const { affiliate, customer, taxes, tracking } = sale;
  return {
    vendor_email: vendor.email,
    vendor_name: vendor.name,
    vendor_id: String(vendor.id),
    affiliate_email: affiliate?.email ?? '',
    affiliate_name: affiliate?.display_name ?? affiliate?.name ?? '',
    affiliate_id: String(affiliate?.id ?? 0),
    customer_phone: customer.phone,
    customer_ip: customer.ip,
    customer_email: customer.email,
    customer_last_name: customer.last_name,
    customer_first_name: customer.first_name,
    [`${words.processor}_email`]: customer.processor_email,
    ...Object.fromEntries(
      DELIVERY.map((field) => [`delivery_${field}`, sale.delivery[field] ?? '']),
    ),
    shipping_fee: sale.shipping_fee,
    vat_tax: taxes.vat,
    national_sales_tax: taxes.national,
    international_sales_tax: taxes.international,
    tax_total: sale.tax_total,
    vtid: tracking.vtid ?? null,
    tid: tracking.tid ?? null,
    pre_key: sale.pre_key,
    total: sale.amount,
    status: sale.status_of_2,
    product_id: String(sale.product_id),
    product_name: sale.product_name,
    date: local(sale.sold).slice(0, 19).replace('T', ' '),
    transactionPayouts: sale.payees.map((payee) => ({ payee_country: 'US', ...payee })),
    currency: 'USD',
  };
}

/** Returns the affiliate terms of version 2.1. */
export function relationshipOf({ created, ...rest }: StubRelationship): object {
  return { tier: 'gold', ...rest, created: local(created) };
}

/** Returns a recurring payment of version 2.0. */
export function paymentOf(payment: StubPayment, words: StubWords): object {
  const { processor_email, ...fields } = payment;
  const presented = Object.entries(fields).map(([name, value]) => [
    name,
    typeof value === 'string' && MOMENT.test(value) ? local(value) : value,
  ]);
  return {
    gateway: 'main',
    ...(Object.fromEntries(presented) as object),
    [`${words.processor}_email`]: processor_email,
  };
}

/** Returns a transaction of the `latest-transactions` list of version 2.0. */
export function latestOf(sale: StubSale): object {
  const { affiliate, customer } = sale;
  return {
    date: local(sale.sold),
    transaction_id: sale.transaction_id,
    product_id: sale.product_id,
    product_name: sale.product_name,
    price: sale.amount,
    status: sale.status_of_2,
    ip: customer.ip,
    first_name: customer.first_name,
    last_name: customer.last_name,
    customer_email: customer.email,
    affiliate_id: affiliate?.id ?? 0,
    affiliate_name: affiliate?.display_name ?? affiliate?.name ?? '',
  };
}
