import { setTimeout as wait } from 'node:timers/promises';

/**
 * Gives what must not happen the time to happen: there is no event to wait for. Whoever asserts afterwards
 * that something has happened waits with `until` or `within` instead.
 */
export async function timeToGoWrong(milliseconds: number): Promise<void> {
  await wait(milliseconds);
}
