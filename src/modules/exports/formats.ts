import { ByteWriter, type ColumnSource, ParquetWriter, type SchemaElement } from 'hyparquet-writer';
import type { SentFile } from '../../api/envelope/rendered-answer.js';
import { TRACKING_FIELDS } from '../../ledger/columns.js';
import {
  type CountedTransaction,
  countedColumns,
  withCounted,
} from '../../ledger/reads/counted-transaction.model.js';
import { listedOf, type ListedTransaction } from '../../ledger/reads/rendered-transaction.model.js';
import type { CountedFigure } from '../../ledger/sums/list-figures.js';
import { CSV_COLUMNS, PARQUET_COLUMNS } from '../../ledger/reads/transaction-columns.model.js';
import type { Transaction } from '../../ledger/reads/transaction.model.js';
import { RenderedResults } from '../../ledger/reads/rendered-results.model.js';
import type { Reader } from '../../platform/database/database.js';
import { type Column, CSV_TYPE, csvFile, type CsvStyle } from '../../platform/files/csv.js';
import { CENTS } from '../../platform/values/money.js';
import { formatDateTime } from '../../platform/values/time.js';
import type { TransactionsQuery } from '../transactions/index.js';

export const EXPORT_FORMATS = ['ndjson', 'csv', 'parquet'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** An export request selects the list of API 3.0 in a range of whole days. */
export interface ExportRequest {
  readonly vendor_id: number;
  /** First and last day in UTC, or null for all transactions. */
  readonly range: { readonly start_date: string; readonly end_date: string } | null;
  /** The query whose transactions are exported; absent or null for all of the range. */
  readonly filtered?: TransactionsQuery | null;
  /** Figure whose part in each transaction the file has; absent or null for none. */
  readonly counted?: CountedFigure | null;
  readonly format: ExportFormat;
  /** Style of a CSV file, by default `machine`. */
  readonly csvStyle?: CsvStyle | undefined;
  /** False to leave out transactions that were refunded but not sold in the range. */
  readonly withRefunds: boolean;
  /** True if personal data is left out. */
  readonly isMasked: boolean;
}

/** A list export request is for another list of a vendor's transactions, such as a filtered one. */
export interface ListExportRequest {
  readonly vendor_id: number;
  /** Name of the file, without the file extension. */
  readonly name: string;
  readonly format: ExportFormat;
  /** Yields the list in batches. @param snapshot snapshot from which all batches are read */
  readonly batches: (snapshot: Reader) => AsyncGenerator<readonly CountedTransaction[]>;
}

/** An export file is a started export from one state of the ledger. */
export interface ExportFile extends SentFile {
  /** Cursor from which the feed of changes continues. */
  readonly cursor: number;
  /**
   * Aborts when nothing more may be sent, because the snapshot was kept too long or the client is
   * too slow.
   */
  readonly expired: AbortSignal;
}

export interface CountedExport extends ExportFile {
  /** Exact number of transactions. */
  readonly count: number;
}

/**
 * Number of rows in a row group. Other requests wait while a group is encoded, but smaller groups
 * make the file larger.
 */
const GROUP_SIZE = 5_000;
/** A group with long texts ends at this number of characters. */
const GROUP_CHARACTERS = 2 * 1_048_576;
/**
 * These bytes are in the footer of a file without row groups: no rows, an empty list without a
 * type, and the start of the next field.
 */
const UNTYPED_GROUPS = Uint8Array.of(0x16, 0x00, 0x19, 0x00, 0x28);
const LIST_OF_STRUCTS = 0x0c;

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

/** Returns the schema: the columns of the list of API 3.0 and those added, with their types. */
function schemaOf<Row>(columns: readonly Column<Row>[]): SchemaElement[] {
  return [
    { name: 'transactions', num_children: columns.length },
    ...columns.map(({ name, kind }) => ({
      name,
      repetition_type: 'OPTIONAL' as const,
      ...TYPES[kind],
    })),
  ];
}

/** The transactions of a file in their order, in either form, once. */
export interface ExportedRows<Row extends Transaction> {
  readonly listed: () => AsyncGenerator<readonly ListedTransaction[]>;
  readonly columns: () => AsyncGenerator<readonly Row[]>;
  /** Columns that the file has in addition. */
  readonly added: readonly Column<Row>[];
}

/** Returns the transactions of a file with how much of each a figure counts. */
export function countedRows(
  batches: () => AsyncGenerator<readonly CountedTransaction[]>,
  currency: string,
): ExportedRows<CountedTransaction> {
  async function* listed() {
    for await (const batch of batches())
      yield batch.map((row) => withCounted(listedOf(row), row, currency));
  }
  return { listed, columns: batches, added: countedColumns(currency) };
}

/** Yields a Parquet file with one column for each field. */
async function* parquetOf<Row extends Transaction>(
  rows: ExportedRows<Row>,
): AsyncGenerator<Uint8Array> {
  const output = new ByteWriter();
  const columns = [...PARQUET_COLUMNS, ...rows.added];
  const writer = new ParquetWriter({
    writer: output,
    schema: schemaOf(columns),
    createdBy: 'vendor-reporting-api',
  });
  for await (const group of groupsOf(rows)) {
    await writer.write({ columnData: columnDataOf(columns, group), rowGroupSize: GROUP_SIZE });
    yield taken(output);
  }
  await writer.finish();
  const end = taken(output);
  yield writer.num_rows === 0n ? withTypedGroups(end) : end;
}

/**
 * Adds the type of an empty list of row groups, which arrow-rs requires. The writer uses the type
 * of the first item, so it writes no type for an empty list.
 */
function withTypedGroups(file: Uint8Array): Uint8Array {
  const bytes = Buffer.from(file);
  const at = bytes.lastIndexOf(UNTYPED_GROUPS);
  if (at !== -1) bytes[at + UNTYPED_GROUPS.indexOf(0x19) + 1] = LIST_OF_STRUCTS;
  return bytes;
}

async function* groupsOf<Row extends Transaction>(
  rows: ExportedRows<Row>,
): AsyncGenerator<readonly Row[]> {
  let group: Row[] = [];
  let characters = 0;
  for await (const batch of rows.columns()) {
    group.push(...batch);
    characters += charactersOf(batch);
    if (group.length < GROUP_SIZE && characters < GROUP_CHARACTERS) continue;
    yield group;
    group = [];
    characters = 0;
  }
  if (group.length > 0) yield group;
}

/** Counts the characters in the fields with the longest texts. */
function charactersOf(batch: readonly Transaction[]): number {
  let characters = 0;
  for (const row of batch) {
    for (const field of TRACKING_FIELDS) characters += row[field]?.length ?? 0;
  }
  return characters;
}

/**
 * Returns the bytes written since the last call. The writer then continues at the start of its
 * buffer.
 */
function taken(output: ByteWriter): Uint8Array {
  const bytes = Uint8Array.from(output.getBytes());
  output.index = 0;
  return bytes;
}

/** Returns the values of each column in the writer's format. */
function columnDataOf<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): ColumnSource[] {
  return columns.map((column) => {
    const source = { name: column.name, data: valuesOf(column, rows) };
    // Not every reader supports decimals in a dictionary.
    return column.kind === 'money' ? { ...source, encoding: 'PLAIN' } : source;
  });
}

function valuesOf<Row>(
  column: Column<Row>,
  rows: readonly Row[],
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

interface Format {
  readonly type: string;
  readonly isCompressible: boolean;
  readonly chunksOf: <Row extends Transaction>(
    rows: ExportedRows<Row>,
    csvStyle: CsvStyle,
  ) => AsyncGenerator<string | Uint8Array>;
}

export const FORMATS: Readonly<Record<ExportFormat, Format>> = {
  ndjson: { type: 'application/x-ndjson', isCompressible: true, chunksOf: ndjsonOf },
  csv: {
    type: CSV_TYPE,
    isCompressible: true,
    chunksOf: ({ added, columns }, style) => csvFile([...CSV_COLUMNS, ...added], style, columns()),
  },
  // The pages of a Parquet file are already compressed.
  parquet: { type: 'application/vnd.apache.parquet', isCompressible: false, chunksOf: parquetOf },
};

/** Yields the objects of API 3.0, one on each line. */
async function* ndjsonOf<Row extends Transaction>(
  rows: ExportedRows<Row>,
): AsyncGenerator<Uint8Array> {
  for await (const batch of rows.listed()) yield RenderedResults.linesOf(batch);
}
