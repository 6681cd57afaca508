import { ApiError } from '../../../api/errors/api-error.js';
import { columnsWith } from '../../../ledger/columns.js';
import type {
  LedgerPosition,
  StoredTransaction,
  Transaction,
  TransactionStatus,
} from '../../../ledger/reads/transaction.model.js';
import { dayOf } from '../../../platform/values/time.js';
import type { Attribution, DayRange, Viewer } from '../report.model.js';
import type { SumPart, SumsCriteria } from '../sums/report-sums.model.js';

/**
 * Figures that have a list of transactions. `all` stands for the transactions of the API 3.0 list,
 * or for all sales.
 */
export const REPORT_KINDS = [
  'all',
  'sales',
  'pending',
  'refunds',
  'chargebacks',
] as const satisfies readonly ('all' | SumPart)[];
export type ReportKind = (typeof REPORT_KINDS)[number];

/** Conditions of a list that the kept sums do not cover. Each is optional. */
export interface RowFilter {
  readonly status?: TransactionStatus;
  /** In cents; both bounds are included. */
  readonly least_amount?: number;
  readonly most_amount?: number;
  /** Tracking id `tid`, compared byte for byte. */
  readonly tid?: string;
}

/**
 * A request for the transactions behind a figure, optionally of one product, and of one affiliate
 * or vendor.
 */
export interface ListRequest extends DayRange {
  readonly viewer: Viewer;
  readonly attribution: Attribution;
  readonly kind: ReportKind;
  readonly product_id?: number;
  /** One of the vendor's affiliates; for an affiliate, one of their vendors. */
  readonly partner_id?: number;
  readonly rows?: RowFilter;
}

/**
 * The transactions of a range. By sale, `all` covers those sold in the range; by refund, those sold
 * or refunded in it, as in the API 3.0 list.
 */
export type ReportCriteria = Required<SumsCriteria> & Required<Pick<ListRequest, 'kind' | 'rows'>>;

/** Selects the transactions after or before a position in a list, newest sale first. */
export interface ReportCursor {
  readonly direction: 'after' | 'before';
  readonly position: LedgerPosition;
}

export const AFFILIATE_LIST_COLUMNS = [
  'vendor_id',
  'arrival',
  ...columnsWith({ affiliate: true }),
] as const;

/** Columns of a page; a download has all columns. */
export const VENDOR_LIST_COLUMNS = [
  'vendor_id',
  'arrival',
  ...columnsWith({ page: true }),
] as const;

/** A transaction as its vendor sees it. Money is in cents. */
export type VendorTransaction = Pick<
  Transaction,
  (typeof VENDOR_LIST_COLUMNS)[number] | 'affiliate_name'
>;

/** A transaction as its affiliate may see it. Money is in cents. */
export interface AffiliateTransaction extends Pick<
  StoredTransaction,
  (typeof AFFILIATE_LIST_COLUMNS)[number]
> {
  readonly vendor_name: string;
  /** The affiliate's payout less the part that a refund took back. */
  readonly commission: number;
}

export interface ReportPage<Row> {
  readonly rows: readonly Row[];
  /** Null if there is no such page. */
  readonly next: ReportCursor | null;
  readonly previous: ReportCursor | null;
  /**
   * Position where a page ended early, because it reached the limit of transactions that are read;
   * otherwise null.
   */
  readonly stopped_at: LedgerPosition | null;
}

/** One page, newest sale first, with the cursors of the next and the previous page. */
export interface ListPage<Role, Row> {
  readonly role: Role;
  readonly transactions: readonly Row[];
  /**
   * Number of transactions on all pages; null if the kept sums do not have it and the first page is
   * not the only one.
   */
  readonly total_count: number | null;
  /**
   * Day on which the page ended early, so that more transactions beyond it may match; otherwise
   * null.
   */
  readonly searched_to: string | null;
  readonly next: string | null;
  readonly previous: string | null;
}
export type TransactionsPage =
  | ListPage<'vendor', VendorTransaction>
  | ListPage<'affiliate', AffiliateTransaction>;

/** Returns the part of a range that begins at the cursor's day, in the direction of the cursor. */
export function daysFromCursor(
  { start_date, end_date }: DayRange,
  cursor: ReportCursor | null,
): DayRange {
  if (cursor === null) return { start_date, end_date };
  const day = dayOf(cursor.position.sale_date);
  return cursor.direction === 'after'
    ? { start_date, end_date: day < end_date ? day : end_date }
    : { start_date: day > start_date ? day : start_date, end_date };
}

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
