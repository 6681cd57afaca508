import { formatCents } from '../values/money.js';
import { formatDateTime } from '../values/time.js';

export const CSV_TYPE = 'text/csv; charset=utf-8; header=present';

/**
 * The styles of CSV files:
 * - `spreadsheet`: for people. Spreadsheets recognize the encoding by the byte order mark, and
 *   date-times without an offset as dates; the header names UTC instead. A text never becomes a
 *   formula.
 * - `machine`: for programs. Values are unchanged, date-times are ISO 8601.
 */
export const CSV_STYLES = ['spreadsheet', 'machine'] as const;
export type CsvStyle = (typeof CSV_STYLES)[number];

const BYTE_ORDER_MARK = '\ufeff';
/** Spreadsheets read text that begins like this as a formula. Full-width characters count, too. */
const BEGINS_FORMULA = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;
/** Cells with these characters are quoted: some spreadsheets split cells at semicolons or tabs. */
const NEEDS_QUOTES = /[",;\t\r\n]/;

/**
 * Writes a CSV file (RFC 4180, UTF-8) in chunks of whole records: the header, then one chunk per
 * batch of rows.
 */
export async function* csvFile<Row>(
  columns: readonly Column<Row>[],
  style: CsvStyle,
  batches: AsyncIterable<readonly Row[]> | Iterable<readonly Row[]>,
): AsyncGenerator<string> {
  const head = record(columns.map((column) => headerOf(column, style)));
  yield style === 'spreadsheet' ? BYTE_ORDER_MARK + head : head;
  for await (const batch of batches) {
    yield batch.map((row) => record(columns.map((column) => cellOf(column, row, style)))).join('');
  }
}

function record(cells: readonly string[]): string {
  return `${cells.join(',')}\r\n`;
}

function headerOf<Row>({ name, kind }: Column<Row>, style: CsvStyle): string {
  return kind === 'date-time' && style === 'spreadsheet' ? `${name} (UTC)` : name;
}

function cellOf<Row>(column: Column<Row>, row: Row, style: CsvStyle): string {
  switch (column.kind) {
    case 'text':
      return textCell(column.valueOf(row) ?? '', style);
    case 'word':
      return column.valueOf(row) ?? '';
    case 'number':
      return String(column.valueOf(row) ?? '');
    case 'money': {
      const cents = column.valueOf(row);
      return cents === null ? '' : formatCents(cents);
    }
    case 'date-time': {
      const utc = column.valueOf(row);
      if (utc === null) return '';
      return style === 'spreadsheet' ? utc : formatDateTime(utc);
    }
  }
}

function textCell(text: string, style: CsvStyle): string {
  const harmless = style === 'spreadsheet' && BEGINS_FORMULA.test(text) ? `'${text}` : text;
  return NEEDS_QUOTES.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

/**
 * Describes one column of a list that is sent as a file. Its kind decides how each file format
 * writes the value:
 * - `text`: comes from users, so a spreadsheet must not run it as a formula
 * - `word`: the service's own word or number, written unchanged
 * - `number`: a whole number
 * - `money`: cents
 * - `date-time`: UTC, as `2025-06-01 18:03:11`
 */
export type Column<Row> =
  | ColumnOf<Row, 'text', string>
  | ColumnOf<Row, 'word', string>
  | ColumnOf<Row, 'number', number>
  | ColumnOf<Row, 'money', number | bigint>
  | ColumnOf<Row, 'date-time', string>;

interface ColumnOf<Row, Kind extends string, Value> {
  readonly name: string;
  readonly kind: Kind;
  /** Returns null if the row has no value. */
  readonly valueOf: (row: Row) => Value | null;
}
