import type { SchemaElement } from 'hyparquet-writer';
import { PAYOUT_FIELDS, REFUND_AMOUNT_FIELDS } from '../../../ledger-format/transaction-fields.js';
import { CENTS } from '../../../common/money.js';
import { formatDateTime } from '../../../common/time.js';
import { STATUS_OF_3 } from '../../transactions/status-words.model.js';
import { VENDOR_COLUMNS } from '../../transactions/transaction-cells.model.js';
import type { Transaction } from '../../transactions/transaction.model.js';

type Field = (typeof VENDOR_COLUMNS)[number];
type Value = string | bigint | Date | null;

interface ParquetColumn {
  readonly name: Field;
  readonly valueOf: (transaction: Transaction) => Value;
}

const MAX_DIGITS = 18;
const TEXT = {
  type: 'BYTE_ARRAY',
  converted_type: 'UTF8',
  logical_type: { type: 'STRING' },
} as const;
const MONEY = {
  ...({ type: 'INT64', converted_type: 'DECIMAL', precision: MAX_DIGITS, scale: CENTS } as const),
  logical_type: { type: 'DECIMAL', precision: MAX_DIGITS, scale: CENTS },
} as const;
const INTEGER = { type: 'INT64' } as const;
const UTC = {
  ...({ type: 'INT64', converted_type: 'TIMESTAMP_MILLIS' } as const),
  logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' },
} as const;

type Kind = typeof TEXT | typeof MONEY | typeof INTEGER | typeof UTC;

const MONEY_FIELDS = new Set<string>(['amount', ...PAYOUT_FIELDS, ...REFUND_AMOUNT_FIELDS]);
const UTC_FIELDS = new Set<string>(['sale_date', 'refund_date']);
const INTEGER_FIELDS = new Set<string>(['product_id', 'affiliate_id']);

/** The columns of the CSV, with types. */
export const PARQUET_COLUMNS: readonly ParquetColumn[] = VENDOR_COLUMNS.map((name) => ({
  name,
  valueOf: readerOf(name),
}));

export const SCHEMA: SchemaElement[] = [
  { name: 'transactions', num_children: VENDOR_COLUMNS.length },
  ...VENDOR_COLUMNS.map((name) => ({
    name,
    repetition_type: 'OPTIONAL' as const,
    ...kindOf(name),
  })),
];

function kindOf(name: Field): Kind {
  if (MONEY_FIELDS.has(name)) return MONEY;
  if (UTC_FIELDS.has(name)) return UTC;
  return INTEGER_FIELDS.has(name) ? INTEGER : TEXT;
}

function readerOf(name: Field): (transaction: Transaction) => Value {
  if (name === 'status') return ({ status }) => STATUS_OF_3[status];
  if (name === 'sale_date' || name === 'refund_date') return (row) => instantOf(row[name]);
  return (row) => {
    const value = row[name];
    return typeof value === 'number' ? BigInt(value) : value;
  };
}

function instantOf(utc: string | null): Date | null {
  return utc === null ? null : new Date(formatDateTime(utc));
}
