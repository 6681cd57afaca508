/** Compares the figures of pages with those of the API. */
import { expect } from '@jest/globals';
import { type Row, written } from './page-tables.js';
import { shownFigures } from './report-pages.js';

export type Values = Readonly<Record<string, string | number>>;
/** The measure of each figure that pages show under a name, and how it is written. */
export const SHOWN: Readonly<
  Record<string, readonly [measure: string, as: 'number' | 'money' | 'rate']>
> = {
  Sales: ['sales', 'number'],
  Gross: ['gross', 'money'],
  'Net earnings': ['seller_earnings', 'money'],
  Fees: ['service_fees', 'money'],
  Commission: ['affiliate_commissions', 'money'],
  'My commissions': ['affiliate_commissions', 'money'],
  Refunds: ['refunds', 'number'],
  Chargebacks: ['chargebacks', 'number'],
  'Refund rate': ['refund_rate', 'rate'],
  'Chargeback rate': ['chargeback_rate', 'rate'],
  'Average order': ['average_order', 'money'],
  Pending: ['pending', 'number'],
  Clicks: ['clicks', 'number'],
  'Unique clicks': ['unique_clicks', 'number'],
  Conversion: ['conversion_rate', 'rate'],
  'Unpaid commissions': ['unpaid_commissions', 'money'],
};
/** The amounts that a figure shows; its number is below. Tables show the number alone. */
export const ADDED: Readonly<Record<string, string>> = {
  Refunds: 'refunded',
  Chargebacks: 'charged_back',
  Pending: 'pending_amount',
};
/** The unpaid commissions by the age of the sales. */
export const AGES: Readonly<Record<string, string>> = {
  '0–30 days': 'days_0_30',
  '31–60 days': 'days_31_60',
  '61–90 days': 'days_61_90',
  'over 90 days': 'over_90_days',
};
export const OWED = [
  ['Unpaid', 'total'],
  ['Due now', 'due_now'],
  ['On hold', 'on_hold'],
] as const;
export const COMMISSIONS = [
  'affiliate_commissions',
  'agent_commissions',
  'jv_commissions',
] as const;
/** The measures of the steps from the gross to the net earnings, and their signs. */
export const BRIDGE = [
  ['gross', 1n],
  ['refunded', -1n],
  ['charged_back', -1n],
  ['service_fees', -1n],
  ['affiliate_commissions', -1n],
  ['agent_commissions', -1n],
  ['jv_commissions', -1n],
  ['seller_earnings', 1n],
] as const;
/** Returns the cells that a row should have, for the headings that it has. */
export function expectedCells(
  row: Row,
  values: Values,
  others: Readonly<Record<string, string>> = {},
) {
  return Object.fromEntries(
    Object.keys(row.cells).map((heading) => {
      const [measure, as] = SHOWN[heading] ?? ['', 'number'];
      const value = others[heading] ?? written(values[measure], as);
      return [heading, row.cells[heading] === '–' && isDash(heading, value) ? '–' : value];
    }),
  );
}

/** Returns true for a value that a page may show as a dash: zero, or more sales than clicks. */
export function isDash(heading: string, value: string): boolean {
  const number = Number.parseFloat(value.replaceAll(',', ''));
  return number === 0 || (heading === 'Conversion' && number > 100);
}

/** Adds up numbers and money. */
export function sumOf(all: readonly Values[]): Values {
  const sums: Record<string, bigint> = {};
  for (const values of all) {
    for (const [name, value] of Object.entries(values)) {
      sums[name] = (sums[name] ?? 0n) + cents(value);
    }
  }
  return Object.fromEntries(
    Object.entries(sums).map(([name, sum]) => [
      name,
      all.some((values) => typeof values[name] === 'number') ? Number(sum) : decimal(sum),
    ]),
  );
}

function decimal(sum: bigint): string {
  const digits = String(sum).padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

export function cents(value: string | number | undefined): bigint {
  return BigInt(String(value).replace('.', ''));
}

/** Returns the cents of an amount that a page shows. */
export function shownCents(text = ''): bigint {
  return cents(text === '–' ? '0.00' : text.replaceAll(',', '').replace('−', '-'));
}

/** Returns the text of the sum of all commissions, which pages show as one figure. */
function commissionsOf(values: Values): string {
  const sum = COMMISSIONS.reduce((total, name) => total + cents(values[name]), 0n);
  return written(decimal(sum), 'money');
}

/** Expects that a report has these figures, and what they are compared with. */
export function expectShown(html: string, totals: Values, before: Values): void {
  for (const [name, text] of Object.entries(shownFigures(html))) {
    const [measure, as] = SHOWN[name] ?? ['', 'number'];
    const added = ADDED[name];
    const valueOf = (values: Values) => {
      if (added !== undefined) return written(values[added], 'money');
      return name === 'Commissions' ? commissionsOf(values) : written(values[measure], as);
    };
    expect([name, text.split(' ')[0]]).toEqual([name, valueOf(totals).split(' ')[0]]);
    // Unpaid commissions are as of today, so they are not compared.
    if (name === 'Unpaid commissions') continue;
    const isZero = [totals, before].every((values) => Number.parseFloat(valueOf(values)) === 0);
    if (!isZero) expect(text.replace(' )', ')')).toContain(`(was ${valueOf(before)})`);
    if (added === undefined) continue;
    const noun = name === 'Pending' ? 'sale' : name.slice(0, -1).toLowerCase();
    const count = Number(totals[measure]);
    expect(`${text} `).toContain(` ${written(count, 'number')} ${noun}${count === 1 ? '' : 's'} `);
  }
}
