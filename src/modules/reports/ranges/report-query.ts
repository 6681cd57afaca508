import { ApiError } from '../../../api/errors/api-error.js';
import {
  daysAfter,
  endOfMonth,
  isCalendarDay,
  monthOf,
  monthsAfter,
  todayInUtc,
} from '../../../platform/values/time.js';
import {
  type Attribution,
  ATTRIBUTIONS,
  type Comparison,
  COMPARISONS,
  type DayRange,
  DEFAULT_ATTRIBUTION,
  PERIOD_STEPS,
  type PeriodStep,
  type Viewer,
} from '../report.model.js';
import type { ReportsService } from '../reports.service.js';
import { withQuery } from '../../../platform/pages/paths.js';
import { oneOf, type SignedInVisit, type Visit } from '../../../platform/pages/visit.js';
import { FormProblem } from '../../../platform/pages/ui/form.view.js';

/** Days of a preset range, by the current day in UTC. */
type DaysOf = (today: string) => readonly [first: string, last: string];

/** Preset ranges: their query values, their labels and their days. */
export const PRESETS = [
  ['today', 'Today', (today) => [today, today]],
  ['yesterday', 'Yesterday', (today) => [daysAfter(today, -1), daysAfter(today, -1)]],
  ['7-days', '7 days', (today) => [daysAfter(today, -6), today]],
  ['30-days', '30 days', (today) => [daysAfter(today, -29), today]],
  ['90-days', '90 days', (today) => [daysAfter(today, -89), today]],
  ['this-month', 'This month', (today) => [monthOf(today), endOfMonth(today)]],
  ['last-month', 'Last month', (today) => [monthsAfter(today, -1), daysAfter(monthOf(today), -1)]],
  ['this-quarter', 'This quarter', quarterOf],
  ['year-to-date', 'Year to date', (today) => [`${today.slice(0, 4)}-01-01`, today]],
  // The days of all time are those of the transactions; this is the range without any.
  ['all-time', 'All time', (today) => [today, today]],
] as const satisfies readonly (readonly [value: string, label: string, DaysOf])[];
type Preset = (typeof PRESETS)[number][0];

export const ROLES = ['vendor', 'affiliate'] as const;
export type Role = (typeof ROLES)[number];

/** Query of a report. Values that cannot be parsed are null or empty. */
export interface ReportQuery {
  readonly preset: Preset | null;
  readonly from: string;
  readonly to: string;
  readonly attribution: Attribution;
  readonly by: PeriodStep | null;
  readonly comparison: Comparison;
  readonly role: Role | null;
  /** Parameters of the address that narrow the report. */
  readonly filter: Readonly<Record<string, string>>;
}

const MAX_NAMED_LENGTH = 60;
const DEFAULT_PRESET: Preset = 'this-month';
const DEFAULT_COMPARISON: Comparison = 'previous';
const MONTHS_OF_A_QUARTER = 3;

/** Returns a query with the range of some days. */
export function ofDays(query: ReportQuery, { start_date, end_date }: DayRange): ReportQuery {
  return { ...query, preset: null, from: start_date, to: end_date };
}

function reportQueryOf(visit: Visit): ReportQuery {
  const from = visit.query('from').trim();
  const to = visit.query('to').trim();
  const presets = PRESETS.map(([value]) => value);
  return {
    preset:
      oneOf(presets, visit.query('range')) ?? (from === '' && to === '' ? DEFAULT_PRESET : null),
    from,
    to,
    attribution: oneOf(ATTRIBUTIONS, visit.query('refunds')) ?? DEFAULT_ATTRIBUTION,
    by: oneOf(PERIOD_STEPS, visit.query('by')),
    comparison: oneOf(COMPARISONS, visit.query('compare')) ?? DEFAULT_COMPARISON,
    role: oneOf(ROLES, visit.query('as')),
    filter: {},
  };
}

