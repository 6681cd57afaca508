import { daysAfter, monthsAfter, todayInUtc } from '../../../platform/values/time.js';
import { LIST_PATH } from '../../../platform/pages/paths.js';
import type { UnpaidAge } from '../affiliates/affiliate-figures.model.js';
import { addressOf, type ReportQuery, type Role } from './report-query.js';

/** First and last day of an age, as days since the sale. */
const AGE_DAYS: Readonly<Record<Exclude<UnpaidAge, 'over-90'>, readonly [number, number]>> = {
  '0-30': [30, 0],
  '31-60': [60, 31],
  '61-90': [90, 61],
};
const OLDEST = 91;
/** A report has at most 400 years. */
const MAX_YEARS = 399;

/**
 * Returns the address of the sales whose commissions are unpaid. The list adds up to the unpaid sum:
 * it chooses sales by their day, and counts refunds of any day.
 * @param age only sales of this age; null for all
 */
export function unpaidAddress(
  query: ReportQuery,
  age: UnpaidAge | null,
  role: Role,
  filter: Readonly<Record<string, string>> = {},
): string {
  const days = age === null ? { preset: 'all-time' as const } : { preset: null, ...daysOf(age) };
  const commissions = { kind: 'sales', figure: 'affiliate_commissions' };
  const unpaid = { ...filter, ...commissions, commission: 'UNPAID' };
  const sales = { ...query, ...days, attribution: 'sale', by: null, role } as const;
  return addressOf(LIST_PATH, sales, unpaid);
}

function daysOf(age: UnpaidAge): { readonly from: string; readonly to: string } {
  const ago = (days: number) => daysAfter(todayInUtc(), -days);
  if (age === 'over-90') {
    const to = ago(OLDEST);
    return { from: monthsAfter(to, -12 * MAX_YEARS), to };
  }
  const [first, last] = AGE_DAYS[age];
  return { from: ago(first), to: ago(last) };
}
