import { itemsBefore, type PageRequest } from '../../../common/paging/paging.js';

/** How many transactions of a list were sold on a day. */
export interface DayCount {
  readonly day: string;
  readonly count: number;
}

/** Rows to read: of the days `from` to `to`, newest first, pass `skip` over and take `take`. */
export interface PageSlice {
  readonly from: string;
  readonly to: string;
  readonly skip: number;
  readonly take: number;
  /** Where it is known that the rows begin no later than this moment; otherwise the end of `to`. */
  readonly upTo?: string;
}

/**
 * Where a page of the list lies. The list has two parts that share nothing: what was sold in the
 * range, and after it what was refunded in the range but sold before it. A refund never lies before
 * its sale, so the second part is older throughout.
 */
export interface PagePlan {
  readonly total_count: number;
  readonly sold: PageSlice | null;
  readonly refunded: PageSlice | null;
}

/**
 * Finds the days that a page touches, so that a query starts there however deep the page lies.
 * @param sold the days of the first part, newest first
 * @param refunded the sale days of the second part, newest first
 */
export function planPage(
  sold: readonly DayCount[],
  refunded: readonly DayCount[],
  page: PageRequest,
): PagePlan {
  const soldCount = sumOf(sold);
  const first = itemsBefore(page);
  const last = first + page.page_size;
  return {
    total_count: soldCount + sumOf(refunded),
    sold: sliceOf(sold, first, last),
    refunded: sliceOf(refunded, Math.max(0, first - soldCount), last - soldCount),
  };
}

/** The items `first` (included) to `last` (excluded) of a part, or null where it has none of them. */
function sliceOf(days: readonly DayCount[], first: number, last: number): PageSlice | null {
  let slice: { from: string; to: string; skip: number; take: number } | null = null;
  let passed = 0;
  for (const { day, count } of days) {
    const begin = Math.max(first, passed);
    const end = Math.min(last, passed + count);
    if (begin < end) {
      slice ??= { from: day, to: day, skip: begin - passed, take: 0 };
      slice.from = day;
      slice.take += end - begin;
    }
    passed += count;
    if (passed >= last) break;
  }
  return slice;
}

function sumOf(days: readonly DayCount[]): number {
  return days.reduce((sum, { count }) => sum + count, 0);
}
