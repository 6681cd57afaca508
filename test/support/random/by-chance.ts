import { setTimeout as wait } from 'node:timers/promises';

/** Waits until a moment that nothing decides but chance: what it meets may be anything. */
export async function byChance(mostMs: number, leastMs = 0): Promise<void> {
  await wait(leastMs + Math.random() * (mostMs - leastMs));
}
