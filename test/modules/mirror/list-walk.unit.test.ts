/**
 * Reads a list that changes: whatever is added or removed between two pages, no remaining item is
 * lost.
 */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  listedSale,
  ListWalk,
  pageHolding,
  readPage,
  type ListedSale,
  type ListPage,
  type PagePlace,
} from '../../../src/modules/mirror/client/list-page.js';
import { tiesOf } from '../../../src/modules/mirror/runs/list-range.service.js';
import { holds } from '../../support/random/properties.js';

const saleOf = (name: string): ListedSale => ({
  name,
  sale_date: '2025-06-01 00:00:00',
  sale: { transaction_id: name },
});

/** A list that changes after each page, as long as there are changes. */
class MovingList {
  readonly taken = new Map<string, number>();
  pages = 0;

  constructor(
    private names: string[],
    private readonly moves: ((names: string[]) => string[])[],
  ) {}

  get now(): readonly string[] {
    return this.names;
  }

  atRest(): MovingList {
    return new MovingList(this.names, []);
  }

  page({ size, index }: PagePlace): Promise<ListPage> {
    this.pages += 1;
    const shown = this.names.slice(size * index, size * (index + 1));
    const page = { total: this.names.length, sales: shown.map(saleOf) };
    this.names = this.moves.shift()?.(this.names) ?? this.names;
    return Promise.resolve(page);
  }

  take(sales: readonly ListedSale[]): Promise<void> {
    for (const { name } of sales) this.taken.set(name, (this.taken.get(name) ?? 0) + 1);
    return Promise.resolve();
  }
}

const names = (count: number) => Array.from({ length: count }, (_, index) => `s${index}`);
const walk = (list: MovingList) => new ListWalk(list).walk();

describe('a list at rest', () => {
  it.each([0, 1, 199, 200, 201, 399, 400, 1_000, 12_345])(
    'of %i sales is read once',
    async (count) => {
      const list = new MovingList(names(count), []);
      const { sales, isSettled } = await walk(list);
      expect(isSettled).toBe(true);
      expect(sales.map(({ name }) => name)).toEqual(names(count));
      expect([...list.taken.values()].every((times) => times === 1)).toBe(true);
      // The overlap costs less than a tenth of the pages, and the first page is read again at the
      // end.
      expect(list.pages).toBeLessThanOrEqual(Math.ceil((count / 200) * 1.1) + 2);
    },
  );
});

describe('a list that moves', () => {
  it('is read back where sales went, and again from the front where sales came', async () => {
    const list = new MovingList(names(1_000), [
      (before) => before.slice(150),
      (before) => ['new', ...before],
      (before) => [...before.slice(0, 300), 'middle', ...before.slice(300)],
    ]);
    const { sales, isSettled } = await walk(list);
    expect(isSettled).toBe(true);
    expect(sales.map(({ name }) => name)).toEqual(list.now);
    for (const name of list.now) expect(list.taken.has(name)).toBe(true);
  });

  it('loses no sale that stays, whatever comes and goes; at rest it is read as it is', async () => {
    const move = fc.record({ at: fc.nat(1_200), count: fc.nat(250), goes: fc.boolean() });
    const property = fc.asyncProperty(
      fc.integer({ min: 0, max: 1_200 }),
      fc.array(move, { maxLength: 12 }),
      async (count, changes) => {
        let added = 0;
        const moves = changes.map(({ at, count: many, goes }) => (before: string[]) => {
          const fresh = goes ? [] : Array.from({ length: many }, () => `n${(added += 1)}`);
          const place = at % (before.length + 1);
          return [...before.slice(0, place), ...fresh, ...before.slice(place + (goes ? many : 0))];
        });
        const list = new MovingList(names(count), moves);
        await walk(list);
        const stayed = names(count).filter((name) => list.now.includes(name));
        expect(stayed.filter((name) => !list.taken.has(name))).toEqual([]);
        const after = await walk(list.atRest());
        expect(after.sales.map(({ name }) => name)).toEqual(list.now);
      },
    );
    await holds(property, { numRuns: 300 });
  });

  it('that never rests is told as such, after some passes', async () => {
    let next = 0;
    const grow = (before: string[]) => {
      next += 1;
      return [...before.slice(0, 500), `g${next}`, ...before.slice(500)];
    };
    const list = new MovingList(
      names(1_000),
      Array.from({ length: 200 }, () => grow),
    );
    expect((await walk(list)).isSettled).toBe(false);
    for (const name of names(1_000)) expect(list.taken.has(name)).toBe(true);
    expect(list.pages).toBeLessThan(60);
  });
});

