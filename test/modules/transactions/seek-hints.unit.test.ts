import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { SeekHints, type PageSlice } from '../../../src/modules/transactions/list/page-plan.js';
import { numberOfDateTime } from '../../../src/platform/values/time.js';
import { holds } from '../../support/random/properties.js';

const DAY = '2025-06-01';
const SLICE: PageSlice = { from: DAY, to: DAY, skip: 0, take: 10 };

/**
 * There are few seconds and many sales, so that sales share seconds, and pages begin within one.
 */
const ledger = fc
  .array(fc.integer({ min: 0, max: 59 }), { minLength: 1, maxLength: 200 })
  .map((seconds) =>
    seconds
      .sort((left, right) => right - left)
      .map((second) => ({ sale_date: `${DAY} 12:00:${String(second).padStart(2, '0')}` })),
  );

/**
 * Returns the result of a query over the slice: sales no later than `upTo`, without the first
 * `skip`.
 */
function found(sales: readonly { sale_date: string }[], { upTo, skip }: PageSlice): number {
  const begin = sales.findIndex(({ sale_date }) => upTo === undefined || sale_date <= upTo);
  return begin + skip;
}

function soldAt(sales: readonly { sale_date: string }[]): number[] {
  return sales.map(({ sale_date }) => numberOfDateTime(sale_date));
}

describe('what pages teach of where items lie', () => {
  it('leads each later page to the same item, never by a longer way', async () => {
    await holds(
      fc.property(ledger, fc.array(fc.nat(250), { maxLength: 40 }), (sales, asked) => {
        const hints = new SeekHints();
        for (const first of asked.filter((item) => item < sales.length)) {
          const plan = { ...SLICE, skip: first };
          const slice = hints.nearer(plan, first);
          expect(found(sales, slice)).toBe(first);
          expect(slice.skip).toBeLessThanOrEqual(plan.skip);
          hints.note(first, soldAt(sales.slice(first, first + SLICE.take)));
        }
      }),
    );
  });

  it('lets a walk from page to page pass over less than a page', () => {
    const sales = Array.from({ length: 1_000 }, (_, index) => ({
      sale_date: `${DAY} ${new Date(86_399_000 - index * 60_000).toISOString().slice(11, 19)}`,
    }));
    const hints = new SeekHints();
    for (let first = 0; first < sales.length; first += SLICE.take) {
      const { skip } = hints.nearer({ ...SLICE, skip: first }, first);
      expect(skip).toBeLessThan(SLICE.take);
      hints.note(first, soldAt(sales.slice(first, first + SLICE.take)));
    }
  });

  it('never leads before the day where the slice begins', () => {
    const hints = new SeekHints();
    hints.note(0, soldAt([{ sale_date: `${DAY} 12:00:01` }, { sale_date: `${DAY} 12:00:00` }]));
    const slice = { from: '2025-05-30', to: '2025-05-31', skip: 2, take: 10 };
    expect(hints.nearer(slice, 7)).toEqual(slice);
  });
});
