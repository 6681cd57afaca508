/**
 * Lists with filters that no kept sum covers equal a filter over every transaction of the 3.0 list.
 */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  REPORT_KINDS,
  type ListRequest,
  type RowFilter,
} from '../../../src/modules/reports/lists/report-list.model.js';
import { QuerySlices } from '../../../src/modules/transactions/query/query-pages.js';
import { ReportListsService } from '../../../src/modules/reports/lists/report-lists.service.js';
import { product, user } from '../../support/builders/ledger-records.js';
import { holds, sampled } from '../../support/random/properties.js';
import { lineOf, recordOf, sale, VendorIds } from '../../support/random/random-ledgers.js';
import {
  figureOf,
  isBehind,
  walkList,
  type Days,
  type Listed,
} from '../../support/oracles/report-oracle.js';
import { TestService } from '../../support/servers/service.js';

const SALES = 300;
const REQUESTS = 30;
const CALENDAR = ['2025-05-30', '2025-05-31', '2025-06-01', '2025-06-04'];
const RANGES: readonly Days[] = [
  { start_date: '2025-05-31', end_date: '2025-06-01' },
  { start_date: '2025-01-01', end_date: '2025-12-31' },
];
const WORDS = {
  completed: 'settled',
  pending: 'pending',
  refunded: 'refunded',
  charged_back: 'chargeback',
} as const;
const ids = new VendorIds(1);

let service: TestService;
let lists: ReportListsService;
const walked = new Map<Days, readonly Listed[]>();

beforeAll(async () => {
  service = await TestService.start();
  lists = service.app.get(ReportListsService);
  const sales = sampled(sale, SALES);
  await service.import([
    user(ids.vendor),
    user(ids.affiliate),
    product(ids.product(0), ids.vendor),
    product(ids.product(1), ids.vendor),
    ...sales.map((sold, place) => lineOf(recordOf(ids, place, CALENDAR, sold))),
  ]);
  const key = await service.key(ids.vendor);
  for (const range of RANGES) walked.set(range, await walkList(service, key, range));
  // With these sizes a page has many slices, and ends before the list does.
  Object.assign(service.app.get(QuerySlices), { size: 25, most: 2, days: 2 });
});
afterAll(() => service.stop());

const centsOf = (one: Listed) => Number(one.amount.replace('.', ''));

function matches({ status, least_amount, most_amount, tracking = {} }: RowFilter) {
  return (one: Listed): boolean =>
    (status === undefined || one.status === WORDS[status]) &&
    (least_amount === undefined || centsOf(one) >= least_amount) &&
    (most_amount === undefined || centsOf(one) <= most_amount) &&
    (tracking.tid === undefined || one.tracking.tid === tracking.tid);
}

function expectedOf(request: ListRequest, range: Days): Listed[] {
  const isOfAffiliate = request.viewer.role === 'affiliate' || request.partner_id !== undefined;
  return (walked.get(range) ?? [])
    .filter(isBehind(request.kind, request.attribution, range))
    .filter(({ product_id }) => product_id === (request.product_id ?? product_id))
    .filter(({ affiliate }) => !isOfAffiliate || affiliate !== null)
    .filter(matches(request.rows ?? {}));
}

const money = fc.constantFrom(0, 1, -1, 10, 4_700, 100_000, -100_000);
const rows = fc
  .record(
    {
      status: fc.constantFrom('completed', 'pending', 'refunded', 'charged_back' as const),
      least_amount: money,
      most_amount: money,
      tracking: fc.record({
        tid: fc.constantFrom('a', 'A ', '%', '\\', 'Zoë 🙂', "O'Brien; --", 'none'),
      }),
    },
    { requiredKeys: [] },
  )
  .filter((filter) => Object.keys(filter).length > 0) as fc.Arbitrary<RowFilter>;
const requests = fc.record({
  range: fc.constantFrom(...RANGES),
  kind: fc.constantFrom(...REPORT_KINDS),
  attribution: fc.constantFrom('sale', 'refund' as const),
  role: fc.constantFrom('vendor', 'vendor', 'affiliate' as const),
  product_id: fc.option(fc.constantFrom(ids.product(0), ids.product(1)), { nil: undefined }),
  hasPartner: fc.boolean(),
  rows,
});

/** Returns all pages of a list from a cursor in one direction. */
async function pagesFrom(request: ListRequest, cursor: string | null, to: 'next' | 'previous') {
  const pages = [await lists.page(request, cursor)];
  for (let at = pages[0]?.[to] ?? null; at !== null; at = pages.at(-1)?.[to] ?? null) {
    pages.push(await lists.page(request, at));
  }
  return pages;
}

const idsOf = (pages: Awaited<ReturnType<typeof pagesFrom>>) =>
  pages.map(({ transactions }) => transactions.map(({ transaction_id }) => transaction_id));

describe('A filtered list', () => {
  it('has what matches in the whole list, page by page, forth and back', async () => {
    let stopped = 0;
    const runs = await holds(
      fc.asyncProperty(requests, async ({ range, role, hasPartner, product_id, ...asked }) => {
        const viewer = { role, user_id: role === 'vendor' ? ids.vendor : ids.affiliate };
        const partner_id = role === 'vendor' ? ids.affiliate : ids.vendor;
        const request: ListRequest = {
          ...asked,
          ...range,
          viewer,
          ...(product_id === undefined ? {} : { product_id }),
          ...(hasPartner ? { partner_id } : {}),
        };
        const found = expectedOf(request, range);
        const expected = found.map(({ transaction_id }) => transaction_id);
        const pages = await pagesFrom(request, null, 'next');
        expect(idsOf(pages).flat()).toEqual(expected);
        stopped += pages.filter(({ searched_to }) => searched_to !== null).length;
        expect(pages[0]?.previous).toBeNull();
        const [only] = pages;
        expect(only?.total_count).toBe(pages.length === 1 ? expected.length : null);
        const totalOf = (listed: readonly Listed[]) =>
          figureOf(only?.figure ?? '', listed, range, asked.attribution, role);
        expect(only?.total).toBe(pages.length === 1 ? totalOf(found) : null);
        expect(
          pages.flatMap(({ transactions }) => transactions.map((one) => one.in_period)),
        ).toEqual(found.map((one) => totalOf([one])));
        const back = await pagesFrom(request, pages.at(-1)?.previous ?? null, 'previous');
        if (pages.length > 1) {
          const last = idsOf(pages).at(-1) ?? [];
          expect(idsOf(back).reverse().flat().concat(last)).toEqual(expected);
        }
        const lines: string[] = [];
        for await (const chunk of lists.csv(request)) lines.push(chunk);
        const records = lines.join('').split('\r\n').slice(1, -1);
        expect(records.map((line) => line.split(',')[0])).toEqual(expected);
      }),
      { numRuns: REQUESTS },
    );
    expect(stopped).toBeGreaterThan(runs / 2);
  });
});
