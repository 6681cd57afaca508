/** The account pages show the figures that the API returns. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FigureBounds } from '../../../src/modules/reports/figures/figure-reads.service.js';
import { DemoService } from '../../../src/modules/demo/demo.service.js';
import { DEMO_PRODUCTS } from '../../../src/modules/demo/demo-products.js';
import { rangeIn, shownFigures } from '../../support/browser/report-pages.js';
import { tablesOf, written, type Row } from '../../support/browser/page-tables.js';
import {
  ADDED,
  AGES,
  BRIDGE,
  cents,
  shownCents,
  COMMISSIONS,
  expectedCells,
  expectShown,
  isDash,
  OWED,
  SHOWN,
  sumOf,
  type Values,
} from '../../support/browser/figures-on-pages.js';
import { Visitor } from '../../support/browser/visitor.js';
import { TestService } from '../../support/servers/service.js';

const FIGURES = '/ledger/v1/figures';

/** The measure that is the number of transactions of a list. */
const LISTED = {
  sales: 'sales',
  refunds: 'refunds',
  chargebacks: 'chargebacks',
  pending: 'pending',
} as const;
/** The measures that an affiliate may see. */
const OF_AFFILIATE =
  'sales,gross,affiliate_commissions,refunds,refunded,refund_rate,chargebacks,charged_back,average_order,pending,pending_amount,unpaid_commissions';
/** An affiliate with sales of several vendors. */
const AFFILIATE = 2_021;
const PASSWORD = 'correct horse battery staple';

/** The measures of a group that the API leaves out, because it has nothing in the range. */
const NOTHING = Object.fromEntries(
  Object.values(SHOWN).map(([measure, as]) => [measure, as === 'money' ? '0.00' : 0]),
);

/** The measures that every filter allows. */
const OF_FILTER =
  'sales,gross,seller_earnings,service_fees,affiliate_commissions,agent_commissions,jv_commissions,refunds,refunded,chargebacks,charged_back,refund_rate,average_order,pending,pending_amount';
const BY_TRACKED_FIELD = 'sales,gross,seller_earnings,refunds,refund_rate,chargebacks';
const ALL = [
  ...Object.values(SHOWN).map(([measure]) => measure),
  ...Object.values(ADDED),
  ...COMMISSIONS,
].join(',');

type Result = Readonly<Record<string, unknown>>;

let service: TestService;
let key: string;
let visitor: Visitor;
let affiliateKey: string;
let affiliate: Visitor;
beforeAll(async () => {
  service = await TestService.start();
  const prepared = await service.app.get(DemoService).prepare();
  key = prepared?.key ?? '';
  visitor = new Visitor(service);
  await visitor.signIn(prepared?.signIn?.email ?? '', prepared?.signIn?.password);
  affiliateKey = await service.key(AFFILIATE);
  affiliate = new Visitor(service);
  await service.setPassword(AFFILIATE, PASSWORD);
  await affiliate.signIn('affiliate21@partners.example', PASSWORD);
});
afterAll(() => service.stop());

async function page(path: string, by = visitor): Promise<string> {
  const { status, text } = await by.get(path);
  expect(status).toBe(200);
  return text;
}

/** Returns the range of a page as parameters of the API. */
function rangeOf(html: string): string {
  const [start = '', end = ''] = rangeIn(html);
  return `start_date=${start}&end_date=${end}`;
}

async function figures(query: string, by = key) {
  const { meta, results } = await service.envelope(`${FIGURES}?${query}`, by);
  const found = meta as unknown as { readonly totals: Values; readonly compared_totals: Values };
  return { ...found, results: results as readonly Result[] };
}

/** The group of sales without an affiliate or a value. */
const NONE = 'none';

/** Returns the measures of each group by its id, value or the first day of its interval. */
async function measuresBy(query: string, by = key) {
  const { results } = await figures(query, by);
  return new Map(
    results.map((item) => {
      const group = item.group as { readonly id?: number; readonly value?: string } | null;
      const interval = item.interval as { readonly start_date: string } | null;
      return [
        String(group?.id ?? group?.value ?? interval?.start_date ?? NONE),
        item.measures as Values,
      ];
    }),
  );
}

