import { ApiError } from '../../../common/errors/api-error.js';
import { isCalendarDay, monthOf } from '../../../common/time.js';
import {
  COHORT_MEASURES,
  type CohortMeasure,
  type CohortRequest,
  type CohortScope,
} from '../../../modules/reports/cohorts/cohort.model.js';
import type { Visit } from '../../session/visit.js';

/** Earliest month that a ledger can have. */
const FIRST_MONTH = '1000-01-01';

export const COHORTS_PATH = '/account/reports/cohorts';

export const RETURNS = ['both', 'refunds', 'chargebacks'] as const;
export type Returns = (typeof RETURNS)[number];

/** Query of the page; the address contains only values that differ from the defaults. */
export interface CohortQuery {
  /** `product-12`, `affiliate-34`, or empty for all sales. */
  readonly of: string;
  readonly scope: CohortScope;
  readonly returns: Returns;
  readonly measure: CohortMeasure;
  /** First day of the last month of sales. */
  readonly until: string;
}

const SCOPE = /^(product|affiliate)-(\d{1,15})$/;

/** @throws ApiError invalid_parameters for an unknown product or affiliate, or an invalid month */
export function cohortQueryOf(visit: Visit, today: string): CohortQuery {
  const of = visit.query('of');
  return {
    of,
    scope: scopeOf(of),
    returns: oneOf(RETURNS, visit.query('returns')),
    measure: oneOf(COHORT_MEASURES, visit.query('share')),
    until: untilOf(visit.query('until'), today),
  };
}

export function cohortRequestOf(
  { scope, returns, until }: CohortQuery,
  vendor_id: number,
  today: string,
): CohortRequest {
  const all = ['refund', 'chargeback'] as const;
  const kinds = all.filter((kind) => returns === 'both' || returns === `${kind}s`);
  return { vendor_id, scope, kinds, until, today };
}

/** @param until null for the newest page */
export function cohortAddress(
  path: string,
  { of, returns, measure }: CohortQuery,
  until: string | null,
): string {
  const query = new URLSearchParams();
  if (of !== '') query.set('of', of);
  if (returns !== RETURNS[0]) query.set('returns', returns);
  if (measure !== COHORT_MEASURES[0]) query.set('share', measure);
  if (until !== null) query.set('until', until.slice(0, 7));
  const text = query.toString();
  return text === '' ? path : `${path}?${text}`;
}

function scopeOf(of: string): CohortScope {
  if (of === '') return { series: 'total' };
  const [, series, id] = SCOPE.exec(of) ?? [];
  if (series === undefined)
    throw new ApiError('invalid_parameters', 'Unknown product or affiliate.');
  return { series: series === 'product' ? series : 'affiliate', id: Number(id) };
}

function untilOf(month: string, today: string): string {
  const thisMonth = monthOf(today);
  if (month === '') return thisMonth;
  const first = `${month}-01`;
  if (!isCalendarDay(first) || first < FIRST_MONTH) {
    throw new ApiError('invalid_parameters', 'A month must be written as 2030-12.');
  }
  return first < thisMonth ? first : thisMonth;
}

/** Returns the allowed value with this text, or else the first one, which is the default. */
function oneOf<const Allowed extends string>(
  allowed: readonly [Allowed, ...Allowed[]],
  text: string,
): Allowed {
  return allowed.find((candidate) => candidate === text) ?? allowed[0];
}
