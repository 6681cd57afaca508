/** The amounts and counts of affiliates are exact sums over the ledger. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  SORTS,
  type AffiliateFigures,
  type TableRequest,
} from '../../../src/modules/reports/affiliates/affiliate-figures.model.js';
import { AffiliateReportsService } from '../../../src/modules/reports/affiliates/affiliate-reports.service.js';
import { affiliation, product, user } from '../../support/builders/ledger-records.js';
import { figuresOf, walkList, type Days } from '../../support/oracles/report-oracle.js';
import {
  affiliateRecordOf,
  affiliateSale,
  affiliatesOf,
  recentCalendars,
  unpaidOf,
  type AffiliateRecord,
} from '../../support/random/affiliate-ledgers.js';
import { ORDERS } from '../../../src/platform/pages/ui/sorting.view.js';
import { holds } from '../../support/random/properties.js';
import { lineOf, VendorIds } from '../../support/random/random-ledgers.js';
import { TestService } from '../../support/servers/service.js';

const LEDGERS = 50;
const TODAY = new Date().toISOString().slice(0, 10);
const CALENDARS = recentCalendars(TODAY);
const ages = ['0-30', '31-60', '61-90', 'over-90'] as const;

const clicks = fc.record({
  day: fc.nat({ max: 3 }),
  seller: fc.nat({ max: 1 }),
  product: fc.nat({ max: 1 }),
  clicks: fc.nat({ max: 40 }),
});
const ledgers = fc.record({
  calendar: fc.constantFrom(...CALENDARS),
  first: fc.array(affiliateSale, { minLength: 1, maxLength: 20, size: 'max' }),
  later: fc.array(affiliateSale, { maxLength: 10 }),
  clicks: fc.uniqueArray(clicks, {
    maxLength: 5,
    selector: ({ day, seller, product }) => [day, seller, product].join(),
  }),
  terms: fc.uniqueArray(
    fc.record({
      seller: fc.nat({ max: 1 }),
      product: fc.nat({ max: 1 }),
      delayed: fc.boolean(),
    }),
    { maxLength: 4, selector: ({ seller, product }) => [seller, product].join() },
  ),
  days: fc.tuple(fc.nat({ max: 3 }), fc.nat({ max: 3 }), fc.nat({ max: 40 })),
  attribution: fc.constantFrom('sale' as const, 'refund' as const),
  sort: fc.constantFrom(...SORTS),
  order: fc.constantFrom(...ORDERS),
});
type Ledger = typeof ledgers extends fc.Arbitrary<infer Value> ? Value : never;

let service: TestService;
let vendors = 0;
beforeAll(async () => {
  service = await TestService.start();
});
afterAll(() => service.stop());

/** Returns a range that begins on a day of the calendar, and ends on another or some days later. */
function rangeOf({ calendar, days: [one, other, more] }: Ledger): Days {
  const [from = '', to = ''] = [calendar[one] ?? '', calendar[other] ?? ''].sort();
  const end = new Date(Date.parse(to) + (more % 2) * more * 86_400_000);
  return { start_date: from, end_date: end.toISOString().slice(0, 10) };
}

async function imported(ids: VendorIds, ledger: Ledger): Promise<AffiliateRecord[]> {
  const { calendar, first, later } = ledger;
  const [one, other] = affiliatesOf(ids);
  await service.import([
    user(ids.vendor),
    user(one, { display_name: 'Zoë' }),
    user(other),
    product(ids.product(0), ids.vendor),
    product(ids.product(1), ids.vendor),
  ]);
  const begun = first.map((sold, at) => affiliateRecordOf(ids, at, calendar, sold));
  const changed = later.map((sold, at) => affiliateRecordOf(ids, at * 2, calendar, sold));
  await service.import(begun.map(lineOf));
  await service.import(changed.map(lineOf));
  await service.import(
    ledger.clicks.map(({ day, seller, product: which, clicks: all }) => ({
      type: 'clicks',
      affiliate_id: affiliatesOf(ids)[seller],
      date: calendar[day],
      product_id: ids.product(which),
      clicks: all,
      unique_clicks: Math.floor(all / 2),
    })),
  );
  await service.import(
    ledger.terms.map(({ seller, product: which, delayed }) =>
      affiliation(affiliatesOf(ids)[seller] ?? 0, ids.product(which), {
        delayed_commission: delayed,
      }),
    ),
  );
  const records = [...begun, ...changed];
  return [...new Map(records.map((record) => [record.transaction_id, record])).values()];
}