describe('a list that is wrong', () => {
  it('counts more than its pages have, where they repeat', async () => {
    const list = new MovingList(names(600), []);
    const repeating = {
      take: (sales: readonly ListedSale[]) => list.take(sales),
      page: async ({ size }: PagePlace) => list.page({ size, index: 0 }),
    };
    const { sales, isSettled, total } = await new ListWalk(repeating).walk();
    expect([isSettled, total]).toEqual([false, 600]);
    expect(sales.length).toBeLessThan(600);
  });

  it('has more sales than memory is to hold', async () => {
    const page = ({ size, index }: PagePlace) => {
      const sales = Array.from({ length: size }, (_, place) => saleOf(`s${size * index + place}`));
      return Promise.resolve({ total: Number.MAX_SAFE_INTEGER, sales });
    };
    const endless = { page, take: () => Promise.resolve() };
    await expect(new ListWalk(endless).walk()).rejects.toThrow('has more than 200000 sales');
  });

  it('has sales that are alike and without id, which stop nothing, in any form of its numbers', () => {
    const pagination = { page_size: '200', page_index: '0', has_more: false };
    const results = [null, {}, null, 7, null, { transaction_id: 7 }];
    const meta = { pagination, total_count: '6' };
    const { sales, total } = readPage({ meta, results }, { size: 200, index: 0 });
    expect(total).toBe(6);
    expect(new Set(sales.map(({ name }) => name)).size).toBe(6);
    expect(sales[5]?.name).toBe('7');
  });

  it('has names of its own length in memory, whatever a sale is called', () => {
    const long = 'x'.repeat(1_000_000);
    for (const result of [{ transaction_id: long }, { note: long }, [long], long, null]) {
      expect(listedSale(result).name.length).toBeLessThanOrEqual(64);
    }
    expect(listedSale({ transaction_id: 'T-1' }).name).toBe('T-1');
    expect(listedSale({ note: 'a' }).name).not.toBe(listedSale({ note: 'b' }).name);
  });
});

describe('the page that holds a place', () => {
  it('begins at it or before, and brings nearly a whole page after it', () => {
    const places = Array.from({ length: 5_000 }, (_, index) => index * 7);
    const gains = places.map((place) => {
      const { size, index } = pageHolding(place);
      expect(size * index <= place && size <= 200).toBe(true);
      return size * (index + 1) - place;
    });
    expect(Math.min(...gains)).toBeGreaterThanOrEqual(100);
    expect(gains.reduce((sum, gain) => sum + gain, 0) / gains.length).toBeGreaterThan(185);
  });
});

describe('sales of one second', () => {
  const at = (name: string, sale_date: string | null): ListedSale => ({
    name,
    sale_date,
    sale: {},
  });

  it('are grouped oldest first, whichever way the list runs', () => {
    const newestFirst = [at('c', '2'), at('b', '1'), at('a', '1')];
    expect(tiesOf(newestFirst)).toEqual([['a', 'b']]);
    expect(tiesOf(newestFirst.toReversed())).toEqual([['a', 'b']]);
    expect(tiesOf([at('x', null), at('y', null), at('z', '1')])).toEqual([]);
  });
});
