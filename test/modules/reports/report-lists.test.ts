/** The transactions behind the sums of a report: pages in both directions, and CSV. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ReportListsService } from '../../../src/modules/reports/lists/report-lists.service.js';
import {
  FIGURES_OF_ALL,
  REPORT_KINDS,
  type ListRequest,
} from '../../../src/modules/reports/lists/report-list.model.js';
import { product, user } from '../../support/builders/ledger-records.js';
import { rowsOfCsv } from '../../support/oracles/csv.js';
import { sampled } from '../../support/random/properties.js';
import { lineOf, recordOf, sale, VendorIds } from '../../support/random/random-ledgers.js';
import {
  figureOf,
  isBehind,
  walkList,
  type Days,
  type Listed,
} from '../../support/oracles/report-oracle.js';
import { TestService } from '../../support/servers/service.js';

const SALES = 260;
const CALENDAR = ['2025-05-30', '2025-05-31', '2025-06-01', '2025-06-04'];
const RANGES: readonly Days[] = [
  { start_date: '2025-05-31', end_date: '2025-06-01' },
  { start_date: '2025-01-01', end_date: '2025-12-31' },
  { start_date: '2025-06-02', end_date: '2025-06-04' },
];
const ids = new VendorIds(1);
const VENDOR = { role: 'vendor', user_id: ids.vendor } as const;
const AFFILIATE = { role: 'affiliate', user_id: ids.affiliate } as const;

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
});
afterAll(() => service.stop());

async function allPages(request: ListRequest) {
  const first = await lists.page(request, null);
  expect(first.previous).toBeNull();
  const pages = [first];
  for (let { next } = first; next !== null; next = pages.at(-1)?.next ?? null) {
    const page = await lists.page(request, next);
    expect(page.previous).not.toBeNull();
    pages.push(page);
  }
  return {
    pages: pages.map(({ transactions }) => transactions.map((one) => one.transaction_id)),
    totals: [...new Set(pages.map(({ total_count }) => total_count))],
    figures: [...new Set(pages.map(({ figure, total }) => `${figure} ${String(total)}`))],
    inPeriod: pages.flatMap(({ transactions }) => transactions.map((one) => one.in_period)),
    last: pages.at(-1)?.previous ?? null,
  };
}

async function backFrom(request: ListRequest, cursor: string | null): Promise<string[][]> {
  const pages: string[][] = [];
  while (cursor !== null) {
    const page = await lists.page(request, cursor);
    pages.unshift(page.transactions.map(({ transaction_id }) => transaction_id));
    cursor = page.previous;
  }
  return pages;
}

const FILTERS = [
  {},
  { product_id: ids.product(1) },
  { partner_id: ids.affiliate },
  { product_id: ids.product(0), partner_id: ids.affiliate },
];
/** Figure of each list. */
const FIGURES = {
  all: 'seller_earnings',
  sales: 'gross',
  pending: 'pending_amount',
  refunds: 'refunded',
  chargebacks: 'charged_back',
} as const;
const CASES = REPORT_KINDS.flatMap((kind) =>
  (['sale', 'refund'] as const).map((attribution) => ({ kind, attribution })),
);

describe.each(CASES)(
  'The list of $kind by the day of the $attribution',
  ({ kind, attribution }) => {
    it.each(FILTERS)('is that part of the 3.0 list, of a vendor with %j', async (filter) => {
      for (const range of RANGES) {
        const request = { viewer: VENDOR, ...range, attribution, kind, ...filter };
        const rows = (walked.get(range) ?? [])
          .filter(isBehind(kind, attribution, range))
          .filter(({ product_id }) => product_id === (filter.product_id ?? product_id))
          .filter(({ affiliate }) => filter.partner_id === undefined || affiliate !== null);
        const expected = rows.map(({ transaction_id }) => transaction_id);
        const { pages, totals, last, ...sums } = await allPages(request);
        expect(pages.flat()).toEqual(expected);
        const totalOf = (listed: readonly Listed[]) =>
          figureOf(FIGURES[kind], listed, range, attribution);
        expect(sums.inPeriod).toEqual(rows.map((row) => totalOf([row])));
        expect(sums.figures).toEqual([`${FIGURES[kind]} ${totalOf(rows)}`]);
        const isUnknown =
          kind === 'all' && attribution === 'refund' && Object.keys(filter).length > 0;
        expect(totals).toEqual([isUnknown && pages.length > 1 ? null : expected.length]);
        expect(await backFrom(request, last)).toEqual(pages.slice(0, -1));
      }
    });

    it('is that part of what the affiliate made', async () => {
      for (const range of RANGES) {
        const request = { viewer: AFFILIATE, ...range, attribution, kind, partner_id: ids.vendor };
        const rows = (walked.get(range) ?? [])
          .filter(isBehind(kind, attribution, range))
          .filter(({ affiliate }) => affiliate !== null);
        const { pages, inPeriod, figures } = await allPages(request);
        expect(pages.flat()).toEqual(rows.map(({ transaction_id }) => transaction_id));
        const figure = kind === 'all' ? 'affiliate_commissions' : FIGURES[kind];
        const totalOf = (listed: readonly Listed[]) =>
          figureOf(figure, listed, range, attribution, 'affiliate');
        expect(inPeriod).toEqual(rows.map((row) => totalOf([row])));
        expect(figures).toEqual([`${figure} ${totalOf(rows)}`]);
        expect((await allPages({ ...request, partner_id: 99 })).pages).toEqual([[]]);
      }
    });
  },
);

describe.each(FIGURES_OF_ALL.vendor)('The list of all transactions behind %s', (figure) => {
  it.each(['sale', 'refund'] as const)(
    'adds up to it by the day of the %s',
    async (attribution) => {
      for (const range of RANGES) {
        const request = { viewer: VENDOR, ...range, attribution, kind: 'all', figure } as const;
        const rows = (walked.get(range) ?? []).filter(isBehind('all', attribution, range));
        const { inPeriod, figures } = await allPages(request);
        const total = figureOf(figure, rows, range, attribution);
        expect(figures).toEqual([`${figure} ${total}`]);
        expect(inPeriod.reduce((sum, cents) => sum + cents, 0n)).toBe(total);
        let csv = '';
        for await (const part of lists.csv(request)) csv += part;
        const cells = rowsOfCsv(csv.slice(1)).map(({ in_period }) => in_period ?? '');
        expect(cells.map((cell) => BigInt(cell.replace('.', '')))).toEqual(inPeriod);
      }
    },
  );
});
