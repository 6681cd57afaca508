import { setTimeout as wait } from 'node:timers/promises';

/**
 * Gives something that must not happen the time to happen, because there is no event to wait for.
 * Tests that expect something to happen use `until` or `within` instead.
 */
export async function timeToGoWrong(milliseconds: number): Promise<void> {
  await wait(milliseconds);
}
