import { formatCents } from '../../../common/money.js';
import { formatDateTime } from '../../../common/time.js';
import type { AffiliateTransaction } from './report-list.model.js';
import { STATUS_OF_3 } from '../../transactions/status-words.model.js';
import {
  PAYOUT_FIELDS,
  REFUND_AMOUNT_FIELDS,
  TRACKING_FIELDS,
} from '../../../ledger-format/transaction-fields.js';
import type { Transaction } from '../../transactions/transaction.model.js';
import type { Cell } from './csv.js';

/** The fields of the 3.0 list, flat and in its order. */
export const VENDOR_COLUMNS = [
  ...['transaction_id', 'sale_date', 'product_id', 'product_name', 'amount', 'status'],
  ...['customer_email', 'customer_first_name', 'customer_last_name'],
  ...['affiliate_id', 'affiliate_display_name'],
  ...TRACKING_FIELDS,
  ...PAYOUT_FIELDS,
  'refund_date',
  ...REFUND_AMOUNT_FIELDS,
] as const;

/** What an affiliate sees of a sale: not the customer, and not the vendor's share. */
export const AFFILIATE_COLUMNS = [
  ...['transaction_id', 'sale_date', 'product_name', 'vendor_name', 'amount', 'status'],
  ...['commission', 'affiliate_commission_status'],
] as const;

export function vendorCells(transaction: Transaction): Cell[] {
  return [
    { text: transaction.transaction_id },
    dateTime(transaction.sale_date),
    { value: transaction.product_id },
    { text: transaction.product_name },
    money(transaction.amount),
    { value: STATUS_OF_3[transaction.status] },
    { text: transaction.customer_email },
    { text: transaction.customer_first_name },
    { text: transaction.customer_last_name },
    { value: transaction.affiliate_id ?? '' },
    { text: transaction.affiliate_display_name },
    ...TRACKING_FIELDS.map((field) => ({ text: transaction[field] })),
    ...PAYOUT_FIELDS.map((field) => money(transaction[field])),
    dateTime(transaction.refund_date),
    ...REFUND_AMOUNT_FIELDS.map((field) => money(transaction[field])),
  ];
}

export function affiliateCells(transaction: AffiliateTransaction): Cell[] {
  return [
    { text: transaction.transaction_id },
    dateTime(transaction.sale_date),
    { text: transaction.product_name },
    { text: transaction.vendor_name },
    money(transaction.amount),
    { value: STATUS_OF_3[transaction.status] },
    money(transaction.commission),
    { value: transaction.affiliate_commission_status },
  ];
}

function dateTime(utc: string | null): Cell {
  return { value: utc === null ? '' : formatDateTime(utc) };
}

function money(cents: number | null): Cell {
  return { value: cents === null ? '' : formatCents(cents) };
}
