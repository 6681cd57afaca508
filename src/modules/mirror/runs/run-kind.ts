import { dateTimeOf, dayOf, daysAfter, formatDateTime } from '../../../platform/values/time.js';
import type { DayRange } from '../client/list-page.js';
import type { RunKind, Upstream } from '../upstreams/upstream.model.js';

/** Number of days that the shorter runs read. See docs/mirror.md#what-is-read-and-when. */
const DAYS_BACK: Readonly<Record<Exclude<RunKind, 'full'>, number>> = { recent: 3, quarter: 90 };
const DAY_SECONDS = 86_400;
/** Minimum time between runs that look for sales which notifications named. */
const SEEK_SECONDS = 60;

/** Returns the run that has to begin now, or null. */
export function dueRun(upstream: Upstream, now: Date): RunKind | null {
  const { wanted, last_full, last_quarter, last_recent, every_seconds, seek_run } = upstream;
  const isBefore = (last: string | null, seconds: number) =>
    last === null || last <= dateTimeOf(new Date(now.getTime() - seconds * 1_000));
  if (last_full === null) return 'full';
  if (wanted !== null) return wanted;
  if (isBefore(last_quarter, DAY_SECONDS)) return 'quarter';
  if (seek_run !== null && isBefore(seek_run, 0)) return 'recent';
  return isBefore(last_recent, every_seconds) ? 'recent' : null;
}

/**
 * Returns the time at which a run for a sale that the upstream did not know begins. There is at
 * most one such run a minute.
 */
export function seekingOf({ seek_run, last_seek }: Upstream, now: Date): string {
  if (seek_run !== null) return seek_run;
  const at = dateTimeOf(now);
  if (last_seek === null) return at;
  const next = Date.parse(formatDateTime(last_seek)) + SEEK_SECONDS * 1_000;
  return [at, dateTimeOf(new Date(next))].sort()[1] ?? at;
}

/**
 * Returns the changes of the search for notified sales when a run begins: each run may find them.
 */
export function sought({ seek_run, last_seek }: Upstream, now: Date): Partial<Upstream> {
  return { seek_run: null, last_seek: seek_run === null ? last_seek : dateTimeOf(now) };
}

/** Returns the changes of an upstream when a run begins. */
export function begun(run: RunKind, now: Date): Partial<Upstream> {
  const days = run === 'full' ? null : daysOf(DAYS_BACK[run], now);
  return {
    run,
    run_began: dateTimeOf(now),
    wanted: null,
    listed: 0,
    ...(days === null ? { first_day: null, last_day: null, next_day: null } : rangeOf(days)),
    ...(run === 'full' ? { missing: 0 } : {}),
  };
}

/** Returns the changes of an upstream when the date of its first sale is known. */
export function surveyed(first_day: string, now: Date): Partial<Upstream> {
  return rangeOf({ first_day, last_day: tomorrow(now) });
}

/**
 * Returns the changes of an upstream when a run ends. A longer run counts as the shorter ones, too.
 */
export function finished({ run, run_began }: Upstream): Partial<Upstream> {
  const began = run_began;
  return {
    run: null,
    run_began: null,
    next_day: null,
    last_recent: began,
    ...(run === 'recent' ? {} : { last_quarter: began }),
    ...(run === 'full' ? { last_full: began } : {}),
  };
}

function rangeOf({ first_day, last_day }: DayRange): Partial<Upstream> {
  return { first_day, last_day, next_day: last_day };
}

function daysOf(back: number, now: Date): DayRange {
  return { first_day: daysAfter(dayOf(dateTimeOf(now)), -back), last_day: tomorrow(now) };
}

/** Returns the day after today in UTC, because the clock of the upstream may be ahead. */
function tomorrow(now: Date): string {
  return daysAfter(dayOf(dateTimeOf(now)), 1);
}
