/** Expects that an answer with figures is what the sales say. It shares no code with the service. */
import { expect } from '@jest/globals';
import { AFFILIATES, OF_CLICKS, type Asked } from '../random/figure-requests.js';
import { comparedDays } from './compared-days.js';
import {
  figureOf,
  intervalsOf,
  intervalStart,
  nextDay,
  type FigureClicks,
  type FigureData,
  type FigureDays,
  type FigureSale,
} from './figures-oracle.js';

function groupOf({ group }: Asked, { product_id, affiliate_id, tracking }: FigureSale) {
  if (group === 'none') return 'all';
  if (group === 'product') return product_id;
  if (group === 'affiliate') return affiliate_id;
  const value = tracking[group] ?? '';
  return value === '' ? null : value;
}

function filtered(data: FigureData, { role, filter }: Asked): FigureData {
  const { product_id, affiliate_id, utm_source } = filter;
  const own = role === 'affiliate' ? String(AFFILIATES[0]) : affiliate_id;
  const isWanted = (of: FigureSale | FigureClicks) =>
    (product_id === undefined || String(of.product_id) === product_id) &&
    (own === undefined || String(of.affiliate_id) === own) &&
    (utm_source === undefined || ('tracking' in of && of.tracking.utm_source === utm_source));
  return { sales: data.sales.filter(isWanted), clicks: data.clicks.filter(isWanted) };
}

/** The ranges of an answer. The ranges of intervals that are compared are null without days. */
interface Ranges {
  readonly range: FigureDays;
  readonly intervals: readonly FigureDays[];
  readonly before: FigureDays | null;
  readonly compared: readonly (FigureDays | null)[] | null;
}

function rangesOf({ range: asked, interval, compare }: Asked, today: string): Ranges {
  const found = compare === 'none' ? null : comparedDays(asked, compare, interval, today);
  const range = found?.range ?? asked;
  return {
    range,
    intervals: interval === 'none' ? [range] : intervalsOf(range, interval),
    before: found?.before ?? null,
    compared: found?.intervals ?? null,
  };
}

/** Returns the figures of each group as the API should show them, by group and interval. */
function expected(data: FigureData, asked: Asked, { range, intervals, before, compared }: Ranges) {
  const { measures, refundsOn } = asked;
  const found = filtered(data, asked);
  const counted = measures.some((name) => OF_CLICKS.includes(name)) ? found.clicks : [];
  const clickGroup = (each: FigureClicks) =>
    asked.group === 'none'
      ? 'all'
      : asked.group === 'product'
        ? each.product_id
        : each.affiliate_id;
  const keys = new Set<unknown>([
    ...found.sales.map((each) => groupOf(asked, each)),
    ...counted.map(clickGroup),
  ]);
  const groups = new Map<unknown, object[]>();
  if (asked.group === 'none') keys.add('all');
  for (const group of keys) {
    const own = {
      sales: found.sales.filter((each) => groupOf(asked, each) === group),
      clicks: counted.filter((each) => clickGroup(each) === group),
    };
    const shown = ['sales', 'refunds', 'chargebacks', 'clicks', 'unique_clicks'];
    const isPending = measures.some((name) => name.startsWith('pending'));
    const counts = [...shown, ...(isPending ? ['pending'] : [])];
    const isIn = (days: FigureDays) =>
      counts.some((name) => figureOf(name, own, days, refundsOn) !== 0);
    if (asked.group !== 'none' && !isIn(range) && (before === null || !isIn(before))) continue;
    const values = (days: FigureDays) => valuesOf(measures, own, days, refundsOn);
    groups.set(
      group,
      intervals.map((each, index) => {
        const days = compared?.[index] ?? null;
        const other = days === null ? null : values(days);
        return { measures: values(each), compared: compared === null ? undefined : other };
      }),
    );
  }
  return groups;
}

/** Returns the figures of tracked values without a row, of which there must be some. */
function expectedLeftOut(
  data: FigureData,
  asked: Asked,
  { range }: Ranges,
  shown: ReadonlySet<unknown>,
) {
  const sales = filtered(data, asked).sales.filter((each) => {
    const group = groupOf(asked, each);
    return group !== null && !shown.has(group);
  });
  return valuesOf(asked.measures, { sales, clicks: [] }, range, asked.refundsOn);
}

function valuesOf(
  measures: readonly string[],
  own: FigureData,
  range: FigureDays,
  refundsOn: Asked['refundsOn'],
): object {
  return Object.fromEntries(measures.map((name) => [name, figureOf(name, own, range, refundsOn)]));
}

/** Returns the values of the answer by group; a group without a sale is `all`. */
function answered(results: readonly Readonly<Record<string, unknown>>[]) {
  const groups = new Map<unknown, unknown[]>();
  for (const { group, measures, compared } of results) {
    const of = group as { readonly id?: number | null; readonly value?: string | null } | null;
    const name = of === null ? 'all' : of.id === undefined ? of.value : of.id;
    groups.set(name, [...(groups.get(name) ?? []), { measures, compared }]);
  }
  return groups;
}

/** An answer of `GET /ledger/v1/figures`. */
export interface FiguresAnswer {
  readonly meta: object;
  readonly results: readonly Readonly<Record<string, unknown>>[];
}

/** Expects that an answer has exactly the figures of these sales and clicks. */
export function expectFigures(
  { meta, results }: FiguresAnswer,
  data: FigureData,
  asked: Asked,
  today: string,
): void {
  const ranges = rangesOf(asked, today);
  const groups = expected(data, asked, ranges);
  const shown = answered(results);
  const { groups_left_out: leftOut } = meta as unknown as { groups_left_out: object | null };
  if (leftOut !== null) {
    expect(leftOut).toEqual(expectedLeftOut(data, asked, ranges, new Set(shown.keys())));
    for (const name of [...groups.keys()]) if (!shown.has(name)) groups.delete(name);
  }
  expect(shown).toEqual(groups);
  const totals = (range: FigureDays | null) =>
    range && valuesOf(asked.measures, filtered(data, asked), range, asked.refundsOn);
  expect(meta).toMatchObject({
    totals: totals(ranges.range),
    range: ranges.range,
    compared_range: ranges.before,
    compared_totals: totals(ranges.before),
  });
  for (const item of results) {
    const each = item.interval as (FigureDays & { readonly partial: boolean }) | null;
    if (each === null) continue;
    const isWhole =
      intervalStart(each.start_date, asked.interval) === each.start_date &&
      intervalStart(nextDay(each.end_date), asked.interval) === nextDay(each.end_date);
    expect(each.partial).toBe(!isWhole);
  }
}
