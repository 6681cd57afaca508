import type { Column } from '../../common/columns.js';
import {
  PAYOUT_FIELDS,
  REFUND_AMOUNT_FIELDS,
  TRACKING_FIELDS,
} from '../../ledger-format/transaction-fields.js';
import { STATUS_OF_3 } from './status-words.model.js';
import type { Transaction } from './transaction.model.js';

/** Lists the fields of the 3.0 list, without nesting and in its order. */
export const LISTED_COLUMNS: readonly Column<Transaction>[] = [
  column('transaction_id', 'text'),
  column('sale_date', 'date-time'),
  column('product_id', 'number'),
  column('product_name', 'text'),
  column('amount', 'money'),
  { name: 'status', kind: 'word', valueOf: ({ status }) => STATUS_OF_3[status] },
  column('customer_email', 'text'),
  column('customer_first_name', 'text'),
  column('customer_last_name', 'text'),
  column('affiliate_id', 'number'),
  column('affiliate_display_name', 'text'),
  ...TRACKING_FIELDS.map((field) => column(field, 'text')),
  ...PAYOUT_FIELDS.map((field) => column(field, 'money')),
  column('refund_date', 'date-time'),
  ...REFUND_AMOUNT_FIELDS.map((field) => column(field, 'money')),
];

/** Shows the name of an affiliate without a display name, as the account pages do. */
const AFFILIATE_IN_CSV: Column<Transaction> = {
  name: 'affiliate_display_name',
  kind: 'text',
  valueOf: ({ affiliate_name }) => affiliate_name,
};

/** Lists the columns of CSV files. */
export const VENDOR_COLUMNS: readonly Column<Transaction>[] = LISTED_COLUMNS.map((listed) =>
  listed.name === AFFILIATE_IN_CSV.name ? AFFILIATE_IN_CSV : listed,
);

function column<Name extends keyof Transaction, Kind extends string>(name: Name, kind: Kind) {
  return { name, kind, valueOf: (row: Transaction) => row[name] };
}
