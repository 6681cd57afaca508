/**
 * The headline, the steps to the net earnings, the chart, the lists and their files of a report
 * agree, for any range, with a sum over every transaction of the 3.0 list.
 */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { DEMO_PRODUCTS } from '../../../src/modules/demo/demo-products.js';
import { DemoService } from '../../../src/modules/demo/demo.service.js';
import { tablesOf } from '../../support/browser/page-tables.js';
import { shownFigures } from '../../support/browser/report-pages.js';
import { Visitor } from '../../support/browser/visitor.js';
import { rowsOfCsv } from '../../support/oracles/csv.js';
import {
  figureOf,
  figuresOf,
  walkList,
  type Days,
  type Listed,
} from '../../support/oracles/report-oracle.js';
import { holds } from '../../support/random/properties.js';
import { TestService } from '../../support/servers/service.js';

const REQUESTS = 200;
const DAY_MS = 86_400_000;
/** The demo has sales of so many days. */
const DAYS = 500;
const AFFILIATES = [2_009, 2_020, 2_021];
const SOURCES = ['newsletter', 'youtube', 'nowhere'];
const EVER: Days = { start_date: '1000-01-01', end_date: '9999-12-31' };
/** The figure of each step, and whether it is taken off. */
const STEPS = [
  ['gross', 1n],
  ['refunded', -1n],
  ['charged_back', -1n],
  ['service_fees', -1n],
  ['affiliate_commissions', -1n],
  ['agent_commissions', -1n],
  ['jv_commissions', -1n],
  ['seller_earnings', 1n],
] as const;

type Filter = Readonly<{ product?: number; partner?: number; utm_source?: string }>;

const ids = DEMO_PRODUCTS.map(({ id }) => id);
const filters: fc.Arbitrary<Filter> = fc.oneof(
  fc.constant({}),
  fc.record({ product: fc.constantFrom(...ids) }),
  fc.record({ partner: fc.constantFrom(...AFFILIATES) }),
  fc.record({ product: fc.constantFrom(...ids), partner: fc.constantFrom(...AFFILIATES) }),
  fc.record({ utm_source: fc.constantFrom(...SOURCES) }),
);
const requests = fc.record({
  first: fc.nat({ max: DAYS }),
  days: fc.oneof(fc.nat({ max: 3 }), fc.nat({ max: DAYS })),
  refunds: fc.constantFrom('sale', 'refund' as const),
  by: fc.constantFrom('day', 'week', 'month'),
  filter: filters,
  step: fc.nat({ max: STEPS.length - 1 }),
});

let service: TestService;
let visitor: Visitor;
let sold: readonly Listed[];
beforeAll(async () => {
  service = await TestService.start();
  const prepared = await service.app.get(DemoService).prepare();
  visitor = new Visitor(service);
  await visitor.signIn(prepared?.signIn?.email ?? '', prepared?.signIn?.password);
  sold = await walkList(service, prepared?.key ?? '', EVER);
});
afterAll(() => service.stop());

function rangeOf(first: number, days: number): Days {
  const at = Date.now() - first * DAY_MS;
  const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);
  return { start_date: dayOf(at), end_date: dayOf(Math.min(at + days * DAY_MS, Date.now())) };
}

function matches({ product, partner, utm_source }: Filter) {
  return ({ product_id, affiliate, tracking }: Listed): boolean =>
    product_id === (product ?? product_id) &&
    (partner === undefined || affiliate?.id === partner) &&
    (utm_source === undefined || tracking.utm_source === utm_source);
}

function queryOf(fields: Readonly<Record<string, string | number>>): string {
  const texts = Object.entries(fields).map(([name, value]): [string, string] => [
    name,
    String(value),
  ]);
  return new URLSearchParams(texts).toString();
}

async function page(path: string): Promise<string> {
  const { status, text } = await visitor.get(path.replaceAll('&amp;', '&'));
  expect([path, status]).toEqual([path, 200]);
  return text;
}

