import { TRACKING_FIELDS } from '../columns.js';
import { isRowOf, REVISION } from './transaction-row.model.js';
import type { LedgerPosition } from './transaction.model.js';

/** Maximum total size of rows that are read at once, in bytes. */
export const MAX_BYTES_TOGETHER = 2 * 1_048_576;
/** Size of the rows that are in memory at a time if a page is larger, in bytes. */
const PIECE_BYTES = 262_144;
/** Assumed size of a row whose JSON is too large to be stored, in bytes. */
const UNSTORED_BYTES = 65_536;
/** Approximate size of the JSON of a transaction without its longest texts, in bytes. */
const OTHER_BYTES = 8_192;
const LONGEST_TEXTS = TRACKING_FIELDS.map((column) => `COALESCE(OCTET_LENGTH(t.${column}), 0)`);

/** Computes the approximate size of the JSON of a transaction, in bytes. */
export const ROW_SIZE = `COALESCE(OCTET_LENGTH(t.rendered), ${LONGEST_TEXTS.join(' + ')} + ${OTHER_BYTES})`;

/** Selects the columns of a `SizedRow`. The transaction is `t`. */
export const SIZED = `${REVISION}, t.vendor_id, t.arrival, t.sale_date, ${ROW_SIZE} AS bytes`;

/** Contains the key and the size of a transaction that has not been read yet. */
export interface SizedRow extends LedgerPosition {
  readonly revision: number;
  readonly bytes: number;
}

/**
 * Contains rows of a list, or only their keys and sizes if the rows are too large to be read at
 * once.
 */
export type FoundRows<Row> =
  | { readonly isLarge: false; readonly rows: readonly Row[] }
  | { readonly isLarge: true; readonly rows: readonly SizedRow[] };

/** Is true for a transaction `t` of at most the number of bytes in the parameter. */
export const IS_SMALL = `COALESCE(OCTET_LENGTH(t.rendered), ${UNSTORED_BYTES}) <= ?`;

/**
 * Joins rows to their keys if they have at most the number of bytes in the last parameter of the
 * statement. All columns of a larger row are null.
 */
export function joinedIfSmall(keys: string): string {
  return `LEFT JOIN transactions t ON ${isRowOf(keys)} AND ${IS_SMALL}`;
}

/** Describes a row that `joinedIfSmall` joined. It has only nulls if the row is larger. */
export type IfSmall<Row extends { readonly arrival: number }> =
  | Row
  | { readonly [Name in keyof Row]: null };

export function areSmall<Row extends { readonly arrival: number }>(
  rows: IfSmall<Row>[],
): rows is Row[] {
  return rows.every(({ arrival }) => arrival !== null);
}

/** Parameter with which rows of any size are joined. */
export const ANY_SIZE = Number.MAX_SAFE_INTEGER;

/** Returns the size up to which `count` rows can be read at once, in bytes. */
export function smallOf(count: number): number {
  return Math.floor(MAX_BYTES_TOGETHER / Math.max(count, 1));
}

/** Returns true if the rows can be read at once. */
export function fitTogether(rows: readonly SizedRow[]): boolean {
  return rows.reduce((sum, { bytes }) => sum + bytes, 0) <= MAX_BYTES_TOGETHER;
}

/** Yields parts that fit into memory, each with at least one row. */
function* piecesOf(rows: readonly SizedRow[]): Generator<readonly SizedRow[]> {
  let piece: SizedRow[] = [];
  let bytes = 0;
  for (const row of rows) {
    if (piece.length > 0 && bytes + row.bytes > PIECE_BYTES) {
      yield piece;
      piece = [];
      bytes = 0;
    }
    piece.push(row);
    bytes += row.bytes;
  }
  if (piece.length > 0) yield piece;
}

/**
 * Reads rows in parts, in their order.
 * @param read gets the arrivals of a part, and may return its rows in any order
 * @throws Error if a row no longer exists
 */
export async function* rowsInPieces<Row extends { readonly arrival: number }>(
  rows: readonly SizedRow[],
  read: (arrivals: readonly number[]) => Promise<readonly Row[]>,
): AsyncGenerator<readonly Row[]> {
  for (const piece of piecesOf(rows)) {
    const found = new Map<number, Row>();
    for (const row of await read(piece.map(({ arrival }) => arrival))) found.set(row.arrival, row);
    yield piece.map(({ arrival }) => {
      const row = found.get(arrival);
      if (row === undefined) throw new Error('a transaction left its list while it was read');
      return row;
    });
  }
}
