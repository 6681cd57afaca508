/** A random ledger whose list is read while imports change it. */
import { setImmediate as turn } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { expect } from '@jest/globals';
import fc from 'fast-check';
import { product, user } from '../builders/ledger-records.js';
import { lineOf, recordOf, sale, VendorIds, type Sale } from '../random/random-ledgers.js';
import { eachOf } from '../random/properties.js';
import type { TestService } from '../servers/service.js';
import { ListOracle, queryText, type ListQuery } from './list-oracle.js';

const CALENDAR = ['2024-02-28', '2024-02-29', '2024-03-01', '2024-03-02'];
/** The last range includes every transaction, whatever the writer changes. */
const RANGES = [
  { start_date: '2024-02-29', end_date: '2024-02-29' },
  { start_date: '2024-03-01', end_date: '2024-03-02' },
  { start_date: '2024-01-01', end_date: '2024-12-31' },
];

interface Put {
  readonly place: number;
  readonly sale: Sale;
}

const put: fc.Arbitrary<Put> = fc.record({ place: fc.nat({ max: 60 }), sale });
const READERS = 3;

export const writtenLedger = ledgerOf({
  first: { minLength: 20, maxLength: 30 },
  pages: { page_size: [1, 3, 10, 50, 200, 200], page_index: [0, 0, 1, 4] },
});

/**
 * A ledger whose days have more sales than a page skips in the order of the index, many of them in
 * the same second. Ranges share days, and their pages begin deep in them.
 */
export const busyLedger = ledgerOf({
  first: { minLength: 500, maxLength: 600 },
  pages: { page_size: [7, 10, 20], page_index: [0, 5, 8, 9, 12, 13, 20, 27] },
});

interface LedgerSize {
  readonly first: { readonly minLength: number; readonly maxLength: number };
  readonly pages: { readonly page_size: readonly number[]; readonly page_index: readonly number[] };
}

function ledgerOf({ first, pages }: LedgerSize) {
  return fc.record({
    first: fc.array(sale, { ...first, size: 'max' }),
    /** Sales of each import of the writer, and the affiliate's new display name, if any. */
    imports: fc.array(
      fc.record({
        puts: fc.array(put, { maxLength: 12, size: 'max' }),
        display_name: fc.option(fc.constantFrom(null, 'A', 'B'), { nil: undefined }),
      }),
      { minLength: 6, maxLength: 10, size: 'max' },
    ),
    /** Queries that the readers repeat until the writer has finished. */
    questions: fc.array(
      fc.record({
        range: fc.constantFrom(...RANGES),
        page_size: fc.constantFrom(...pages.page_size),
        page_index: fc.constantFrom(...pages.page_index),
      }),
      { minLength: 10, maxLength: 10 },
    ),
  });
}

export type WrittenLedger = typeof writtenLedger extends fc.Arbitrary<infer Value> ? Value : never;

/** Number of pages read, and of those read during a commit. */
export interface SeenBeside {
  requests: number;
  beside: number;
}

/** A vendor whose ledger is written by a series of imports. */
class Written {
  readonly ids: VendorIds;
  /** All states so far. Those after the first `committed` are being committed. */
  readonly states: ListOracle[] = [];
  committed = 0;
  isDone = false;
  key = '';

  constructor(
    readonly service: TestService,
    number: number,
    readonly seen: SeenBeside,
  ) {
    this.ids = new VendorIds(number);
  }

  async begin(lines: readonly object[], state: ListOracle): Promise<void> {
    this.states.push(state);
    if (lines.length > 0) await this.service.import(lines);
    this.committed = this.states.length;
  }

  get last(): ListOracle {
    return this.states.at(-1) ?? ListOracle.empty();
  }
}

async function write(
  vendor: Written,
  imports: readonly { puts: readonly Put[]; display_name: string | null | undefined }[],
): Promise<void> {
  const { ids } = vendor;
  for (const { puts, display_name } of imports) {
    const records = puts.map((one) => recordOf(ids, one.place, CALENDAR, one.sale));
    const state = vendor.last.withSales(records);
    const renamed =
      display_name === undefined ? state : state.withDisplayName(ids.affiliate, display_name);
    const rename = display_name === undefined ? [] : [user(ids.affiliate, { display_name })];
    // On SQLite, an import hardly waits for anything. This lets requests run in between.
    await turn();
    await vendor.begin([...rename, ...records.map(lineOf)], renamed);
  }
  vendor.isDone = true;
}

/**
 * Reads until the writer has finished, and expects each response to equal one state between request
 * and response.
 */
async function read(vendor: Written, queries: readonly ListQuery[]): Promise<void> {
  while (!vendor.isDone) {
    for (const query of queries) {
      const path = `/v3.0/transactions?${queryText(query)}`;
      const oldest = vendor.committed - 1;
      const body = await vendor.service.envelope(path, vendor.key);
      const possible = vendor.states.slice(oldest);
      vendor.seen.requests += 1;
      if (possible.length > 1) vendor.seen.beside += 1;
      if (possible.some((state) => isDeepStrictEqual(body, state.answer(query)))) continue;
      expect({ path, body }).toEqual({ path, body: vendor.last.answer(query) });
    }
  }
}

/** Imports the ledger, and reads its list while changes are imported. */
export async function readWhileWritten(
  service: TestService,
  number: number,
  { first, imports, questions }: WrittenLedger,
  seen: SeenBeside,
): Promise<void> {
  const vendor = new Written(service, number, seen);
  const { ids } = vendor;
  const records = first.map((sold, place) => recordOf(ids, place, CALENDAR, sold));
  const products = [0, 1].map((which) => product(ids.product(which), ids.vendor));
  await vendor.begin(
    [user(ids.vendor), user(ids.affiliate), ...products, ...records.map(lineOf)],
    ListOracle.empty().withSales(records).withDisplayName(ids.affiliate, null),
  );
  vendor.key = await service.key(ids.vendor);
  const queries = questions.map(({ range, ...page }) => ({ ...range, ...page }));
  const readers = Array.from({ length: READERS }, (_, index) => async () => {
    const from = index * 3;
    await read(vendor, [...queries.slice(from), ...queries.slice(0, from)]);
  });
  const writer = () => write(vendor, imports);
  await eachOf([writer, ...readers], 1 + READERS, (work) => work());
}
