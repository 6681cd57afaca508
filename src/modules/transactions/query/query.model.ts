import type { COMMISSION_STATUSES, TRACKING_FIELDS } from '../../../ledger/columns.js';
import type { LedgerPosition, TransactionStatus } from '../../../ledger/reads/transaction.model.js';
import { dayOf } from '../../../platform/values/time.js';

/** A user whose sales are shown, as a vendor or as an affiliate. */
export interface Viewer {
  readonly role: 'vendor' | 'affiliate';
  readonly user_id: number;
}

/** A range of whole UTC days; both ends are included. */
export interface DayRange {
  readonly start_date: string;
  readonly end_date: string;
}

/**
 * Dates that can place a transaction in a range: the sale date, the refund date, or either, as in
 * the list of API 3.0. A refund or chargeback without a refund date has the date of its sale.
 */
export const QUERY_DATES = ['either', 'sale', 'refund'] as const;
export type QueryDate = (typeof QUERY_DATES)[number];

export type CommissionStatus = (typeof COMMISSION_STATUSES)[number];
export type TrackingField = (typeof TRACKING_FIELDS)[number];

/** Conditions on transactions. Each is optional, and a transaction has to meet all of them. */
export interface TransactionFilter {
  readonly statuses?: readonly TransactionStatus[];
  /** True for refunds as the reports count them, false for all other transactions. */
  readonly refunded?: boolean;
  readonly product_ids?: readonly number[];
  readonly affiliate_ids?: readonly number[];
  /** Selects one vendor of an affiliate. */
  readonly vendor_id?: number;
  /** E-mail address of the customer. The case of the letters A to Z does not matter. */
  readonly email?: string;
  readonly pre_key?: string;
  /** Selects sales of affiliates whose commission has one of these statuses. */
  readonly commission_statuses?: readonly CommissionStatus[];
  /** In cents; both bounds are included. */
  readonly least_amount?: number;
  readonly most_amount?: number;
  /** Values of tracking fields, compared byte for byte. */
  readonly tracking?: Readonly<Partial<Record<TrackingField, string>>>;
}

/** Returns a filter without the fields that are undefined. */
export function filterOf(fields: {
  readonly [Name in keyof TransactionFilter]: TransactionFilter[Name] | undefined;
}): TransactionFilter {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** Selects the transactions of a range of days that meet a filter. */
export interface TransactionsQuery extends DayRange {
  readonly viewer: Viewer;
  readonly date: QueryDate;
  readonly filter: TransactionFilter;
}

/** Selects the transactions after or before a position in a list, newest sale first. */
export interface QueryCursor {
  readonly direction: 'after' | 'before';
  readonly position: LedgerPosition;
}

export interface QueryPage<Row> {
  /** Newest sale first. */
  readonly rows: readonly Row[];
  /** Null if there is no such page. */
  readonly next: QueryCursor | null;
  readonly previous: QueryCursor | null;
  /**
   * Position where a page ended early, because it reached the limit of transactions that are read;
   * otherwise null.
   */
  readonly stopped_at: LedgerPosition | null;
}

/** Returns the part of a range that begins at the cursor's day, in the direction of the cursor. */
export function daysFromCursor(
  { start_date, end_date }: DayRange,
  cursor: QueryCursor | null,
): DayRange {
  if (cursor === null) return { start_date, end_date };
  const day = dayOf(cursor.position.sale_date);
  return cursor.direction === 'after'
    ? { start_date, end_date: day < end_date ? day : end_date }
    : { start_date: day > start_date ? day : start_date, end_date };
}

/** Largest number in a cursor. */
export const MAX_IN_CURSOR = 10 ** 15 - 1;

/**
 * Returns a page of the rows after or before a cursor, with the cursors of its next and previous
 * page.
 * @param found newest first, with one row more than the page holds if there is another page
 * @param stopped_at the position where the search ended early, or null if it found all that the
 * page can hold
 */
export function pageOf<Row extends LedgerPosition>(
  found: readonly Row[],
  cursor: QueryCursor | null,
  size: number,
  stopped_at: LedgerPosition | null = null,
): QueryPage<Row> {
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
  { direction, position }: QueryCursor,
  first: LedgerPosition | undefined,
): QueryCursor {
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
  direction: QueryCursor['direction'],
): QueryCursor {
  return { direction, position: { sale_date, vendor_id, arrival } };
}
