const FIRST_PAUSE_MS = 5_000;
export const MAX_PAUSE_MS = 3_600_000;

/**
 * Returns the milliseconds until the next attempt: 5 seconds, doubled with each earlier failure, up
 * to an hour.
 */
export function pauseAfter(failures: number): number {
  return Math.min(FIRST_PAUSE_MS * 2 ** Math.min(failures, 20), MAX_PAUSE_MS);
}

/** Extends a pause by up to a quarter, so that not all jobs are due at once. */
export function spread(ms: number): number {
  return ms * (1 + Math.random() / 4);
}
