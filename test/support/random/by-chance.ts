import { setTimeout as wait } from 'node:timers/promises';
import type { SeededRandom } from '../../../src/modules/demo/seeded-random.js';
import { printedRandom } from './seed.js';

let random: SeededRandom | undefined;

/** Waits until a moment that nothing but the seed decides: what it meets may be anything. */
export async function byChance(mostMs: number, leastMs = 0): Promise<void> {
  random ??= printedRandom();
  await wait(leastMs + random.fraction() * (mostMs - leastMs));
}
