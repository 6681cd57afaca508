import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { planPage, type PageSlice } from '../../../src/modules/transactions/list/page-plan.js';
import { SeekHints } from '../../../src/modules/transactions/list/seek-hints.js';
import { numberOfDateTime } from '../../../src/platform/values/time.js';
import { holds } from '../../support/random/properties.js';

const DAYS = ['2025-06-03', '2025-06-02', '2025-06-01'];
const TAKE = 10;

interface Sale {
  readonly day: string;
  readonly sale_date: string;
}

/**
 * There are few times and many sales, so that sales share seconds, and pages begin within one. The
 * times are in several hours and in several parts of ten minutes.
 */
const TIMES = ['00:00:00', '00:00:09', '00:09:59', '00:10:00', '09:59:59', '10:00:00', '23:59:59'];
const ledger = fc
  .array(fc.record({ day: fc.constantFrom(...DAYS), time: fc.constantFrom(...TIMES) }), {
    minLength: 1,
    maxLength: 200,
    size: 'max',
  })
  .map((sales) =>
    newestFirst(sales.map(({ day, time }) => ({ day, sale_date: `${day} ${time}` }))),
  );

function newestFirst(sales: readonly Sale[]): Sale[] {
  return sales.toSorted((left, right) => (left.sale_date < right.sale_date ? 1 : -1));
}

function salesOn(sales: readonly Sale[], day: string): readonly Sale[] {
  return sales.filter((sale) => sale.day === day);
}

/** Returns the slice of a page of all days. */
function sliceAt(sales: readonly Sale[], page_index: number): PageSlice {
  const sold = DAYS.map((day) => ({ day, count: salesOn(sales, day).length }));
  const plan = planPage({ sold, refunds: 0, refunded: null }, { page_size: TAKE, page_index });
  if (plan.sold === null) throw new Error('there is no such page');
  return plan.sold;
}

/**
 * Returns the first item of a query over the slice: sales no later than `upTo`, without the first
 * `skip`.
 */
function firstOf(sales: readonly Sale[], { to, upTo, skip }: PageSlice): number {
  return sales.findIndex(({ sale_date }) => sale_date <= (upTo ?? `${to} 23:59:59`)) + skip;
}

function soldAt(sales: readonly Sale[]): number[] {
  return sales.map(({ sale_date }) => numberOfDateTime(sale_date));
}

function timesOf(sales: readonly Sale[], day: string) {
  const times = salesOn(sales, day).map(({ sale_date }) => sale_date.slice(11, 15));
  return [...new Set(times)].map((time) => ({
    time,
    count: times.filter((each) => each === time).length,
  }));
}

describe('the positions that pages reveal', () => {
  it('lead each later page to the same item, and skip no more rows', async () => {
    const step = fc.record({ page: fc.nat(20), readsDay: fc.boolean() });
    await holds(
      fc.property(ledger, fc.array(step, { maxLength: 40, size: 'max' }), (sales, steps) => {
        const hints = new SeekHints();
        for (const { page, readsDay } of steps.filter((each) => each.page * TAKE < sales.length)) {
          const first = page * TAKE;
          const slice = sliceAt(sales, page);
          if (readsDay && hints.isWorthReading(slice.to)) {
            hints.noteDay(slice.to, timesOf(sales, slice.to));
            expect(hints.isWorthReading(slice.to)).toBe(false);
          }
          const nearer = hints.nearer(slice);
          expect(firstOf(sales, nearer)).toBe(first);
          expect(nearer.skip).toBeLessThanOrEqual(slice.skip);
          hints.noteRows(slice, soldAt(sales.slice(first, first + TAKE)));
        }
      }),
    );
  });

  const busyDay = newestFirst(
    Array.from({ length: 1_000 }, (_, index) => ({
      day: DAYS[0] ?? '',
      sale_date: `${DAYS[0]} ${new Date(86_399_000 - index * 60_000).toISOString().slice(11, 19)}`,
    })),
  );

  it('let a walk from page to page skip less than a page', () => {
    const hints = new SeekHints();
    for (let page = 0; page * TAKE < busyDay.length; page += 1) {
      const slice = sliceAt(busyDay, page);
      expect(hints.nearer(slice).skip).toBeLessThan(TAKE);
      hints.noteRows(slice, soldAt(busyDay.slice(page * TAKE, (page + 1) * TAKE)));
    }
  });

  it('serve all pages of a day that was read as a whole', () => {
    const hints = new SeekHints();
    hints.noteDay(DAYS[0] ?? '', timesOf(busyDay, DAYS[0] ?? ''));
    for (let page = 0; page * TAKE < busyDay.length; page += 1) {
      expect(hints.nearer(sliceAt(busyDay, page)).skip).toBeLessThan(20);
    }
  });

  it('use a bounded number of days', () => {
    const hints = new SeekHints();
    const dayOf = (index: number) => new Date(Date.UTC(1990, 0, index)).toISOString().slice(0, 10);
    for (let index = 0; index < 20_000; index += 1) {
      const slice = { from: dayOf(index), to: dayOf(index), skip: 0, take: 1 };
      hints.noteRows(slice, [numberOfDateTime(`${dayOf(index)} 12:00:00`)]);
    }
    const { bytes } = hints;
    hints.noteDay(dayOf(30_000), timesOf(busyDay, DAYS[0] ?? ''));
    expect(hints.bytes).toBe(bytes);
    expect(hints.isWorthReading(dayOf(30_000))).toBe(false);
  });
});
