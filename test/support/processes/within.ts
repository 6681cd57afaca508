import { setTimeout as wait } from 'node:timers/promises';

const POLL_MS = 50;

/**
 * Waits until a check holds. A check that begins after the time limit is the last one, and its
 * error is that of the test: on a busy machine, an earlier check may have begun before the change
 * was due and ended long after.
 */
export async function within(milliseconds: number, check: () => Promise<void>): Promise<void> {
  const due = performance.now() + milliseconds;
  for (;;) {
    const begun = performance.now();
    try {
      await check();
      return;
    } catch (error) {
      if (begun > due) throw error;
    }
    await wait(POLL_MS);
  }
}
