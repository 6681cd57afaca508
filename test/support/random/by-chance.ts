import { setTimeout as wait } from 'node:timers/promises';
import type { SeededRandom } from '../../../src/modules/demo/seeded-random.js';
import { printedRandom } from './seed.js';

let random: SeededRandom | undefined;

/**
 * Waits for a random time that depends only on the seed. The next step can therefore meet any
 * state.
 */
export async function byChance(mostMs: number, leastMs = 0): Promise<void> {
  random ??= printedRandom();
  await wait(leastMs + random.fraction() * (mostMs - leastMs));
}
