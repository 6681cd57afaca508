import { compiledReader } from '../../platform/values/record-of.js';
import {
  COLUMN_NAMES,
  COLUMNS,
  fieldOf,
  REFUND_AMOUNT_FIELDS,
  type SentTransaction,
  type TransactionColumns,
} from '../columns.js';
import type { RecordFields } from './record-fields.js';

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
export interface TransactionRecord extends TransactionColumns {
  readonly payout_items: readonly PayoutItemRecord[];
}
/** Describes the share of one payee in a transaction (docs/ledger-file.md#transaction). */
export type PayoutItemRecord = Readonly<ReturnType<typeof readPayoutItem>>;

/** Lists the texts of a payout item. */
export const PAYOUT_ITEM_TEXTS = [
  'payee_name',
  'payout_type',
  'payment_processor',
  'payout_status',
] as const;

/** Lists the columns that a payout item fills. */
export const PAYOUT_ITEM_COLUMNS = ['payee_amount', 'payee_user_id', ...PAYOUT_ITEM_TEXTS] as const;

/** Lists the columns whose faults come first in an answer. */
const FIRST: ReadonlySet<string> = new Set([...REFUND_AMOUNT_FIELDS, 'affiliate_id']);
const READ_ORDER = [
  ...COLUMN_NAMES.filter((name) => FIRST.has(name)),
  ...COLUMN_NAMES.filter((name) => !FIRST.has(name)),
];
const readColumns = compiledReader<SentTransaction, TransactionRecord>(
  { ...COLUMNS, payout_items: { read: ({ record }) => readPayoutItems(record) } },
  [...READ_ORDER, 'payout_items'],
  (name) => (name === 'payout_items' ? name : fieldOf(name)),
);

/**
 * Reads a transaction. It reports faults in the order of the reads. The texts may break their
 * rules: `fittedTransaction` changes those that do.
 */
export function readTransaction(record: RecordFields): TransactionRecord {
  const customer = record.object('customer');
  const tracking = record.optionalObject('tracking');
  const payouts = record.object('payouts');
  const taxes = record.optionalObject('taxes');
  const delivery = record.optionalObject('delivery');
  const sale_date = record.dateTime('sale_date');
  const transaction_id = record.matching('transaction_id', TRANSACTION_ID, EXPECTED_ID);
  const product_id = record.id('product_id');
  const refund = record.optionalObject('refund');
  const refund_date = refund && readRefundDate(refund, sale_date);
  // The properties are listed, because an object with a spread is slower to read.
  return readColumns({
    record,
    customer,
    tracking,
    payouts,
    taxes,
    delivery,
    transaction_id,
    sale_date,
    product_id,
    refund,
    refund_date,
  });
}

function readRefundDate(refund: RecordFields, sale_date: string): string {
  const refund_date = refund.dateTime('refund_date');
  if (refund_date !== '' && refund_date < sale_date) {
    refund.fault('refund_date', `must not be before sale_date (${sale_date}), not ${refund_date}`);
  }
  return refund_date;
}

function readPayoutItems(record: RecordFields): PayoutItemRecord[] {
  return record.optionalList('payout_items', MAX_PAYOUT_ITEMS).map(readPayoutItem);
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