/** Returns the share in ten-thousandths, rounded to the nearest integer. */
function rate(part: number, whole: number): bigint | null {
  return whole === 0 ? null : BigInt(Math.round((part * 10_000) / whole));
}

/** Returns the expected rows of the table. An affiliate without any data is not in it. */
async function expectedOf(ids: VendorIds, ledger: Ledger, records: readonly AffiliateRecord[]) {
  const range = rangeOf(ledger);
  const list = await walkList(service, await service.key(ids.vendor), range);
  const rows = affiliatesOf(ids).map((id, seller) => {
    const made = list.filter(({ affiliate }) => affiliate?.id === id);
    const figures = figuresOf(made, range, ledger.attribution, 'affiliate');
    const clicked = ledger.clicks.filter(({ day, seller: by }) => {
      const date = ledger.calendar[day] ?? '';
      return by === seller && date >= range.start_date && date <= range.end_date;
    });
    const counted = (count: (clicks: number) => number) =>
      clicked.length === 0 ? null : clicked.reduce((sum, each) => sum + count(each.clicks), 0);
    const unique_clicks = counted((all) => Math.floor(all / 2));
    const { sales, gross, commissions: commission } = figures;
    const [refunds, chargebacks] = [figures.refunds.transactions, figures.chargebacks.transactions];
    const unpaid = unpaidOf(records, id, TODAY);
    const delayed = ledger.terms.filter((each) => each.seller === seller && each.delayed);
    const held = delayed.map(({ product: which }) => ids.product(which));
    const onHold = unpaidOf(
      records.filter(({ product_id }) => held.includes(product_id)),
      id,
      TODAY,
    );
    const [unpaid_total, on_hold] = [sumOf(unpaid), sumOf(onHold)];
    const row: AffiliateFigures = {
      sales,
      gross,
      commission,
      refunds,
      chargebacks,
      unique_clicks,
      unpaid,
      unpaid_total,
      on_hold,
      due_now: unpaid_total - on_hold,
      clicks: counted((all) => all),
      conversion: rate(sales, unique_clicks ?? 0),
      refund_rate: rate(refunds, sales),
      chargeback_rate: rate(chargebacks, sales),
    };
    return { id, name: seller === 0 ? 'Zoë' : `User ${id}`, figures: row };
  });
  return rows.filter(
    ({ id, figures }, seller) =>
      ledger.terms.some((each) => each.seller === seller) ||
      figures.sales + figures.refunds + figures.chargebacks > 0 ||
      figures.clicks !== null ||
      records.some((record) => hasUnpaid(record, id)),
  );
}

function sumOf(unpaid: AffiliateFigures['unpaid']): bigint {
  return ages.reduce((sum, age) => sum + unpaid[age], 0n);
}

/** Returns the total row. Its conversion rate covers the affiliates with known clicks. */
function totalOf(all: readonly AffiliateFigures[]): AffiliateFigures {
  const clicked = all.filter(({ clicks }) => clicks !== null);
  const money = (value: (figures: AffiliateFigures) => bigint) =>
    all.reduce((sum, figures) => sum + value(figures), 0n);
  const count = (of: 'sales' | 'refunds' | 'chargebacks') =>
    all.reduce((sum, figures) => sum + figures[of], 0);
  const known = (of: 'clicks' | 'unique_clicks') =>
    clicked.length === 0 ? null : clicked.reduce((sum, figures) => sum + (figures[of] ?? 0), 0);
  const unique_clicks = known('unique_clicks');
  const converted = clicked.reduce((sum, { sales }) => sum + sales, 0);
  const [sales, refunds, chargebacks] = [count('sales'), count('refunds'), count('chargebacks')];
  return {
    sales,
    refunds,
    chargebacks,
    unique_clicks,
    clicks: known('clicks'),
    gross: money(({ gross }) => gross),
    commission: money(({ commission }) => commission),
    unpaid: {
      '0-30': money(({ unpaid }) => unpaid['0-30']),
      '31-60': money(({ unpaid }) => unpaid['31-60']),
      '61-90': money(({ unpaid }) => unpaid['61-90']),
      'over-90': money(({ unpaid }) => unpaid['over-90']),
    },
    unpaid_total: money((figures) => figures.unpaid_total),
    on_hold: money((figures) => figures.on_hold),
    due_now: money((figures) => figures.due_now),
    conversion: rate(converted, unique_clicks ?? 0),
    refund_rate: rate(refunds, sales),
    chargeback_rate: rate(chargebacks, sales),
  };
}

