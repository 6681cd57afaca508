import type { Cell } from '../../common/csv.js';
import { formatCents } from '../../common/money.js';
import { formatDateTime } from '../../common/time.js';
import {
  PAYOUT_FIELDS,
  REFUND_AMOUNT_FIELDS,
  TRACKING_FIELDS,
} from '../../ledger-format/transaction-fields.js';
import { STATUS_OF_3 } from './status-words.model.js';
import type { Transaction } from './transaction.model.js';

/** The fields of the 3.0 list, flat and in its order. */
export const VENDOR_COLUMNS = [
  ...(['transaction_id', 'sale_date', 'product_id', 'product_name', 'amount', 'status'] as const),
  ...(['customer_email', 'customer_first_name', 'customer_last_name'] as const),
  ...(['affiliate_id', 'affiliate_display_name'] as const),
  ...TRACKING_FIELDS,
  ...PAYOUT_FIELDS,
  ...(['refund_date'] as const),
  ...REFUND_AMOUNT_FIELDS,
] as const;

/** In the order of `VENDOR_COLUMNS`. */
export function vendorCells(transaction: Transaction): Cell[] {
  return [
    { text: transaction.transaction_id },
    dateTimeCell(transaction.sale_date),
    { value: transaction.product_id },
    { text: transaction.product_name },
    moneyCell(transaction.amount),
    { value: STATUS_OF_3[transaction.status] },
    { text: transaction.customer_email },
    { text: transaction.customer_first_name },
    { text: transaction.customer_last_name },
    { value: transaction.affiliate_id ?? '' },
    { text: transaction.affiliate_display_name },
    ...TRACKING_FIELDS.map((field) => ({ text: transaction[field] })),
    ...PAYOUT_FIELDS.map((field) => moneyCell(transaction[field])),
    dateTimeCell(transaction.refund_date),
    ...REFUND_AMOUNT_FIELDS.map((field) => moneyCell(transaction[field])),
  ];
}

export function dateTimeCell(utc: string | null): Cell {
  return { value: utc === null ? '' : formatDateTime(utc) };
}

export function moneyCell(cents: number | bigint | null): Cell {
  return { value: cents === null ? '' : formatCents(cents) };
}