/** Reads an amount such as `−$1,234.50` in cents. */
function centsIn(text: string): bigint {
  const cents = BigInt(text.replace(/\D/g, ''));
  return /^[-−]/.test(text.trim()) ? -cents : cents;
}

/** A file and its page may show what is taken off without a minus sign. */
function sizeOf(cents: bigint): bigint {
  return cents < 0n ? -cents : cents;
}

/** Adds up what the chart draws: the values of an attribute in the table of periods. */
function drawn(html: string, attribute: string): bigint {
  const [table = ''] = /<table id="periods".*?<\/table>/s.exec(html) ?? [];
  const values = [...table.matchAll(new RegExp(` data-${attribute}="(.*?)"`, 'g'))];
  return values.reduce((sum, [, value = '']) => sum + centsIn(value), 0n);
}

/** Reads what a row adds to its list, which says so where it is not the whole amount. */
function addedBy(cell = ''): bigint {
  if (cell.endsWith('not counted until paid')) return 0n;
  return centsIn(/counts as (.*)/.exec(cell)?.[1] ?? cell.replace(/of .*/, ''));
}

/** Expects that the list behind a step, page and file, adds up to this figure. */
async function expectList(path: string, total: bigint): Promise<void> {
  const html = await page(path);
  const [, file = ''] = /href="([^"]*\.csv[^"]*)"/.exec(html) ?? [];
  const cells = rowsOfCsv((await page(file)).slice(1)).map(({ in_period }) => in_period ?? '');
  const inFile = cells.reduce((sum, cell) => sum + centsIn(cell), 0n);
  expect([path, sizeOf(inFile)]).toEqual([path, sizeOf(total)]);
  const rows = tablesOf(html).at(-1) ?? [];
  // The row of totals has only what the list adds up to.
  const [summed = ''] =
    Object.entries(rows.at(-1)?.cells ?? {}).find(([, cell]) => cell !== '') ?? [];
  const amounts = rows.map(({ cells }) => addedBy(cells[summed]));
  const last = amounts.pop() ?? 0n;
  // A list of nothing has no table, and the last row of one that is not counted is of its page.
  const isOfPage = rows.at(-1)?.name === 'This page';
  const expected = isOfPage ? amounts.reduce((sum, cents) => sum + cents, 0n) : inFile;
  expect([path, last]).toEqual([path, expected]);
}

describe('A report, its chart, its lists and their files', () => {
  it('agree with a sum over all transactions', async () => {
    let listed = 0;
    const runs = await holds(
      fc.asyncProperty(requests, async ({ first, days, refunds, by, filter, step }) => {
        const range = rangeOf(first, days);
        const matching = sold.filter(matches(filter));
        const asked = { from: range.start_date, to: range.end_date, refunds, by, ...filter };
        const html = await page(`/account/reports?compare=none&${queryOf(asked)}`);
        const expected = figuresOf(matching, range, refunds);
        const shown = shownFigures(html);
        const figureIn = (name: string) => centsIn(shown[name]?.split(' ')[0] ?? '');
        expect(figureIn('Net earnings')).toBe(expected.earnings);
        expect(figureIn('Gross')).toBe(expected.gross);
        expect(drawn(html, 'gross')).toBe(expected.gross);
        expect(drawn(html, 'net')).toBe(expected.earnings);
        const amounts = STEPS.map(
          ([name, taken]) => taken * figureOf(name, matching, range, refunds),
        );
        // A report of nothing has no steps.
        const steps = html.includes('id="bridge"') ? (tablesOf(html)[1] ?? []) : [];
        const shownSteps = steps.map(({ cells }) => centsIn(cells.Amount ?? ''));
        if (steps.length > 0 || amounts.some((cents) => cents !== 0n))
          expect(shownSteps).toEqual(amounts);
        const [figure, sign] = STEPS[step] ?? STEPS[0];
        const link = steps[step]?.link ?? '';
        if (!link.includes('/transactions?')) return;
        listed += 1;
        await expectList(link, sign * figureOf(figure, matching, range, refunds));
      }),
      { numRuns: REQUESTS },
    );
    expect(listed).toBeGreaterThan(runs / 4);
  });
});