function hasUnpaid(record: AffiliateRecord, id: number): boolean {
  return ages.some((age) => unpaidOf([record], id, TODAY)[age] !== 0n);
}

async function expectTable(ids: VendorIds, ledger: Ledger, records: readonly AffiliateRecord[]) {
  const { attribution, sort, order } = ledger;
  const request: TableRequest = {
    vendor_id: ids.vendor,
    ...rangeOf(ledger),
    attribution,
    sort,
    order,
  };
  const expected = await expectedOf(ids, ledger, records);
  const table = await service.app.get(AffiliateReportsService).table(request, 1);
  const byId = (rows: readonly { readonly id: number }[]) =>
    [...rows].sort((left, right) => left.id - right.id);
  expect(byId(table.rows)).toEqual(byId(expected));
  expect(table.count).toBe(expected.length);
  expect(table.total).toEqual(totalOf(expected.map(({ figures }) => figures)));
  const values = table.rows.map(({ name, figures }) =>
    sort === 'name' ? name : valueOf(figures, sort),
  );
  const known = values.filter((value) => value !== null);
  expect(values.slice(0, known.length)).toEqual(known);
  for (const [at, value] of known.slice(1).entries()) {
    const before = known[at] ?? value;
    expect(order === 'asc' ? before <= value : before >= value).toBe(true);
  }
}

function valueOf(figures: AffiliateFigures, sort: Exclude<(typeof SORTS)[number], 'name'>) {
  const age = ages.find((each) => each === sort);
  if (age !== undefined) return figures.unpaid[age];
  const of: Readonly<Record<string, unknown>> = { ...figures };
  const value = of[sort];
  return typeof value === 'bigint' || typeof value === 'number' ? value : null;
}

async function expectReports(ids: VendorIds, ledger: Ledger, records: readonly AffiliateRecord[]) {
  const { attribution } = ledger;
  const range = rangeOf(ledger);
  const list = await walkList(service, await service.key(ids.vendor), range);
  // The chart ends with today.
  const { start_date, end_date } = range;
  const untilToday = { start_date, end_date: end_date < TODAY ? end_date : TODAY };
  for (const { id, figures, name } of await expectedOf(ids, ledger, records)) {
    const reports = service.app.get(AffiliateReportsService);
    expect(await reports.affiliateOf(ids.vendor, id)).toEqual({ id, name });
    const request = { vendor_id: ids.vendor, affiliate_id: id, ...range, attribution };
    const report = await reports.report({ ...request, comparison: 'none' });
    expect(report.figures).toEqual(figures);
    const periods = report.periods.reduce((sum, period) => sum + period.figures.gross, 0n);
    const owed = report.owed.reduce((sum, { unpaid }) => sum + unpaid, 0n);
    expect(owed).toBe(figures.unpaid_total);
    const products = report.products.reduce((sum, { net }) => sum + net, 0n);
    const made = list.filter(({ affiliate }) => affiliate?.id === id);
    const { gross } = figuresOf(made, untilToday, attribution, 'affiliate');
    expect([periods, products]).toEqual([gross, figures.commission]);
  }
}

describe('The affiliates of a vendor', () => {
  it('have the figures that the ledger says, in the table and each by itself', async () => {
    await holds(
      fc.asyncProperty(ledgers, async (ledger) => {
        vendors += 1;
        const ids = new VendorIds(vendors);
        const records = await imported(ids, ledger);
        await expectTable(ids, ledger, records);
        await expectReports(ids, ledger, records);
      }),
      { numRuns: LEDGERS },
    );
  });
});
