import { EntitySchema } from 'typeorm';
import { recordOf } from '../../platform/values/record-of.js';
import {
  bytes,
  key,
  longText,
  dateTime,
  money,
  optional,
  SHORT_TEXT,
  text,
  wholeNumber,
  type Column,
} from '../../platform/database/entities/columns.js';
import { COLUMN_NAMES, ruleOf, type ColumnName } from '../columns.js';
import { TEXT } from '../files/text-rule.js';
import type { StoredTransaction } from './transaction.model.js';
import { entityOf, type EntityRow } from '../../platform/database/entities/entity-of.js';
import { PAYOUT_ITEM_TEXTS } from '../records/transaction.record.js';

/** Lists the columns of the primary key. */
export const PLACE_COLUMNS = ['vendor_id', 'arrival'] as const;

/**
 * Stores a transaction. `arrival` numbers a vendor's transactions in the order of their import.
 * `refunded_sale_date` is the sale date of refunded transactions and null for all others, so that
 * its index finds the refunded ones in the order of their sale without reading the others. The
 * folded columns of the e-mail addresses are not declared, because the database derives them
 * (src/platform/database/entities/spellings.ts).
 */
export const TransactionEntity = new EntitySchema<StoredTransaction>({
  name: 'Transaction',
  tableName: 'transactions',
  columns: {
    vendor_id: key(wholeNumber()),
    arrival: key(wholeNumber()),
    ...recordOf(COLUMN_NAMES, columnOf),
    transaction_id: text(64),
    refunded_sale_date: optional(dateTime()),
    /**
     * The transaction as rendered-transaction.model.ts defines it; null until it is
     * rendered.
     */
    rendered: optional(bytes()),
    record_version: optional(wholeNumber()),
    /** Sequence of the latest change (ledger/changes). Null stands for `arrival`. */
    sequence: optional(wholeNumber()),
    changed_at: optional(dateTime()),
    /** Reasons of its changes (ledger/changes/reasons). */
    reasons: optional(text()),
  } satisfies Record<keyof StoredTransaction, Column>,
  indices: [
    { name: 'transactions_by_id', columns: ['transaction_id'], unique: true },
    { name: 'transactions_by_sale', columns: ['vendor_id', 'sale_date', 'arrival'] },
    {
      name: 'transactions_by_refunded_sale',
      columns: ['vendor_id', 'refunded_sale_date', 'arrival', 'refund_date'],
    },
    {
      name: 'transactions_by_affiliate',
      columns: ['affiliate_id', 'sale_date', 'vendor_id', 'arrival'],
    },
    {
      name: 'transactions_by_affiliate_product',
      columns: ['affiliate_id', 'product_id', 'sale_date', 'status'],
    },
    {
      name: 'transactions_by_customer',
      columns: ['vendor_id', 'customer_email', 'sale_date', 'arrival'],
    },
    // Both indexes contain the whole name and the e-mail address, so that a search for customers
    // reads nothing else.
    {
      name: 'transactions_by_first_name',
      columns: ['vendor_id', 'customer_first_name', 'customer_last_name', 'customer_email'],
    },
    {
      name: 'transactions_by_last_name',
      columns: ['vendor_id', 'customer_last_name', 'customer_first_name', 'customer_email'],
    },
    {
      name: 'transactions_by_processor_email',
      columns: ['vendor_id', 'customer_processor_email', 'sale_date', 'arrival'],
      // Applies to SQLite only, like `where` below.
      where: 'customer_processor_email IS NOT NULL',
    },
    { name: 'transactions_by_sequence', columns: ['vendor_id', 'sequence', 'arrival'] },
    {
      name: 'transactions_by_agreement',
      columns: ['vendor_id', 'pre_key', 'sale_date', 'arrival'],
      where: 'pre_key IS NOT NULL',
    },
  ],
});

/** Returns the column of the database for a column of a transaction. */
function columnOf(name: ColumnName): Column {
  const { kind, rule = TEXT, nullable } = ruleOf(name);
  const types = {
    id: () => text(),
    email: () => text(),
    text: () => (rule.max > SHORT_TEXT ? longText() : text()),
    word: () => text(32),
    number: wholeNumber,
    money,
    millionths: money,
    'date-time': dateTime,
  } as const satisfies Record<typeof kind, () => Column>;
  const column: Column = types[kind]();
  return nullable === true ? optional(column) : column;
}

/**
 * Stores the share of one payee in a transaction. `position` is its place in the list of the ledger
 * file, from 1.
 */
export const PayoutItemEntity = entityOf({
  name: 'PayoutItem',
  tableName: 'payout_items',
  columns: {
    vendor_id: key(wholeNumber()),
    arrival: key(wholeNumber()),
    position: key(wholeNumber()),
    payee_amount: money(),
    payee_user_id: wholeNumber(),
    ...recordOf(PAYOUT_ITEM_TEXTS, () => text()),
  },
});
export type StoredPayoutItem = EntityRow<typeof PayoutItemEntity>;
