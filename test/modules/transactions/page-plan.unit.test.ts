import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
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
        const plan = planPage(sold, refunded, { page_size, page_index });
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

  it('begins on the first day that the page touches, so that no earlier day is passed over', async () => {
    await holds(
      fc.property(counts, page, (sold, request) => {
        const { sold: stretch } = planPage(sold, [], request);
        const firstDay = sold.find(({ day }) => day === stretch?.to);
        expect(stretch === null || stretch.skip < (firstDay?.count ?? 0)).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });

  it('reads nothing of an empty list', () => {
    expect(planPage([], [], { page_size: 50, page_index: 0 })).toEqual({
      total_count: 0,
      sold: null,
      refunded: null,
    });
  });

  it('reads nothing past the end, at the last page index there is', () => {
    const sold = [{ day: '2025-06-01', count: 3 }];
    expect(planPage(sold, sold, { page_size: 200, page_index: 2_147_483_647 })).toEqual({
      total_count: 6,
      sold: null,
      refunded: null,
    });
  });
});
