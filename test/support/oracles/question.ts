/**
 * Questions about the ledger of test/support/builders/questioned-ledger.ts: functions that read the
 * answers of tools, and functions that compute answers from the records.
 */
import { type Sale, SALES, sharesOf, text } from '../builders/questioned-ledger.js';
import type { ToolData } from '../http/mcp.js';

export type Given = Readonly<Record<string, unknown>>;

/** Holds the results of all pages that a tool answered, and the data of the first page. */
export interface Found {
  readonly results: ToolData['results'];
  readonly first: ToolData;
}

export type Question = readonly [
  question: string,
  tool: string,
  given: Given,
  read: (found: Found) => unknown,
  answer: unknown,
];

export const column =
  (name: string) =>
  ({ results }: Found) =>
    results.map((each) => each[name]);
export const ids = column('transaction_id');
export const fact =
  (name: string) =>
  ({ first }: Found) =>
    first[name];
export const total =
  (name: string) =>
  ({ first }: Found) =>
    (first.totals as Given)[name];
export const count = ({ results }: Found) => results.length;
export const firstOf = ({ results }: Found): Given => results[0] ?? {};
export const one =
  (name: string) =>
  ({ results }: Found) =>
    results[0]?.[name];

/** Returns the measure of each group, by its id, value or interval. */
export const measured =
  (name: string, by: 'id' | 'value' | 'name' | 'interval' = 'id') =>
  ({ results }: Found) =>
    results.map(({ group, interval, measures }) => [
      by === 'interval' ? (interval as Given).start_date : (group as Given)[by],
      (measures as Given)[name],
    ]);
/** Returns the highest group and its measure. */
export const best = (name: string) => (answer: Found) => measured(name, 'name')(answer)[0];

export type Test = (sale: Sale) => boolean;

export const isSold: Test = ({ status }) => status !== 'pending';
export const between =
  (start: string, end: string): Test =>
  ({ day }) =>
    day >= start && day <= end;
export const inMonth =
  (month: string): Test =>
  ({ day }) =>
    day.startsWith(month);
export const of =
  <Name extends keyof Sale>(name: Name, value: Sale[Name]): Test =>
  (sale) =>
    sale[name] === value;

export function sales(...tests: readonly Test[]): Sale[] {
  return SALES.filter((sale) => tests.every((test) => test(sale)));
}

export function sold(...tests: readonly Test[]): Sale[] {
  return sales(isSold, ...tests);
}

export function newest(list: readonly Sale[]): string[] {
  return list.toSorted((one, other) => (one.day < other.day ? 1 : -1)).map(({ id }) => id);
}

export function sum(list: readonly Sale[], amount = (each: Sale) => each.amount): string {
  return text(list.reduce((all, each) => all + amount(each), 0));
}

/** Returns the sales whose money went back in a range. */
export function returned(start: string, end: string, status?: Sale['status']): Sale[] {
  return SALES.filter(
    ({ back: [day] = [''], ...each }) =>
      day >= start && day <= end && (status === undefined || each.status === status),
  );
}

export const backOf = ({ back: [, amount] = ['', 0] }: Sale) => amount;
export const feeOf = ({ amount, affiliate }: Sale) => sharesOf(amount, affiliate).fee;
export const commissionOf = ({ amount, affiliate }: Sale) => sharesOf(amount, affiliate).affiliate;
export const earnedOf = ({ amount, affiliate }: Sale) => sharesOf(amount, affiliate).vendor;
export const earnedBackOf = (each: Sale) => sharesOf(backOf(each), each.affiliate).vendor;

/** Returns a number for each product that was sold, the highest gross first. */
export function byProduct(list: readonly Sale[], value: (own: readonly Sale[]) => unknown) {
  return grouped(list, ({ product }) => product, value);
}

export function grouped<Key>(
  list: readonly Sale[],
  key: (sale: Sale) => Key,
  value: (own: readonly Sale[]) => unknown,
): [Key, unknown][] {
  const keys = [...new Set(list.map(key))];
  const gross = (own: readonly Sale[]) => own.reduce((all, { amount }) => all + amount, 0);
  return keys
    .map((each) => ({ each, own: list.filter((sale) => key(sale) === each) }))
    .toSorted((one, other) => gross(other.own) - gross(one.own))
    .map(({ each, own }) => [each, value(own)]);
}
