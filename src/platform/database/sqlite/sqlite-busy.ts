import { setTimeout as wait } from 'node:timers/promises';
import { codeOf } from '../../errors/is-error.js';

const MAX_WAIT_MS = 24_000;
const MIN_PAUSE_MS = 1;
/**
 * Longest pause between attempts, in milliseconds. An attempt costs only microseconds, and longer
 * pauses would miss short gaps.
 */
const MAX_PAUSE_MS = 10;
/**
 * Milliseconds for which a process leaves the file unlocked for others, longer than MAX_PAUSE_MS.
 */
export const GAP_MS = 15;

/**
 * Retries a call while another process has locked the file. SQLite's own wait would block the event
 * loop, and so all other requests.
 * @throws the driver's error if the lock is not released in time
 */
export async function retryWhileBusy<Result>(
  call: () => Result | Promise<Result>,
  maxWaitMs = MAX_WAIT_MS,
): Promise<Result> {
  const startedAt = performance.now();
  for (let pauseMs = MIN_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS)) {
    try {
      return await call();
    } catch (error) {
      if (!isBusy(error) || performance.now() - startedAt > maxWaitMs) throw error;
    }
    await wait(pauseMs);
  }
}

function isBusy(error: unknown): boolean {
  const code = codeOf(error);
  return code === 'SQLITE_BUSY' || code === 'SQLITE_BUSY_RECOVERY';
}
