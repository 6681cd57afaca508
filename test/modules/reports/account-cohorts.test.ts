/** The page with the share of each month's sales that was refunded or charged back, and its CSV. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { product, refund, transaction, user } from '../../support/builders/ledger-records.js';
import { cohortsOf, walkList, type Listed } from '../../support/oracles/report-oracle.js';
import {
  AFFILIATE,
  reportLedger,
  shownFigures,
  VENDOR,
} from '../../support/browser/report-pages.js';
import { TestService } from '../../support/servers/service.js';
import { Visitor } from '../../support/browser/visitor.js';

const COHORTS = '/account/reports/cohorts';
const EVER = { start_date: '2000-01-01', end_date: '2100-01-01' };
const THIS_MONTH = new Date().toISOString().slice(0, 7);
/** The last month of a page that shows all sales of 2025. */
const UNTIL = '2026-06';
const BOTH = ['refund', 'chargeback'] as const;
const STRANGER = 77;

let service: TestService;
let vendor: Visitor;
let list: readonly Listed[];
beforeAll(async () => {
  service = await TestService.start();
  await service.import([
    ...reportLedger(),
    user(STRANGER, { name: 'A stranger' }),
    // These sales are older than a page, or refunded more than a year later, or refunded without a
    // date.
    transaction('old', 10, { sale_date: '2021-03-05T00:00:00Z' }),
    transaction('late', 10, {
      sale_date: '2021-03-06T00:00:00Z',
      status: 'refunded',
      refund: refund('2022-09-01T00:00:00Z'),
    }),
    transaction('undated', 10, { sale_date: '2021-03-07T00:00:00Z', status: 'refunded' }),
  ]);
  vendor = await Visitor.signedIn(service, VENDOR);
  list = await walkList(service, await service.key(VENDOR), EVER);
});
afterAll(() => service.stop());

/** Returns the rows of the table, as texts. */
function rowsOf(html: string): string[][] {
  const body = /<tbody[^>]*>(.*)<\/tbody>/s.exec(html)?.[1] ?? '';
  return [...body.matchAll(/<tr[^>]*>(.*?)<\/tr>/g)].map(([, row = '']) =>
    [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/g)].map(([, cell = '']) =>
      cell.replace(/<span class="aside.*?<\/span>|<[^>]+>/g, ''),
    ),
  );
}

/** Returns the shares as the page shows them: with one decimal, and empty for future months. */
function shares(cohort: ReturnType<typeof cohortsOf>[number], isMoney = false): string[] {
  const share = ({ transactions, amount }: (typeof cohort)['to_date']) => {
    const tenths = isMoney
      ? (1_000 * Number(amount)) / Number(cohort.gross)
      : (1_000 * transactions) / cohort.sales;
    return `${(Math.round(tenths) / 10).toFixed(1)}%`;
  };
  const after = Array.from({ length: 13 }, (_, month) => {
    const back = cohort.after[month];
    return back === undefined ? '' : share(back);
  });
  return [...after, share(cohort.to_date)];
}

