import { formatCents, formatDecimal, MILLIONTHS } from '../../platform/values/money.js';
import { recordOf, compiledPicker } from '../../platform/values/record-of.js';
import { formatDateTime } from '../../platform/values/time.js';
import {
  DELIVERY_COLUMNS,
  fieldOf,
  PAYOUT_FIELDS,
  REFUND_AMOUNT_FIELDS,
  TAX_FIELDS,
  TRACKING_FIELDS,
} from '../columns.js';
import type { TransactionRecord } from './transaction.record.js';

/** Contains a line of a ledger file as parsed JSON, before its fields are checked. */
export type WrittenRecord = Readonly<Record<string, unknown>>;

const trackingOf = compiledPicker(TRACKING_FIELDS);

/** Converts a transaction to its form in a ledger file. It is the reverse of `readTransaction`. */
export function writtenTransaction(record: TransactionRecord) {
  const { transaction_id, product_id, product_name, affiliate_id, pre_key, status } = record;
  return {
    type: 'transaction',
    transaction_id,
    product_id,
    product_name,
    affiliate_id,
    pre_key,
    status,
    sale_date: formatDateTime(record.sale_date),
    amount: formatCents(record.amount),
    affiliate_commission_status: record.affiliate_commission_status,
    customer: {
      email: record.customer_email,
      first_name: record.customer_first_name,
      last_name: record.customer_last_name,
      ip: record.customer_ip,
      phone: record.customer_phone,
      processor_email: record.customer_processor_email,
    },
    tracking: trackingOf(record),
    payouts: recordOf(PAYOUT_FIELDS, (field) => formatCents(record[field])),
    refund: writtenRefund(record),
    taxes: recordOf(TAX_FIELDS, (field) => centsOrNull(record[field])),
    shipping_fee:
      record.shipping_fee === null ? null : formatDecimal(record.shipping_fee, MILLIONTHS),
    delivery: Object.fromEntries(
      DELIVERY_COLUMNS.map((column) => [fieldOf(column), record[column]]),
    ),
    payout_items: record.payout_items.map((item) => ({
      ...item,
      payee_amount: formatCents(item.payee_amount),
    })),
  };
}

function writtenRefund(record: TransactionRecord) {
  const { refund_date } = record;
  if (refund_date === null) return null;
  const amounts = recordOf(REFUND_AMOUNT_FIELDS, (field) => formatCents(record[field] ?? 0));
  return { refund_date: formatDateTime(refund_date), ...amounts };
}

function centsOrNull(cents: number | null): string | null {
  return cents === null ? null : formatCents(cents);
}
