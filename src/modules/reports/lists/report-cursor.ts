import { ApiError } from '../../../common/errors/api-error.js';
import type { LedgerPosition } from '../../transactions/transaction.model.js';
import type { ReportCursor, ReportPage } from './report-list.model.js';

const CURSOR = /^(after|before)-(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}:\d{2})-(\d{1,15})-(\d{1,15})$/;

/** A cursor as text for a URL: `after-2025-06-01T18:03:11-7-48213`, the vendor before the arrival. */
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
 * A page of the rows after or before a cursor, with the cursors of its next and previous page.
 * @param found newest first, with one row more than the page holds if there is another page
 */
export function pageOf<Row extends LedgerPosition>(
  found: readonly Row[],
  cursor: ReportCursor | null,
  size: number,
): ReportPage<Row> {
  const isBackwards = cursor?.direction === 'before';
  const rows = isBackwards ? found.slice(-size) : found.slice(0, size);
  const hasMore = found.length > size;
  const [first, last] = [rows[0], rows.at(-1)];
  const hasNext = isBackwards || hasMore;
  const hasPrevious = isBackwards ? hasMore : cursor !== null;
  return {
    rows,
    next: last !== undefined && hasNext ? cursorFrom(last, 'after') : null,
    previous: first !== undefined && hasPrevious ? cursorFrom(first, 'before') : null,
  };
}

function cursorFrom(
  { sale_date, vendor_id, arrival }: LedgerPosition,
  direction: ReportCursor['direction'],
): ReportCursor {
  return { direction, position: { sale_date, vendor_id, arrival } };
}
