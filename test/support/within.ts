import { setTimeout as wait } from 'node:timers/promises';

const POLL_MS = 50;

/** Waits until a check holds; what it says after that time is what the test says. */
export async function within(milliseconds: number, check: () => Promise<void>): Promise<void> {
  const last = Date.now() + milliseconds;
  for (;;) {
    try {
      await check();
      return;
    } catch (error) {
      if (Date.now() > last) throw error;
    }
    await wait(POLL_MS);
  }
}
