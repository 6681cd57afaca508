import { problemsTextOf } from './upstream-problem.model.js';
import type { RunKind, ShownUpstream } from './upstream.model.js';

/** These texts name the range of each kind of run. */
export const RUN_NAMES = {
  recent: 'the last 3 days',
  quarter: 'the last 90 days',
  full: 'everything',
} as const satisfies Record<RunKind, string>;

type Run = Pick<ShownUpstream, 'run' | 'first_day' | 'last_day' | 'next_day'>;

/**
 * Counts the calendar months that a run has read, of all months that it reads. Days are read newest
 * first, so those up to `next_day` are still to be read.
 * @returns null between runs, and while the date of the upstream's first sale is unknown
 */
export function monthsReadOf({ run, first_day, last_day, next_day }: Run) {
  if (run === null || first_day === null || last_day === null) return null;
  const all = monthNumberOf(last_day) - monthNumberOf(first_day) + 1;
  // The details of sales are read after their days.
  if (next_day === null || next_day < first_day) return { done: all, all };
  const left = monthNumberOf(next_day) - monthNumberOf(first_day) + 1;
  return { done: Math.max(0, all - left), all };
}

/** Returns the progress of an upstream in words. */
export function progressTextOf(
  upstream: Run & Pick<ShownUpstream, 'wanted' | 'state' | 'problems'>,
): string {
  const { run, wanted, state, problems } = upstream;
  const months = monthsReadOf(upstream);
  if (months !== null) {
    return `${months.done} of ${months.all} ${months.all === 1 ? 'month' : 'months'}`;
  }
  const kind = run ?? wanted;
  if (kind === null) {
    return problems.length === 0 ? 'up to date' : `read, with ${problemsTextOf(problems)}`;
  }
  if (state === 'paused') return `once resumed, to read ${RUN_NAMES[kind]}`;
  return run === null ? `about to read ${RUN_NAMES[kind]}` : 'looking for the first sale';
}

function monthNumberOf(day: string): number {
  return Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7));
}
