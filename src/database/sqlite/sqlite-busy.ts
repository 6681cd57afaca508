import { setTimeout as wait } from 'node:timers/promises';
import { codeOf } from '../../common/errors/is-error.js';

/** For how long a lock that another process holds is waited for. */
const MOST_MS = 24_000;
const SHORTEST_PAUSE_MS = 1;
/** A try costs a few microseconds, and whoever tries seldom comes too late again and again. */
const LONGEST_PAUSE_MS = 10;
/** For so long a file is left alone that others wait for: each of them tries within it. */
export const GAP_MS = 15;

/**
 * Makes a call that needs a lock of SQLite, and again while another process holds it. SQLite's own wait
 * would block the event loop, and with it every other request.
 * @throws the driver's error where the lock is not to be had in time
 */
export async function onceFree<Result>(
  call: () => Result | Promise<Result>,
  mostMs = MOST_MS,
): Promise<Result> {
  const begun = performance.now();
  for (let pauseMs = SHORTEST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
    try {
      return await call();
    } catch (error) {
      if (!isBusy(error) || performance.now() - begun > mostMs) throw error;
    }
    await wait(pauseMs);
  }
}

function isBusy(error: unknown): boolean {
  const code = codeOf(error);
  return code === 'SQLITE_BUSY' || code === 'SQLITE_BUSY_RECOVERY';
}