/** Returns the range of a query of this viewer; null if the input is not a valid range. */
export async function rangeFor(
  reports: ReportsService,
  { preset, from, to }: ReportQuery,
  viewer: Viewer,
): Promise<DayRange | null> {
  const all = preset === 'all-time' ? await reports.allTime(viewer) : null;
  if (all !== null) return all;
  const chosen = PRESETS.find(([value]) => value === preset);
  const isRange = isCalendarDay(from) && isCalendarDay(to) && from <= to;
  if (chosen === undefined) return isRange ? { start_date: from, end_date: to } : null;
  const [start_date, end_date] = chosen[2](todayInUtc());
  return { start_date, end_date };
}

/**
 * Reads only the range and the day on which refunds count, for pages that are only for vendors or
 * only for affiliates, and have no choice of periods.
 */
export function rangeQueryOf(visit: Visit): ReportQuery {
  return { ...reportQueryOf(visit), by: null, role: null };
}

/** Returns the range in the query; null if the input is not a valid range. */
export function vendorRange(reports: ReportsService, query: ReportQuery, { user }: SignedInVisit) {
  return rangeFor(reports, query, { role: 'vendor', user_id: user.id });
}

/**
 * Returns the range of a file.
 * @throws ApiError invalid_parameters if the input is not a valid range
 */
export function validRange(range: DayRange | null): DayRange {
  if (range !== null) return range;
  throw new ApiError(
    'invalid_parameters',
    'First and last day must be dates such as 2030-12-31, the last not before the first.',
  );
}

/** Returns the problems of a page without a valid range. */
export function rangeProblems({ from, to }: ReportQuery): FormProblem[] {
  const problems = [
    ...(isCalendarDay(from) ? [] : [invalidDay('from', 'The first day', from)]),
    ...(isCalendarDay(to) ? [] : [invalidDay('to', 'The last day', to)]),
  ];
  if (problems.length > 0 || from <= to) return problems;
  return [new FormProblem('to', `The last day, ${to}, must not be before the first, ${from}.`)];
}

function invalidDay(field: string, name: string, typed: string): FormProblem {
  const quoted = typed === '' ? '' : ` “${typed.slice(0, MAX_NAMED_LENGTH)}” is not one.`;
  return new FormProblem(field, `${name} must be a date such as 2030-12-31.${quoted}`);
}

/** Builds the URL of a report or of one of its lists. */
export function addressOf(
  path: string,
  query: ReportQuery,
  more: Readonly<Record<string, string>> = {},
): string {
  const { attribution, by, comparison, role, filter } = query;
  return withQuery(path, {
    ...rangeParameters(query),
    refunds: attribution,
    ...(by === null ? {} : { by }),
    ...(comparison === DEFAULT_COMPARISON ? {} : { compare: comparison }),
    ...(role === null ? {} : { as: role }),
    ...filter,
    ...more,
  });
}

/** Returns the parameters of an address that choose the range. */
export function rangeParameters({ preset, from, to }: ReportQuery) {
  return preset === null ? { from, to } : { range: preset };
}

function quarterOf(today: string): readonly [first: string, last: string] {
  const before = (Number(today.slice(5, 7)) - 1) % MONTHS_OF_A_QUARTER;
  const first = monthsAfter(today, -before);
  return [first, endOfMonth(monthsAfter(first, MONTHS_OF_A_QUARTER - 1))];
}

export interface ReportInput {
  readonly query: ReportQuery;
  readonly viewer: Viewer;
  /** Null if the input is not a valid range. */
  readonly range: DayRange | null;
}

export async function inputOf(visit: SignedInVisit, reports: ReportsService): Promise<ReportInput> {
  const query = reportQueryOf(visit);
  const user_id = visit.user.id;
  const viewer = { role: query.role ?? (await roleOf(user_id, reports)), user_id };
  return { query, viewer, range: await rangeFor(reports, query, viewer) };
}

/** Returns affiliate for a user who has sales only as an affiliate, otherwise vendor. */
async function roleOf(user_id: number, reports: ReportsService): Promise<Role> {
  const sold = (role: Role) => reports.allTime({ role, user_id });
  if ((await sold('vendor')) !== null) return 'vendor';
  return (await sold('affiliate')) === null ? 'vendor' : 'affiliate';
}
