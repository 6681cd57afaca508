import { formatCents } from '../../../common/money.js';
import { formatMoment } from '../../../common/time.js';
import type { AffiliateTransaction } from './report-list.model.js';
import { STATUS_OF_3 } from '../../transactions/status-words.model.js';
import {
  PAYOUT_FIELDS,
  REFUND_AMOUNT_FIELDS,
  TRACKING_FIELDS,
  type Transaction,
} from '../../transactions/transaction.model.js';
import type { Cell } from './csv.js';

/** The fields of the 3.0 list, in its order and in one row. */
export const VENDOR_COLUMNS = [
  ...['transaction_id', 'sale_date', 'product_id', 'product_name', 'amount', 'status'],
  ...['customer_email', 'customer_first_name', 'customer_last_name'],
  ...['affiliate_id', 'affiliate_display_name'],
  ...TRACKING_FIELDS,
  ...PAYOUT_FIELDS,
  'refund_date',
  ...REFUND_AMOUNT_FIELDS,
] as const;

/** What an affiliate sees of a sale: nothing of the customer and of the vendor's part. */
export const AFFILIATE_COLUMNS = [
  ...['transaction_id', 'sale_date', 'product_name', 'vendor_name', 'amount', 'status'],
  ...['commission', 'affiliate_commission_status'],
] as const;

export function vendorCells(transaction: Transaction): Cell[] {
  const { customer, affiliate, tracking, payouts, refund } = transaction;
  return [
    { text: transaction.transaction_id },
    { value: formatMoment(transaction.sale_date) },
    { value: transaction.product_id },
    { text: transaction.product_name },
    money(transaction.amount),
    { value: STATUS_OF_3[transaction.status] },
    ...[{ text: customer.email }, { text: customer.first_name }, { text: customer.last_name }],
    { value: affiliate?.id ?? '' },
    { text: affiliate?.display_name ?? null },
    ...TRACKING_FIELDS.map((field) => ({ text: tracking[field] })),
    ...PAYOUT_FIELDS.map((field) => money(payouts[field])),
    { value: refund === null ? '' : formatMoment(refund.refund_date) },
    ...REFUND_AMOUNT_FIELDS.map((field) =>
      refund === null ? { value: '' } : money(refund.amounts[field]),
    ),
  ];
}

export function affiliateCells(transaction: AffiliateTransaction): Cell[] {
  return [
    { text: transaction.transaction_id },
    { value: formatMoment(transaction.sale_date) },
    { text: transaction.product_name },
    { text: transaction.vendor_name },
    money(transaction.amount),
    { value: STATUS_OF_3[transaction.status] },
    money(transaction.commission),
    { value: transaction.affiliate_commission_status },
  ];
}

function money(cents: number): Cell {
  return { value: formatCents(cents) };
}