/** Returns how much the gross of each affiliate has changed since the previous period. */
async function comparedGross(query: string): Promise<Map<string, bigint>> {
  const { results } = await figures(`${query}&compare=previous_period`);
  return new Map(
    results.map((item) => {
      const group = item.group as { readonly id?: number } | null;
      const [now, then] = [item.measures as Values, item.compared as Values | null];
      return [String(group?.id ?? NONE), cents(now.gross) - cents(then?.gross ?? '0.00')];
    }),
  );
}

const RANGES = ['this-month', '90-days', 'year-to-date'] as const;

describe('The figures of a page are those of the API', () => {
  it.each(RANGES.flatMap((range) => [`${range}&refunds=refund`, `${range}&refunds=sale`]))(
    'for the report of %s',
    async (range) => {
      const html = await page(`/account/reports?range=${range}&compare=previous`);
      const days = `${rangeOf(html)}&refunds_on=${range.endsWith('sale') ? 'sale' : 'refund'}_date`;
      const { totals } = await figures(`${days}&measures=${ALL}`);
      const { compared_totals: before } = await figures(
        `${days}&measures=${ALL}&compare=previous_period`,
      );
      expect(Object.keys(shownFigures(html))).toHaveLength(9);
      expectShown(html, totals, before);
    },
  );

  it.each([
    ['product_id=101', 'product=101'],
    [`affiliate_id=${AFFILIATE}`, `partner=${AFFILIATE}`],
    [`product_id=103&affiliate_id=${AFFILIATE}`, `product=103&partner=${AFFILIATE}`],
    ['utm_source=newsletter', 'utm_source=newsletter'],
  ])('for the report of sales with %s', async (filter, parameters) => {
    const html = await page(`/account/reports?range=90-days&compare=previous&${parameters}`);
    const unpaid = /product|utm/.test(filter) ? '' : ',unpaid_commissions';
    const query = `${rangeOf(html)}&${filter}&measures=${OF_FILTER}${unpaid}`;
    const { totals } = await figures(query);
    const { compared_totals: before } = await figures(`${query}&compare=previous_period`);
    expect(totals.sales).toBeGreaterThan(0);
    expect(Object.keys(shownFigures(html))).toHaveLength(unpaid === '' ? 8 : 9);
    expectShown(html, totals, before);
    const [, bridge = []] = tablesOf(html);
    expect(bridge.map(({ cells }) => shownCents(cells.Amount))).toEqual(
      BRIDGE.map(([measure, sign]) => sign * cents(totals[measure])),
    );
    // The link to the whole report removes a single filter.
    const filters = filter.split('&').length;
    const chips = html.match(/aria-label="Remove the filter /g) ?? [];
    expect(chips).toHaveLength(filters === 1 ? 0 : filters);
    expect(html).toMatch(/<h1><span class="kicker">Report of <\/span>.+<\/h1>/);
    expect(html).toContain('The whole report</a>');
  });

  it('for the report of a tracking value with too many sales, as far as it is kept', async () => {
    const bounds = service.app.get(FigureBounds);
    const most = bounds.salesOfPage;
    bounds.salesOfPage = 1;
    const html = await page('/account/reports?range=90-days&utm_source=newsletter');
    const tracking = await page('/account/tracking?range=90-days&field=utm_medium');
    bounds.salesOfPage = most;
    const query = `${rangeOf(html)}&utm_source=newsletter&measures=${OF_FILTER}`;
    const { totals } = await figures(query);
    const shown = shownFigures(html);
    expect(Object.keys(shown)).toHaveLength(7);
    expect(shown['Net earnings']).toContain(written(totals.seller_earnings, 'money'));
    expect(html).not.toContain('id="bridge"');
    for (const text of [html, tracking]) expect(text).toContain('Choose a shorter period.');
  });

  it.each([
    ['product=x', 'The filter “product” must be an id, such as 101.'],
    ['partner=x&tid=a', 'The filter “partner” must be an id, such as 101.'],
  ])('but not for a filter that is none: %s', async (filter, problem) => {
    const { status, text } = await visitor.get(`/account/reports?${filter}`);
    expect(status).toBe(400);
    expect(text).toContain(problem);
    expect(text).toContain('Remove the filter');
  });

  it.each([
    ['utm_source=a&product=1', 'product=1'],
    ['tid=b&partner=2', 'partner=2'],
    ['utm_source=newsletter&tid=b', 'utm_source=newsletter'],
    ['as=affiliate&tid=a', 'as=affiliate'],
  ])('but leave out what does not go together: %s', async (filter, part) => {
    const mainOf = (html: string) => html.slice(html.indexOf('<main'));
    const cut = mainOf(await page(`/account/reports?range=90-days&${filter}`));
    const hint = /<p class="hint">A product, an affiliate, both, .*?<\/p>/;
    expect(cut).toMatch(hint);
    const whole = mainOf(await page(`/account/reports?range=90-days&${part}`));
    expect(cut.replace(hint, '')).toBe(whole);
  });

  it.each(['this-month', '90-days'])('for the tables of %s', async (range) => {
    const html = await page(`/account/reports?range=${range}&compare=none&by=day`);
    const [periods = [], bridge = [], products = [], affiliates = []] = tablesOf(html);
    const days = rangeOf(html);
    const { totals } = await figures(`${days}&measures=${ALL}`);
    expect(bridge.map(({ cells }) => shownCents(cells.Amount))).toEqual(
      BRIDGE.map(([measure, sign]) => sign * cents(totals[measure])),
    );
    const byDay = await measuresBy(`${days}&measures=${ALL}&interval=day`);
    const byProduct = await measuresBy(`${days}&measures=${ALL}&group_by=product`);
    const byAffiliate = await measuresBy(`${days}&measures=${ALL}&group_by=affiliate`);
    expect(Math.min(periods.length, products.length, affiliates.length)).toBeGreaterThan(1);
    for (const [rows, answer, idOf] of [
      [periods, byDay, ({ link }: Row) => /from=([\d-]+)/.exec(link)?.[1]],
      [products, byProduct, ({ link }: Row) => /product=(\d+)/.exec(link)?.[1]],
      [affiliates, byAffiliate, ({ link }: Row) => /partner=(\d+)/.exec(link)?.[1]],
    ] as const) {
      for (const row of rows) {
        expect(row.cells).toEqual(expectedCells(row, answer.get(idOf(row) ?? '') ?? {}));
      }
    }
  });

  it('for the affiliates, with their unpaid commissions', async () => {
    const html = await page('/account/affiliates?range=90-days&columns=all');
    const [rows = []] = tablesOf(html);
    const answer = await measuresBy(`${rangeOf(html)}&measures=${ALL}&group_by=affiliate`);
    const { results } = await service.envelope(`${FIGURES}/unpaid`, key);
    const unpaid = new Map(results.map((item) => [String(item.affiliate_id), item as Values]));
    expect(rows.length).toBeGreaterThan(10);
    expect(rows.some(({ cells }) => cells.Conversion !== '–')).toBe(true);
    const total = rows.pop();
    const all = sumOf([...answer].flatMap(([id, values]) => (id === NONE ? [] : [values])));
    for (const name of ['Sales', 'Gross', 'Commission', 'Clicks', 'Unique clicks']) {
      const [measure = '', as = 'number'] = SHOWN[name] ?? [];
      expect([name, total?.cells[name]]).toEqual([name, written(all[measure], as)]);
    }
    const days = rangeOf(html);
    const before = await comparedGross(`${days}&measures=gross&group_by=affiliate`);
    for (const row of rows) {
      const id = /affiliates\/(\d+)/.exec(row.link)?.[1] ?? '';
      const open = (name: string) => written(unpaid.get(id)?.[name] ?? '0.00', 'money');
      const ages = Object.fromEntries(
        [
          ...Object.entries(AGES).map(([age, name]) => [`Unpaid ${age}`, name] as const),
          ...OWED,
        ].map(([heading, name]) => [heading, open(name)]),
      );
      const { 'Change of gross': change = '', ...figuresOf } = row.cells;
      const shownRow = { ...row, cells: figuresOf };
      expect(figuresOf).toEqual(expectedCells(shownRow, answer.get(id) ?? NOTHING, ages));
      expect(change === '–' ? 0n : shownCents(change.replace('+', ''))).toBe(before.get(id) ?? 0n);
    }
  });

  it('for one affiliate', async () => {
    const html = await page(`/account/affiliates/${AFFILIATE}?range=90-days`);
    const query = `${rangeOf(html)}&affiliate_id=${AFFILIATE}&measures=${ALL}`;
    const { totals } = await figures(query);
    const { results } = await service.envelope(`${FIGURES}/unpaid`, key);
    const unpaid = results.find((item) => item.affiliate_id === AFFILIATE) as Values | undefined;
    const { 'E-mail': email, Id: id, ...figuresOf } = shownFigures(html);
    expect([id, email]).toEqual([String(AFFILIATE), expect.any(String)]);
    const shown = Object.entries(figuresOf);
    expect(shown.length).toBeGreaterThan(8);
    for (const [heading, text] of shown) {
      const age =
        AGES[heading.replaceAll('\u2060', '').toLowerCase()] ??
        OWED.find(([sum]) => sum === heading)?.[1];
      const [measure, as] = SHOWN[heading] ?? ['', 'number'];
      const value =
        age === undefined ? written(totals[measure], as) : written(unpaid?.[age], 'money');
      const isUnknown =
        text.startsWith('–') && (totals.unique_clicks === 0 || isDash(heading, value));
      expect([heading, text.split(' ')[0]]).toEqual([
        heading,
        isUnknown ? '–' : value.split(' ')[0],
      ]);
    }
    const drawn = [...html.matchAll(/data-net="([^"]+)"/g)].map(([, amount]) => cents(amount));
    expect(drawn.reduce((sum, commission) => sum + commission, 0n)).toBe(
      cents(totals.affiliate_commissions),
    );
    const byProduct = await measuresBy(`${query}&group_by=product`);
    const names = new Map(
      (await figures(`${query}&group_by=product`)).results.map((item) => {
        const { id, name } = item.group as { readonly id: number; readonly name: string };
        return [name, String(id)];
      }),
    );
    const products = tablesOf(html)
      .flat()
      .filter(({ name, cells }) => names.has(name) && cells.Gross !== undefined);
    expect(products.length).toBeGreaterThan(1);
    for (const row of products) {
      expect(row.cells).toEqual(expectedCells(row, byProduct.get(names.get(row.name) ?? '') ?? {}));
    }
  });

  it('for a tracked field', async () => {
    const html = await page('/account/tracking?range=90-days');
    const [rows = []] = tablesOf(html);
    const query = `${rangeOf(html)}&group_by=utm_source&measures=${BY_TRACKED_FIELD}`;
    const answer = await measuresBy(query);
    expect(rows.length).toBeGreaterThan(2);
    const total = rows.pop();
    const { refund_rate = '' } = (await figures(query)).totals;
    const sums: Values = { ...sumOf([...answer.values()]), refund_rate };
    const whole = { Share: '100.0%' };
    expect(total?.cells).toEqual(total && expectedCells(total, sums, whole));
    for (const row of rows) {
      const value = row.name === 'No source' ? NONE : row.name;
      const values = answer.get(value) ?? {};
      const share = Number(cents(values.gross)) / Number(cents(sums.gross));
      const Share = written(share, 'rate');
      expect(row.cells).toEqual(expectedCells(row, values, { Share }));
    }
  });

  it('for the cohorts', async () => {
    const [rows = []] = tablesOf(await page('/account/reports/cohorts'));
    const { results } = await service.envelope(`${FIGURES}/cohorts`, key);
    expect(rows.length).toBeGreaterThan(10);
    for (const [at, { cells }] of rows.entries()) {
      const { sales, gross, after, to_date } = results[at] as unknown as {
        readonly sales: number;
        readonly gross: string;
        readonly after: readonly { readonly transactions: number }[];
        readonly to_date: { readonly transactions: number };
      };
      const share = ({ transactions }: { readonly transactions: number }) =>
        `${(Math.round((1_000 * transactions) / sales) / 10).toFixed(1)}%`;
      const { Sales, Gross, 'To date': last, ...months } = cells;
      expect([Sales, Gross, last]).toEqual([
        written(sales, 'number'),
        written(gross, 'money'),
        share(to_date),
      ]);
      const shown = Object.values(months).filter((text) => text !== '');
      expect(shown).toEqual(after.slice(0, shown.length).map(share));
    }
  });

  it('for the renewals', async () => {
    const html = await page('/account/subscriptions');
    const [days = []] = tablesOf(html);
    const { results, meta } = await service.envelope(`${FIGURES}/renewals`, key);
    const due = new Map(results.map((item) => [String(item.date), item as Values]));
    expect(days.length).toBeGreaterThan(10);
    for (const { link, cells } of days) {
      const [day = ''] = /\d{4}-\d\d-\d\d/.exec(link) ?? [];
      const { recurring_payments, amount } = due.get(day) ?? {};
      expect(cells).toEqual({
        Payments: written(recurring_payments, 'number'),
        Total: written(amount, 'money'),
      });
    }
    const { totals, overdue } = meta as unknown as Record<'totals' | 'overdue', Values>;
    const shown = shownFigures(html);
    for (const [name, of, payments] of [
      ['Due in the next 30 days', totals, 'payments'],
      ['Overdue', overdue, 'late payments'],
    ] as const) {
      expect(shown[name]).toContain(written(of.amount, 'money'));
      expect(shown[name]).toContain(`${written(of.recurring_payments, 'number')} ${payments}`);
    }
  });

  it.each(['90-days&refunds=refund', 'year-to-date&refunds=sale'])(
    'for what an affiliate referred: %s',
    async (range) => {
      const path = `/account/reports?as=affiliate&range=${range}&compare=year&by=month`;
      const html = await page(path, affiliate);
      const refundsOn = range.endsWith('sale') ? 'sale' : 'refund';
      const asked = `as=affiliate&measures=${OF_AFFILIATE}&refunds_on=${refundsOn}_date`;
      const query = `${rangeOf(html)}&${asked}`;
      const { totals } = await figures(query, affiliateKey);
      const { compared_totals: before } = await figures(
        `${query}&compare=previous_year`,
        affiliateKey,
      );
      expectShown(html, totals, before);
      expect(Object.keys(shownFigures(html))).toHaveLength(9);
      expect(totals.sales).toBeGreaterThan(10);
      const plain = await page(path.replace('compare=year', 'compare=none'), affiliate);
      const [periods = [], products = [], vendors = []] = tablesOf(plain);
      const byMonth = await figures(`${query}&interval=month`, affiliateKey);
      expect(periods.length).toBe(byMonth.results.length);
      for (const [at, row] of periods.entries()) {
        const { measures } = byMonth.results[at] as unknown as { readonly measures: Values };
        expect(row.cells).toEqual(expectedCells(row, measures));
      }
      const byProduct = await measuresBy(`${query}&group_by=product`, affiliateKey);
      expect(Math.min(products.length, vendors.length)).toBeGreaterThan(1);
      for (const row of products) {
        const id = /product=(\d+)/.exec(row.link)?.[1] ?? '';
        expect(row.cells).toEqual(expectedCells(row, byProduct.get(id) ?? {}));
      }
      for (const row of vendors) {
        const id = /partner=(\d+)/.exec(row.link)?.[1];
        const own = DEMO_PRODUCTS.filter(({ vendor }) => String(vendor.id) === id);
        const sums = own.map((product) => byProduct.get(String(product.id)) ?? {});
        expect(row.cells).toEqual(expectedCells(row, sumOf(sums)));
      }
    },
  );

  it.each([
    ['vendor', '', ''],
    ['vendor', `&partner=${AFFILIATE}`, `&affiliate_id=${AFFILIATE}`],
    ['affiliate', '', ''],
  ] as const)('for the numbers of the lists, as a %s%s', async (role, filter, same) => {
    const [by, ofRole] = role === 'vendor' ? [visitor, key] : [affiliate, affiliateKey];
    const range = 'range=90-days&refunds=refund';
    for (const [kind, measure] of Object.entries(LISTED)) {
      const html = await page(
        `/account/reports/transactions?as=${role}&${range}&kind=${kind}${filter}`,
        by,
      );
      const [, number] = /<strong>([\d,]+)<\/strong> [a-z ]+[.<]/.exec(html) ?? [];
      const query = `as=${role}&${rangeOf(html)}${same}`;
      const { totals } = await figures(`${query}&measures=${measure}`, ofRole);
      expect([kind, number]).toEqual([kind, written(totals[measure], 'number')]);
    }
  });
});
