import {
  isCalendarDay,
  dateTimeOf,
  dayOf,
  daysAfter,
  daysBetween,
  endOfMonth,
} from '../../common/time.js';
import {
  ATTRIBUTIONS,
  type Attribution,
  type DayRange,
  type PeriodStep,
} from '../../modules/reports/report.model.js';
import { FormProblem } from '../ui/form.view.js';
import type { Visit } from '../session/visit.js';

/** The ranges that are one click away, as the address names them and as a person reads them. */
export const PRESETS = {
  today: 'Today',
  yesterday: 'Yesterday',
  '7-days': '7 days',
  'this-month': 'This month',
  'last-month': 'Last month',
  'all-time': 'All time',
} as const;
export type Preset = keyof typeof PRESETS;

export const STEPS = ['day', 'week', 'month'] as const satisfies readonly PeriodStep[];
type Step = (typeof STEPS)[number];

export const ROLES = ['vendor', 'affiliate'] as const;
export type Role = (typeof ROLES)[number];

/** What the address of a report says; empty where it says nothing that can be read. */
export interface ReportQuery {
  readonly preset: Preset | null;
  /** As they were typed. */
  readonly from: string;
  readonly to: string;
  readonly attribution: Attribution;
  readonly by: Step | null;
  readonly role: Role | null;
}

/** How much is repeated of what was typed. */
const LONGEST_NAMED = 60;
const DEFAULT_PRESET: Preset = 'this-month';

export function reportQueryOf(visit: Visit): ReportQuery {
  const from = visit.query('from').trim();
  const to = visit.query('to').trim();
  const preset = oneOf(Object.keys(PRESETS).filter(isPreset), visit.query('range'));
  return {
    preset: preset ?? (from === '' && to === '' ? DEFAULT_PRESET : null),
    from,
    to,
    attribution: oneOf(ATTRIBUTIONS, visit.query('refunds')) ?? 'sale',
    by: oneOf(STEPS, visit.query('by')),
    role: oneOf(ROLES, visit.query('as')),
  };
}

/**
 * The days that a query means; of all time, those on which there is anything.
 * @param all null where there is nothing at all
 * @returns null where what was typed is no range
 */
export function rangeOf({ preset, from, to }: ReportQuery, all: DayRange | null): DayRange | null {
  if (preset !== null) return presetRange(preset, dayOf(dateTimeOf(new Date())), all);
  const isRange = isCalendarDay(from) && isCalendarDay(to) && from <= to;
  return isRange ? { start_date: from, end_date: to } : null;
}

/** Why what was typed is no range. */
export function rangeProblems({ from, to }: ReportQuery): FormProblem[] {
  const problems = [
    ...(isCalendarDay(from) ? [] : [noDay('from', 'The first day', from)]),
    ...(isCalendarDay(to) ? [] : [noDay('to', 'The last day', to)]),
  ];
  if (problems.length > 0 || from <= to) return problems;
  return [new FormProblem('to', `The last day, ${to}, must not be before the first, ${from}.`)];
}

function noDay(field: string, name: string, typed: string): FormProblem {
  const said = typed === '' ? '' : ` “${typed.slice(0, LONGEST_NAMED)}” is not one.`;
  return new FormProblem(field, `${name} must be a date such as 2030-12-31.${said}`);
}

/** What suits the length of a range, where nothing was chosen. */
export function stepFor({ start_date, end_date }: DayRange): Step {
  const days = daysBetween(start_date, end_date) + 1;
  if (days <= 62) return 'day';
  return days <= 366 ? 'week' : 'month';
}

/** The address of a report, or of what stands behind it, that differs in some of what it says. */
export function addressOf(
  path: string,
  { preset, from, to, attribution, by, role }: ReportQuery,
  more: Readonly<Record<string, string>> = {},
): string {
  const range = preset === null ? { from, to } : { range: preset };
  const query = new URLSearchParams({ ...range, refunds: attribution });
  if (by !== null) query.set('by', by);
  if (role !== null) query.set('as', role);
  for (const [name, value] of Object.entries(more)) query.set(name, value);
  return `${path}?${query.toString()}`;
}

function presetRange(preset: Preset, today: string, all: DayRange | null): DayRange {
  const firstOfMonth = `${today.slice(0, 8)}01`;
  switch (preset) {
    case 'today':
      return { start_date: today, end_date: today };
    case 'yesterday': {
      const yesterday = daysAfter(today, -1);
      return { start_date: yesterday, end_date: yesterday };
    }
    case '7-days':
      return { start_date: daysAfter(today, -6), end_date: today };
    case 'this-month':
      return { start_date: firstOfMonth, end_date: endOfMonth(today) };
    case 'last-month': {
      const end_date = daysAfter(firstOfMonth, -1);
      return { start_date: `${end_date.slice(0, 8)}01`, end_date };
    }
    case 'all-time':
      return all ?? { start_date: today, end_date: today };
  }
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
