import {
  formatCents,
  formatDecimal,
  RATE_PLACES,
  rateOf,
} from '../../../../platform/values/money.js';
import { UNPAID_AGES } from '../../affiliates/affiliate-figures.model.js';
import type { Cohort } from '../../cohorts/cohort.model.js';
import type { CountAndAmount } from '../../report.model.js';
import type { Unpaid, UnpaidItem } from '../kept-reports.service.js';

const NAMES = {
  '0-30': 'days_0_30',
  '31-60': 'days_31_60',
  '61-90': 'days_61_90',
  'over-90': 'over_90_days',
} as const;

export function presentUnpaidOf(item: UnpaidItem) {
  return { affiliate_id: item.affiliate_id, name: item.name, ...presentUnpaid(item) };
}

export function presentUnpaid({ unpaid, unpaid_total, due_now, on_hold }: Unpaid) {
  const ages: Record<string, string> = {};
  for (const age of UNPAID_AGES) ages[NAMES[age]] = formatCents(unpaid[age]);
  return {
    total: formatCents(unpaid_total),
    due_now: formatCents(due_now),
    on_hold: formatCents(on_hold),
    ...ages,
  };
}

export function presentDue(due: { readonly agreements: number; readonly amount: bigint }) {
  return { recurring_payments: due.agreements, amount: formatCents(due.amount) };
}

export function presentCohort({ month, sales, gross, after, to_date }: Cohort) {
  const returned = ({ transactions, amount }: CountAndAmount) => ({
    transactions,
    amount: formatCents(amount),
    rate: formatDecimal(rateOf(BigInt(transactions), BigInt(sales)), RATE_PLACES),
    amount_rate: formatDecimal(rateOf(amount, gross), RATE_PLACES),
  });
  return {
    month: month.slice(0, 7),
    sales,
    gross: formatCents(gross),
    after: after.map((each, months) => ({ months, ...returned(each) })),
    to_date: returned(to_date),
  };
}
