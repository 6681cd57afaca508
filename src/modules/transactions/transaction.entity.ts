import { EntitySchema } from 'typeorm';
import { recordOf } from '../../common/record-of.js';
import {
  bytes,
  key,
  longText,
  dateTime,
  money,
  optional,
  text,
  wholeNumber,
  type Column,
} from '../../database/columns.js';
import type { StoredTransaction } from './transaction.model.js';
import {
  DELIVERY_COLUMNS,
  PAYOUT_FIELDS,
  REFUND_AMOUNT_FIELDS,
  TAX_FIELDS,
  TRACKING_FIELDS,
} from '../../ledger-format/transaction-fields.js';

/** Lists the columns that a `transaction` record of a ledger file fills. */
export const RECORD_COLUMNS = [
  'transaction_id',
  'product_id',
  'sale_date',
  'refund_date',
  'affiliate_id',
  'pre_key',
  'product_name',
  'amount',
  'status',
  'customer_email',
  'customer_first_name',
  'customer_last_name',
  'customer_ip',
  'customer_phone',
  'customer_processor_email',
  'affiliate_commission_status',
  ...TRACKING_FIELDS,
  ...PAYOUT_FIELDS,
  ...REFUND_AMOUNT_FIELDS,
  ...TAX_FIELDS,
  'shipping_fee',
  ...DELIVERY_COLUMNS,
] as const satisfies readonly (keyof StoredTransaction)[];

/** Lists the columns of the primary key. */
export const PLACE_COLUMNS = ['vendor_id', 'arrival'] as const;

/** Lists the columns that `rendered` and the kept sums are derived from. */
export const STORED_COLUMNS = [...PLACE_COLUMNS, 'refunded_sale_date', ...RECORD_COLUMNS] as const;

/**
 * Stores a transaction. `arrival` numbers a vendor's transactions in the order of their import.
 * `refunded_sale_date` is the sale date of refunded transactions and null for all others, so that
 * its index finds the refunded ones in the order of their sale without reading the others. The
 * folded columns of the e-mail addresses are not declared, because the database derives them
 * (database/spellings.ts).
 */
export const TransactionEntity = new EntitySchema<StoredTransaction>({
  name: 'Transaction',
  tableName: 'transactions',
  columns: {
    vendor_id: key(wholeNumber()),
    arrival: key(wholeNumber()),
    transaction_id: text(64),
    product_id: wholeNumber(),
    product_name: text(),
    sale_date: dateTime(),
    amount: money(),
    status: text(32),
    pre_key: optional(text()),
    customer_email: text(),
    customer_first_name: text(),
    customer_last_name: text(),
    customer_ip: optional(text()),
    customer_phone: optional(text()),
    /**
     * Address at the payment processor; null if the ledger has none, so that `customer_email`
     * applies.
     */
    customer_processor_email: optional(text()),
    affiliate_id: optional(wholeNumber()),
    affiliate_commission_status: text(32),
    ...recordOf(TRACKING_FIELDS, () => optional(longText())),
    ...recordOf(PAYOUT_FIELDS, money),
    refund_date: optional(dateTime()),
    ...recordOf(REFUND_AMOUNT_FIELDS, () => optional(money())),
    refunded_sale_date: optional(dateTime()),
    ...recordOf(TAX_FIELDS, () => optional(money())),
    shipping_fee: optional(money()),
    ...recordOf(DELIVERY_COLUMNS, () => optional(text())),
    /**
     * The transaction as rendered/rendered-transaction.model.ts defines it; null until it is
     * rendered.
     */
    rendered: optional(bytes()),
    record_version: optional(wholeNumber()),
    /** Sequence of the latest change (modules/changes). Null stands for `arrival`. */
    sequence: optional(wholeNumber()),
    changed_at: optional(dateTime()),
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
