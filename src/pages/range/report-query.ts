import { ApiError } from '../../common/errors/api-error.js';
import {
  dateTimeOf,
  dayOf,
  daysAfter,
  daysBetween,
  endOfMonth,
  isCalendarDay,
  monthOf,
  monthsAfter,
} from '../../common/time.js';
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
} from '../../modules/reports/report.model.js';
import type { ReportsService } from '../../modules/reports/reports.service.js';
import { withQuery } from '../paths.js';
import type { SignedInVisit, Visit } from '../session/visit.js';
import { FormProblem } from '../ui/form.view.js';

/** Labels of preset ranges, by query value. */
export const PRESETS = {
  today: 'Today',
  yesterday: 'Yesterday',
  '7-days': '7 days',
  '30-days': '30 days',
  '90-days': '90 days',
  'this-month': 'This month',
  'last-month': 'Last month',
  'this-quarter': 'This quarter',
  'year-to-date': 'Year to date',
  'all-time': 'All time',
} as const;
export type Preset = keyof typeof PRESETS;

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
}

const MAX_NAMED_LENGTH = 60;
const DEFAULT_PRESET: Preset = 'this-month';
const DEFAULT_COMPARISON: Comparison = 'previous';
const MONTHS_OF_A_QUARTER = 3;

export function reportQueryOf(visit: Visit): ReportQuery {
  const from = visit.query('from').trim();
  const to = visit.query('to').trim();
  const preset = oneOf(Object.keys(PRESETS).filter(isPreset), visit.query('range'));
  return {
    preset: preset ?? (from === '' && to === '' ? DEFAULT_PRESET : null),
    from,
    to,
    attribution: oneOf(ATTRIBUTIONS, visit.query('refunds')) ?? DEFAULT_ATTRIBUTION,
    by: oneOf(PERIOD_STEPS, visit.query('by')),
    comparison: oneOf(COMPARISONS, visit.query('compare')) ?? DEFAULT_COMPARISON,
    role: oneOf(ROLES, visit.query('as')),
  };
}

/** Returns the current day in UTC. */
export function todayInUtc(): string {
  return dayOf(dateTimeOf(new Date()));
}

/** @param all the range with all transactions, or null if there are none */
function rangeOf({ preset, from, to }: ReportQuery, all: DayRange | null): DayRange | null {
  if (preset !== null) return presetRange(preset, todayInUtc(), all);
  const isRange = isCalendarDay(from) && isCalendarDay(to) && from <= to;
  return isRange ? { start_date: from, end_date: to } : null;
}

/** Returns the range of a query of this viewer; null if the input is not a valid range. */
export async function rangeFor(
  reports: ReportsService,
  query: ReportQuery,
  viewer: Viewer,
): Promise<DayRange | null> {
  return rangeOf(query, query.preset === 'all-time' ? await reports.allTime(viewer) : null);
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

export function stepFor({ start_date, end_date }: DayRange): PeriodStep {
  const days = daysBetween(start_date, end_date) + 1;
  if (days <= 62) return 'day';
  return days <= 366 ? 'week' : 'month';
}

/** Builds the URL of a report or of one of its lists. */
export function addressOf(
  path: string,
  { preset, from, to, attribution, by, comparison, role }: ReportQuery,
  more: Readonly<Record<string, string>> = {},
): string {
  const range = preset === null ? { from, to } : { range: preset };
  return withQuery(path, {
    ...range,
    refunds: attribution,
    ...(by === null ? {} : { by }),
    ...(comparison === DEFAULT_COMPARISON ? {} : { compare: comparison }),
    ...(role === null ? {} : { as: role }),
    ...more,
  });
}

function presetRange(preset: Preset, today: string, all: DayRange | null): DayRange {
  const firstOfMonth = monthOf(today);
  switch (preset) {
    case 'today':
      return { start_date: today, end_date: today };
    case 'yesterday': {
      const yesterday = daysAfter(today, -1);
      return { start_date: yesterday, end_date: yesterday };
    }
    case '7-days':
      return lastDays(7, today);
    case '30-days':
      return lastDays(30, today);
    case '90-days':
      return lastDays(90, today);
    case 'this-month':
      return { start_date: firstOfMonth, end_date: endOfMonth(today) };
    case 'last-month': {
      const end_date = daysAfter(firstOfMonth, -1);
      return { start_date: monthOf(end_date), end_date };
    }
    case 'this-quarter': {
      const before = (Number(today.slice(5, 7)) - 1) % MONTHS_OF_A_QUARTER;
      const start_date = monthsAfter(today, -before);
      const lastMonth = monthsAfter(start_date, MONTHS_OF_A_QUARTER - 1);
      return { start_date, end_date: endOfMonth(lastMonth) };
    }
    case 'year-to-date':
      return { start_date: `${today.slice(0, 4)}-01-01`, end_date: today };
    case 'all-time':
      return all ?? { start_date: today, end_date: today };
  }
}

function lastDays(days: number, today: string): DayRange {
  return { start_date: daysAfter(today, 1 - days), end_date: today };
}

function isPreset(text: string): text is Preset {
  return Object.hasOwn(PRESETS, text);
}

function oneOf<const Allowed extends string>(
  allowed: readonly Allowed[],
  text: string,
): Allowed | null {
  return allowed.find((candidate) => candidate === text) ?? null;
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
