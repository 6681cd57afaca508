import type { ColumnSource, SchemaElement } from 'hyparquet-writer';
import type { Column } from '../../../common/columns.js';
import { CENTS } from '../../../common/money.js';
import { formatDateTime } from '../../../common/time.js';
import { LISTED_COLUMNS } from '../../transactions/transaction-columns.model.js';
import type { Transaction } from '../../transactions/transaction.model.js';

const MAX_DIGITS = 18;
const TEXT = {
  type: 'BYTE_ARRAY',
  converted_type: 'UTF8',
  logical_type: { type: 'STRING' },
} as const;
const MONEY = {
  type: 'INT64',
  converted_type: 'DECIMAL',
  precision: MAX_DIGITS,
  scale: CENTS,
  logical_type: { type: 'DECIMAL', precision: MAX_DIGITS, scale: CENTS },
} as const;
const INTEGER = { type: 'INT64' } as const;
const UTC = {
  type: 'INT64',
  converted_type: 'TIMESTAMP_MILLIS',
  logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' },
} as const;

const TYPES = {
  text: TEXT,
  word: TEXT,
  number: INTEGER,
  money: MONEY,
  'date-time': UTC,
} as const satisfies Record<Column<Transaction>['kind'], Partial<SchemaElement>>;

/** The schema has the columns of the list of API 3.0 with their types. */
export const SCHEMA: SchemaElement[] = [
  { name: 'transactions', num_children: LISTED_COLUMNS.length },
  ...LISTED_COLUMNS.map(({ name, kind }) => ({
    name,
    repetition_type: 'OPTIONAL' as const,
    ...TYPES[kind],
  })),
];

/** Returns the values of each column in the writer's format. */
export function columnDataOf(rows: readonly Transaction[]): ColumnSource[] {
  return LISTED_COLUMNS.map((column) => {
    const source = { name: column.name, data: valuesOf(column, rows) };
    // Not every reader supports decimals in a dictionary.
    return column.kind === 'money' ? { ...source, encoding: 'PLAIN' } : source;
  });
}

function valuesOf(
  column: Column<Transaction>,
  rows: readonly Transaction[],
): (string | bigint | Date | null)[] {
  switch (column.kind) {
    case 'text':
    case 'word':
      return rows.map(column.valueOf);
    case 'number':
    case 'money':
      return rows.map((row) => {
        const value = column.valueOf(row);
        return value === null ? null : BigInt(value);
      });
    case 'date-time':
      return rows.map((row) => {
        const utc = column.valueOf(row);
        return utc === null ? null : new Date(formatDateTime(utc));
      });
  }
}
