import { setImmediate as turn } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { TransactionsService } from '../../../src/modules/transactions/list/transactions.service.js';
import { product, user } from '../../support/builders/ledger-records.js';
import { ListOracle, queryText, type ListQuery } from '../../support/oracles/list-oracle.js';
import { holds, seed } from '../../support/random/properties.js';
import {
  lineOf,
  recordOf,
  sale,
  VendorIds,
  type Sale,
} from '../../support/random/random-ledgers.js';
import { dialect } from '../../support/sql/test-database.js';
import { TestService } from '../../support/servers/service.js';

const CALENDAR = ['2024-02-28', '2024-02-29', '2024-03-01', '2024-03-02'];
const READERS = 3;
/** Of each setting. */
const RUNS = dialect === 'sqlite' ? 30 : 8;

/** The last holds every transaction, however the writer changes it. */
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
const ledger = fc.record({
  first: fc.array(sale, { minLength: 20, maxLength: 30 }),
  /** What each import call of the writer brings, and whether it renames the affiliate. */
  imports: fc.array(
    fc.record({
      puts: fc.array(put, { maxLength: 12, size: 'max' }),
      display_name: fc.option(fc.constantFrom(null, 'A', 'B'), { nil: undefined }),
    }),
    { minLength: 15, maxLength: 25, size: 'max' },
  ),
  /** What the readers ask for, again and again until the writer is done. */
  questions: fc.array(
    fc.record({
      range: fc.constantFrom(...RANGES),
      page_size: fc.constantFrom(1, 3, 10, 50, 200, 200),
      page_index: fc.constantFrom(0, 0, 1, 4),
    }),
    { minLength: 10, maxLength: 10 },
  ),
});

let service: TestService;
let vendors = 0;
const seen = { requests: 0, beside: 0 };
/** A vendor whose ledger is written by one import call after the other. */
class Written {
  readonly ids = new VendorIds(++vendors);
  /** Every state so far: the last `begun - committed` are being committed. */
  readonly states: ListOracle[] = [];
  committed = 0;
  isDone = false;
  key = '';

  async begin(lines: readonly object[], state: ListOracle): Promise<void> {
    this.states.push(state);
    if (lines.length > 0) await service.import(lines);
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
    // On SQLite an import hardly waits for anything; this lets requests in between.
    await turn();
    await vendor.begin([...rename, ...records.map(lineOf)], renamed);
  }
  vendor.isDone = true;
}

/** Each answer must be, as a whole, that of one state between the request and its answer. */
async function read(vendor: Written, queries: readonly ListQuery[]): Promise<void> {
  while (!vendor.isDone) {
    for (const query of queries) {
      const path = `/v3.0/transactions?${queryText(query)}`;
      const oldest = vendor.committed - 1;
      const body = await service.envelope(path, vendor.key);
      const possible = vendor.states.slice(oldest);
      seen.requests += 1;
      if (possible.length > 1) seen.beside += 1;
      if (possible.some((state) => isDeepStrictEqual(body, state.answer(query)))) continue;
      expect({ path, body }).toEqual({ path, body: vendor.last.answer(query) });
    }
  }
}

describe.each(['64', '0'])('with PAGE_CACHE_MB=%s', (PAGE_CACHE_MB) => {
  beforeAll(async () => {
    vendors = 0;
    Object.assign(seen, { requests: 0, beside: 0 });
    // A machine that is busy with other tests is slow, and that is not the question here.
    service = await TestService.start({ PAGE_CACHE_MB, DATABASE_STATEMENT_MS: '10000' });
  });
  afterAll(() => service.stop());

  it('answers each page from one state of the ledger while imports change it', async () => {
    await holds(
      fc.asyncProperty(ledger, async ({ first, imports, questions }) => {
        const vendor = new Written();
        const { ids } = vendor;
        const records = first.map((sold, place) => recordOf(ids, place, CALENDAR, sold));
        const products = [0, 1].map((which) => product(ids.product(which), ids.vendor));
        await vendor.begin(
          [user(ids.vendor), user(ids.affiliate), ...products, ...records.map(lineOf)],
          ListOracle.empty().withSales(records).withDisplayName(ids.affiliate, null),
        );
        vendor.key = await service.key(ids.vendor);
        const queries = questions.map(({ range, ...page }) => ({ ...range, ...page }));
        const readers = Array.from({ length: READERS }, (_, index) => {
          const from = index * 3;
          return read(vendor, [...queries.slice(from), ...queries.slice(0, from)]);
        });
        await Promise.all([write(vendor, imports), ...readers]);
      }),
      // oxlint-disable-next-line typescript/no-deprecated -- the types of its successor do not fit
      { numRuns: RUNS, interruptAfterTimeLimit: 60_000 },
    );
    process.stdout.write(
      `${dialect}, PAGE_CACHE_MB=${PAGE_CACHE_MB}: ${seen.requests} pages read beside ${vendors} writers, ${seen.beside} of them ` +
        `during a commit, FC_SEED=${seed}\n`,
    );
    expect(seen.beside).toBeGreaterThan(0);
    expect(await service.app.get(TransactionsService).differences()).toEqual([]);
  });
});
