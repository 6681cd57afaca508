import { ApiError } from '../../../api/errors/api-error.js';
import type { LedgerPosition } from '../../../ledger/reads/transaction.model.js';
import type { ReportCursor, ReportPage } from './report-list.model.js';

/** Largest number in a cursor. */
export const MAX_IN_CURSOR = 10 ** 15 - 1;
const CURSOR = /^(after|before)-(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}:\d{2})-(\d{1,15})-(\d{1,15})$/;

/**
 * Formats a cursor as text for a URL, with the vendor before the arrival:
 * `after-2025-06-01T18:03:11-7-48213`.
 */
export function formatCursor({ direction, position }: ReportCursor): string {
  const { sale_date, vendor_id, arrival } = position;
  return `${direction}-${sale_date.replace(' ', 'T')}-${vendor_id}-${arrival}`;
}

/** @throws ApiError invalid_parameters if the text is not a cursor */
export function parseCursor(text: string): ReportCursor {
  const [, direction, day, time, vendor_id, arrival] = CURSOR.exec(text) ?? [];
  if (direction === undefined) {
    throw new ApiError('invalid_parameters', 'Invalid page link.');
  }
  return {
    direction: direction === 'after' ? 'after' : 'before',
    position: {
      sale_date: `${day ?? ''} ${time ?? ''}`,
      vendor_id: Number(vendor_id),
      arrival: Number(arrival),
    },
  };
}

/**
 * Returns a page of the rows after or before a cursor, with the cursors of its next and previous
 * page.
 * @param found newest first, with one row more than the page holds if there is another page
 * @param stopped_at the position where the search ended early, or null if it found all that the
 * page can hold
 */
export function pageOf<Row extends LedgerPosition>(
  found: readonly Row[],
  cursor: ReportCursor | null,
  size: number,
  stopped_at: LedgerPosition | null = null,
): ReportPage<Row> {
  const isBackwards = cursor?.direction === 'before';
  const rows = isBackwards ? found.slice(-size) : found.slice(0, size);
  const hasMore = found.length > size;
  const [newest, oldest] = [rows[0], rows.at(-1)];
  const [first, last] = isBackwards ? [oldest, newest] : [newest, oldest];
  const onwards = hasMore ? (last ?? null) : stopped_at;
  const direction = isBackwards ? 'before' : 'after';
  const forth = onwards === null ? null : cursorFrom(onwards, direction);
  const back = cursor === null ? null : backFrom(cursor, first);
  return {
    rows,
    ...(isBackwards ? { next: back, previous: forth } : { next: forth, previous: back }),
    stopped_at: hasMore ? null : stopped_at,
  };
}

/**
 * Returns the cursor back to the preceding page in reading direction: from the first row, or from
 * the given cursor if there are no rows.
 */
function backFrom(
  { direction, position }: ReportCursor,
  first: LedgerPosition | undefined,
): ReportCursor {
  const other = direction === 'after' ? 'before' : 'after';
  if (first !== undefined) return cursorFrom(first, other);
  // A cursor excludes its own row, which the preceding page may contain.
  const beside = position.arrival + (other === 'before' ? -1 : 1);
  return {
    direction: other,
    position: { ...position, arrival: Math.min(Math.max(0, beside), MAX_IN_CURSOR) },
  };
}

function cursorFrom(
  { sale_date, vendor_id, arrival }: LedgerPosition,
  direction: ReportCursor['direction'],
): ReportCursor {
  return { direction, position: { sale_date, vendor_id, arrival } };
}