describe('the page of cohorts', () => {
  it.each([
    ['all sales', '', () => true],
    ['a product', 'of=product-11', ({ product_id }: Listed) => product_id === 11],
    [
      'an affiliate',
      `of=affiliate-${AFFILIATE}`,
      ({ affiliate }: Listed) => affiliate?.id === AFFILIATE,
    ],
  ])('shows what came back of %s', async (_, of, isOf) => {
    const sold = list.filter(isOf).filter(({ sale_date }) => sale_date > '2025');
    for (const [returns, kinds] of [
      ['both', BOTH],
      ['refunds', ['refund']],
      ['chargebacks', ['chargeback']],
    ] as const) {
      for (const share of ['sales', 'money']) {
        const path = `${COHORTS}?${of}&returns=${returns}&share=${share}&until=${UNTIL}`;
        const { status, text } = await vendor.get(path);
        expect(status).toBe(200);
        const expected = cohortsOf(sold, kinds, UNTIL, THIS_MONTH);
        expect(expected.length).toBeGreaterThan(2);
        expect(rowsOf(text).map(([, last, , , ...months]) => [...months, last])).toEqual(
          expected.map((cohort) => shares(cohort, share === 'money')),
        );
      }
    }
  });

  it('leads to older months, and says which refunds have no date', async () => {
    const { text } = await vendor.get(`${COHORTS}?until=2023-01`);
    expect(rowsOf(text)).toEqual([
      ['Mar 2021', '66.7%', '3', '141.00', ...Array.from({ length: 13 }, () => '33.3%')],
    ]);
    // A dot stands for each share to which nothing was added.
    expect(text.match(/class="shade same /g)).toHaveLength(12);
    for (const [head, unit] of ['Same month', '+1 month', '+12 months'].map((name) =>
      name.split(' '),
    )) {
      expect(text).toContain(`>${head}<span class="unseen"> ${unit}</span></th>`);
    }
    expect(text).toContain('1 of them has no date');
    expect(text).toMatch(/href="[^"]*until=2025-01" rel="prev"/);
    expect(text).not.toContain('Worst month');
    const older = /href="([^"]+)" rel="next"/.exec((await vendor.get(COHORTS)).text)?.[1];
    expect(older).toContain('until=');
    expect(text).not.toContain('rel="next"');
  });

  it('names the worst month with at least 30 sales, the last one that is over and the average', async () => {
    const [owner, product_id] = [79, 790];
    const sold = (month: string, sales: number, refunded: number) =>
      Array.from({ length: sales }, (_, index) =>
        transaction(`${month}-${index}`, product_id, {
          sale_date: `${month}-05T00:00:00Z`,
          ...(index < refunded
            ? { status: 'refunded', refund: refund(`${month}-09T00:00:00Z`) }
            : {}),
        }),
      );
    await service.import([
      user(owner),
      product(product_id, owner),
      ...sold('2025-01', 30, 3),
      ...sold('2025-02', 31, 0),
      ...sold('2025-03', 2, 1),
    ]);
    const { text } = await (
      await Visitor.signedIn(service, owner)
    ).get(`${COHORTS}?until=${UNTIL}`);
    expect(shownFigures(text)).toEqual({
      'Worst month': '10.0% Jan 2025, 30 sales',
      'Latest full month': expect.stringMatching(/^50\.0% Mar 2025 after \d+ months, 2 sales$/),
      Average: '6.3% 3 full months, 63 sales',
    });
  });

  it('says what a dot stands for, and has none where little was added', async () => {
    const [owner, product_id] = [80, 800];
    const sold = { sale_date: '2025-01-05T00:00:00Z' };
    await service.import([
      user(owner),
      product(product_id, owner),
      transaction('large', product_id, { ...sold, amount: '900000.00' }),
      // This is less than a tenth of a percent.
      transaction('small', product_id, {
        ...sold,
        amount: '10.00',
        status: 'refunded',
        refund: refund('2025-02-09T00:00:00Z'),
      }),
    ]);
    const visitor = await Visitor.signedIn(service, owner);
    const textOf = async (query: string) =>
      (await visitor.get(`${COHORTS}?until=2025-01&${query}`)).text;
    const plain = await textOf('share=money');
    expect(plain).toContain('A dot: no more money refunded or charged back in that month.');
    const [first = []] = rowsOf(plain);
    expect(first.slice(4, 6)).toEqual(['0.0%', '0.0%']);
    const cells = [...plain.matchAll(/<span class="shade ([a-z]*)/g)].map(([, kind]) => kind);
    // The columns of the month of the sale and of the next one have numbers, and all others dots.
    expect(cells.slice(1, 4)).toEqual(['shade', 'shade', 'same']);
    expect(await textOf('returns=refunds')).toContain('A dot: no more refunds in that month.');
  });

  it.each(['of=product-x', 'of=vendor-1', 'until=2025-13', 'until=0001-01', 'until=2025-01-01'])(
    'is 400 for an address that no page has: %s',
    async (query) => {
      expect((await vendor.get(`${COHORTS}?${query}`)).status).toBe(400);
      expect((await vendor.get(`${COHORTS}.csv?${query}`)).status).toBe(400);
    },
  );

  it('tells nobody the names of users who sold nothing for them', async () => {
    const { text } = await vendor.get(`${COHORTS}?of=affiliate-${STRANGER}`);
    expect(text).toContain(`Only sales of affiliate ${STRANGER}.`);
    expect(text).toContain('No sales in these months.');
    expect(text).not.toContain('A stranger');
    const known = await vendor.get(`${COHORTS}?of=affiliate-${AFFILIATE}`);
    expect(known.text).toContain('Only sales of affiliate Picks.');
  });

  it('has nothing of another vendor', async () => {
    const stranger = await Visitor.signedIn(service, STRANGER);
    const { text } = await stranger.get(`${COHORTS}?of=product-10`);
    expect(rowsOf(text)).toEqual([]);
    expect(text).not.toContain('Product 10');
  });
});

describe('its CSV', () => {
  it('has every month, with exact numbers and amounts', async () => {
    const expected = cohortsOf(list, BOTH, THIS_MONTH, THIS_MONTH);
    for (const share of ['sales', 'money'] as const) {
      const answer = await vendor.get(`${COHORTS}.csv?share=${share}`);
      expect(answer.headers['content-disposition']).toBe(
        'attachment; filename=returns-by-month-of-sale.csv',
      );
      const [head = '', ...records] = answer.text.replace('\ufeff', '').trimEnd().split('\r\n');
      expect(head).toMatch(/^sale_month,sales,gross,month_0,.*,month_12,to_date$/);
      const told = (back: (typeof expected)[number]['to_date'] | undefined) => {
        if (back === undefined) return '';
        return share === 'sales' ? String(back.transactions) : decimal(back.amount);
      };
      expect(records.map((record) => record.split(','))).toEqual(
        expected.map((cohort) => [
          cohort.month.slice(0, 7),
          String(cohort.sales),
          decimal(cohort.gross),
          ...Array.from({ length: 13 }, (_, month) => told(cohort.after[month])),
          told(cohort.to_date),
        ]),
      );
    }
  });

  it('has the header alone for a vendor without sales', async () => {
    await service.import([user(78), product(780, 78)]);
    const other = await Visitor.signedIn(service, 78);
    expect((await other.get(`${COHORTS}.csv`)).text.trimEnd().split('\r\n')).toHaveLength(1);
  });
});

function decimal(cents: bigint): string {
  return (Number(cents) / 100).toFixed(2);
}
