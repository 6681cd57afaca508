import { itemsBefore, type PageRequest } from '../../../api/validation/paging.js';

/** Counts the transactions of a list that were sold on a day. */
export interface DayCount {
  readonly day: string;
  readonly count: number;
}

/**
 * Selects rows to read: it skips `skip` rows of the days `from` to `to`, newest first, and takes
 * `take`.
 */
export interface PageSlice {
  readonly from: string;
  readonly to: string;
  readonly skip: number;
  readonly take: number;
  /** Latest sale date of the rows; the end of `to` if it is absent. */
  readonly upTo?: string;
}

/**
 * Describes the position of a page in the list. The list has two disjoint parts: sales in the
 * range, then refunds in the range of sales before it. A refund is never before its sale, so the
 * second part is older throughout.
 */
export interface PagePlan {
  readonly total_count: number;
  readonly sold: PageSlice | null;
  readonly refunded: PageSlice | null;
}

/**
 * Contains the counts of both parts. `refunded` has the sale days of the second part; it may be
 * null if the page has no items of this part (see `hasRefunds`).
 */
interface PartCounts {
  readonly sold: readonly DayCount[];
  readonly refunds: number;
  readonly refunded: readonly DayCount[] | null;
}

/**
 * Finds the days that a page covers, so that the query starts there at any depth. The days of both
 * parts are sorted newest first.
 */
export function planPage({ sold, refunds, refunded }: PartCounts, page: PageRequest): PagePlan {
  const soldCount = sumOf(sold);
  const first = itemsBefore(page);
  const last = first + page.page_size;
  return {
    total_count: soldCount + refunds,
    sold: sliceOf(sold, first, last),
    refunded: sliceOf(refunded ?? [], Math.max(0, first - soldCount), last - soldCount),
  };
}

/** Returns true if the page has items of the second part of the list. */
export function hasRefunds(
  { sold, refunds }: Pick<PartCounts, 'sold' | 'refunds'>,
  page: PageRequest,
): boolean {
  const soldCount = sumOf(sold);
  const first = itemsBefore(page);
  const last = Math.min(first + page.page_size, soldCount + refunds);
  return Math.max(first, soldCount) < last;
}

/**
 * Returns the slice with the items from `first` (included) to `last` (excluded), or null if the
 * part has none of them.
 */
function sliceOf(days: readonly DayCount[], first: number, last: number): PageSlice | null {
  let slice: { from: string; to: string; skip: number; take: number } | null = null;
  let skipped = 0;
  for (const { day, count } of days) {
    const begin = Math.max(first, skipped);
    const end = Math.min(last, skipped + count);
    if (begin < end) {
      slice ??= { from: day, to: day, skip: begin - skipped, take: 0 };
      slice.from = day;
      slice.take += end - begin;
    }
    skipped += count;
    if (skipped >= last) break;
  }
  return slice;
}

function sumOf(days: readonly DayCount[]): number {
  return days.reduce((sum, { count }) => sum + count, 0);
}
