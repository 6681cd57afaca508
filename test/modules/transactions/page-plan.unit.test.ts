import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  hasRefunds,
  planPage,
  type DayCount,
  type PageSlice,
} from '../../../src/modules/transactions/list/page-plan.js';
import { holds } from '../../support/random/properties.js';

/** Days with their counts, newest first, in the form of the kept counts. */
const counts = fc
  .uniqueArray(
    fc.record({ day: fc.integer({ min: 10, max: 28 }), count: fc.integer({ min: 1, max: 9 }) }),
    { selector: ({ day }) => day, maxLength: 12 },
  )
  .map((days) =>
    days
      .sort((left, right) => right.day - left.day)
      .map(({ day, count }): DayCount => ({ day: `2025-06-${day}`, count })),
  );
const page = fc.record({
  page_size: fc.integer({ min: 1, max: 20 }),
  page_index: fc.nat({ max: 12 }),
});

/** Returns one name for each item of a part: its day and its place on that day. */
function itemsOf(days: readonly DayCount[], part: string): string[] {
  return days.flatMap(({ day, count }) =>
    Array.from({ length: count }, (_, index) => `${part} ${day} ${index}`),
  );
}

/** Returns the counts of both parts, with the days of the refunds only if the page needs them. */
function countsFor(
  sold: readonly DayCount[],
  refunded: readonly DayCount[],
  request: { readonly page_size: number; readonly page_index: number },
) {
  const refunds = itemsOf(refunded, 'refunded').length;
  return { sold, refunds, refunded: hasRefunds({ sold, refunds }, request) ? refunded : null };
}

/** Returns the result of a query for the stretch. */
function readBy(stretch: PageSlice | null, days: readonly DayCount[], part: string): string[] {
  if (stretch === null) return [];
  const within = days.filter(({ day }) => day >= stretch.from && day <= stretch.to);
  return itemsOf(within, part).slice(stretch.skip, stretch.skip + stretch.take);
}

describe('planPage', () => {
  it('plans to read what a slice of the whole list holds', async () => {
    await holds(
      fc.property(counts, counts, page, (sold, refunded, { page_size, page_index }) => {
        const request = { page_size, page_index };
        const plan = planPage(countsFor(sold, refunded, request), request);
        const first = page_index * page_size;
        const all = [...itemsOf(sold, 'sold'), ...itemsOf(refunded, 'refunded')];
        expect([
          ...readBy(plan.sold, sold, 'sold'),
          ...readBy(plan.refunded, refunded, 'refunded'),
        ]).toEqual(all.slice(first, first + page_size));
        expect(plan.total_count).toBe(all.length);
      }),
      { numRuns: 5_000 },
    );
  });

  it('needs the days of the refunds only for a page that has refunds', async () => {
    await holds(
      fc.property(counts, counts, page, (sold, refunded, request) => {
        const { refunds } = countsFor(sold, refunded, request);
        const { refunded: slice } = planPage({ sold, refunds, refunded }, request);
        expect(hasRefunds({ sold, refunds }, request)).toBe(slice !== null);
      }),
      { numRuns: 1_000 },
    );
  });

  it('begins on the first day that the page touches, so that no earlier day is passed over', async () => {
    await holds(
      fc.property(counts, page, (sold, request) => {
        const { sold: stretch } = planPage({ sold, refunds: 0, refunded: null }, request);
        const firstDay = sold.find(({ day }) => day === stretch?.to);
        expect(stretch === null || stretch.skip < (firstDay?.count ?? 0)).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });

  it('reads nothing of an empty list', () => {
    const none = { sold: [], refunds: 0, refunded: null };
    expect(planPage(none, { page_size: 50, page_index: 0 })).toEqual({
      total_count: 0,
      sold: null,
      refunded: null,
    });
  });

  it('reads nothing past the end, at the last page index there is', () => {
    const sold = [{ day: '2025-06-01', count: 3 }];
    const request = { page_size: 200, page_index: 2_147_483_647 };
    expect(planPage(countsFor(sold, sold, request), request)).toEqual({
      total_count: 6,
      sold: null,
      refunded: null,
    });
  });
});
