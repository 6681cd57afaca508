import { monthsReadOf, progressTextOf } from './upstreams/upstream-progress.model.js';
import type { ShownUpstream } from './upstreams/upstream.model.js';

const BAR_CELLS = 10;
/** Width that fits a terminal of 80 columns. */
const MAX_COLUMNS = 79;

/** Returns a line for the upstream, and a line for each kind of its problems. */
export function upstreamLinesOf(upstream: ShownUpstream): string[] {
  return [
    upstreamLineOf(upstream),
    ...upstream.problems.map(({ kind, count, example }) => {
      const first = example === null ? '' : `; first: ${example}`;
      return `  ${shown(count)} × ${kind}${first}`;
    }),
  ];
}

function upstreamLineOf(upstream: ShownUpstream): string {
  const { id, vendor_id, url, state, listed, waiting, missing } = upstream;
  const parts = [
    `Upstream ${id} of user ${vendor_id}: ${url}, ${state}`,
    progressTextOf(upstream),
    `${shown(listed)} transactions read, ${shown(waiting)} waiting, ${shown(missing)} missing`,
    ...paymentsOf(upstream),
    ...nextRunOf(upstream),
  ];
  const problem = problemLineOf(upstream);
  return [...parts, ...(problem === null ? [] : [problem])].join('; ');
}

/** Returns the reason why the upstream cannot be read, or null if it can. */
export function problemLineOf({ problem, failures }: ShownUpstream): string | null {
  if (problem === null) return null;
  return failures > 0 ? `${failures} failed in a row: ${problem}` : `problem: ${problem}`;
}

/**
 * Returns the line of a progress bar.
 * @param rate transactions per second
 */
export function barLineOf(upstream: ShownUpstream, rate: number): string {
  const { listed, waiting } = upstream;
  const counts = `${shown(listed)} read, ${shown(rate)}/s, ${shown(waiting)} waiting`;
  return `${progressTextOf(upstream)}${barOf(upstream)} ${counts}`.slice(0, MAX_COLUMNS);
}

function barOf(upstream: ShownUpstream): string {
  const months = monthsReadOf(upstream);
  if (months === null) return ',';
  const full = Math.floor((BAR_CELLS * months.done) / months.all);
  return ` [${'='.repeat(full)}${'-'.repeat(BAR_CELLS - full)}]`;
}

/** Returns the progress of checking the subscriptions again. */
function paymentsOf({ last_payments, payments_seen, payments_total }: ShownUpstream): string[] {
  if (last_payments === null) return [];
  if (payments_seen >= payments_total) return [`recurring payments checked ${last_payments} UTC`];
  return [`${shown(payments_seen)} of ${shown(payments_total)} recurring payments checked`];
}

function nextRunOf({ state, run, wanted, next_try, failures }: ShownUpstream): string[] {
  if (state === 'paused') return [];
  if (failures > 0) return [`next try ${next_try} UTC`];
  return run === null && wanted === null ? [`next run ${next_try} UTC`] : [];
}

function shown(count: number): string {
  return count.toLocaleString('en');
}
