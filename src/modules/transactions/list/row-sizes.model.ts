import { TRACKING_FIELDS } from '../../../ledger-format/transaction-fields.js';
import { isRowOf, REVISION } from '../transaction-row.model.js';
import type { LedgerPosition } from '../transaction.model.js';

/** Rows that are read at once have at most so many bytes together. */
export const MAX_BYTES_TOGETHER = 2 * 1_048_576;
/** Larger pages have so many bytes of their rows in memory at a time. */
const PIECE_BYTES = 262_144;
/** A row whose JSON is not stored has more than a BLOB holds, or was stored by an older version. */
const UNSTORED_BYTES = 65_536;
/** The JSON of a transaction has about so many bytes without its longest texts. */
const OTHER_BYTES = 8_192;
const LONGEST_TEXTS = TRACKING_FIELDS.map((column) => `COALESCE(OCTET_LENGTH(t.${column}), 0)`);

/** About how many bytes the JSON of a transaction has. */
export const ROW_SIZE = `COALESCE(OCTET_LENGTH(t.rendered), ${LONGEST_TEXTS.join(' + ')} + ${OTHER_BYTES})`;

/** The columns of a `SizedRow`, with the transaction as `t`. */
export const SIZED = `${REVISION}, t.vendor_id, t.arrival, t.sale_date, ${ROW_SIZE} AS bytes`;

/** A transaction that is not read yet. */
export interface SizedRow extends LedgerPosition {
  readonly revision: number;
  readonly bytes: number;
}

/** Rows of a list; if they are too large to be read at once, only which ones they are. */
export type FoundRows<Row> =
  | { readonly isLarge: false; readonly rows: readonly Row[] }
  | { readonly isLarge: true; readonly rows: readonly SizedRow[] };

/**
 * Joins rows of up to a number of bytes, the last parameter of the statement, to their keys. Of a larger row
 * all columns are null.
 */
export function joinedIfSmall(keys: string): string {
  return `LEFT JOIN transactions t ON ${isRowOf(keys)}
      AND COALESCE(OCTET_LENGTH(t.rendered), ${UNSTORED_BYTES}) <= ?`;
}

/** A row that was joined so, or nothing but nulls. */
export type IfSmall<Row extends { readonly arrival: number }> =
  | Row
  | { readonly [Name in keyof Row]: null };

export function areSmall<Row extends { readonly arrival: number }>(
  rows: IfSmall<Row>[],
): rows is Row[] {
  return rows.every(({ arrival }) => arrival !== null);
}

/** The parameter with which all rows are joined. */
export const ANY_SIZE = Number.MAX_SAFE_INTEGER;

/** The parameter with which `count` rows are at most what is read at once. */
export function smallOf(count: number): number {
  return Math.floor(MAX_BYTES_TOGETHER / Math.max(count, 1));
}

/** Whether rows can be read at once. */
export function fitTogether(rows: readonly SizedRow[]): boolean {
  return rows.reduce((sum, { bytes }) => sum + bytes, 0) <= MAX_BYTES_TOGETHER;
}

/** Parts that fit into memory, each with at least one row. */
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
 * Reads rows part by part, in their order.
 * @param read gets the arrivals of a part, and may return its rows in any order
 * @throws Error if one is gone meanwhile
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
