/** The seed of everything random in a test file, and whether it runs at its full depth. */
import { randomInt } from 'node:crypto';
import { expect } from '@jest/globals';
import { SeededRandom } from '../../../src/modules/demo/seeded-random.js';

export interface Randomness {
  readonly seed: number;
  /** True if random tests do all of their runs, however long they take. */
  readonly isDeep: boolean;
}

type Variables = Readonly<Partial<Record<'TEST_SEED' | 'TEST_COMMIT' | 'TEST_DEPTH', string>>>;

/**
 * Returns the seed and the depth. `TEST_SEED` repeats a run at full depth, because a time budget
 * might leave out the run that failed. In CI the seed is derived from `TEST_COMMIT`. Otherwise it
 * is new in each run.
 * @throws Error if TEST_SEED is not a whole number
 */
export function randomnessOf({ TEST_SEED, TEST_COMMIT = '', TEST_DEPTH }: Variables): Randomness {
  const isDeep = TEST_DEPTH === 'deep' || TEST_SEED !== undefined;
  if (TEST_SEED !== undefined) {
    if (!/^\d{1,10}$/.test(TEST_SEED))
      throw new Error(`Not a whole number: TEST_SEED=${TEST_SEED}`);
    return { seed: Number(TEST_SEED), isDeep };
  }
  const ofCommit = Number.parseInt(TEST_COMMIT.slice(0, 7), 16);
  return { seed: Number.isNaN(ofCommit) ? randomInt(2 ** 31) : ofCommit, isDeep };
}

export const RANDOMNESS = randomnessOf(process.env);

/** Returns the running test with its file, which is printed with the seed. */
export function runningTest(): string {
  const { testPath = '', currentTestName = 'before its tests' } = expect.getState();
  const from = testPath.lastIndexOf('/test/');
  return `${testPath.slice(from + 1)}, ${currentTestName}`;
}

/** Prints the seed of a test that is random but has no property. */
export function printSeed(): void {
  process.stdout.write(`random: ${runningTest()}: TEST_SEED=${RANDOMNESS.seed}\n`);
}

/** Returns random numbers after it has printed their seed. */
export function printedRandom(): SeededRandom {
  printSeed();
  return new SeededRandom(RANDOMNESS.seed);
}

/**
 * Chooses pairs from two lists that have too many combinations for each run. Over many seeds each
 * pair is chosen, and at full depth all pairs are.
 */
export class RandomPairs {
  private readonly random: SeededRandom;
  private readonly decks = new Map<readonly unknown[], Iterator<number, never>>();

  constructor(private readonly randomness: Randomness = RANDOMNESS) {
    this.random = new SeededRandom(randomness.seed);
  }

  /**
   * Returns each item of the first list once. Items of the second list are dealt in random order
   * over all calls with that list, each once before any is repeated.
   */
  of<Left, Right>(lefts: readonly Left[], rights: readonly Right[]): [Left, Right][] {
    if (this.randomness.isDeep) {
      return lefts.flatMap((left) => rights.map((right): [Left, Right] => [left, right]));
    }
    const places = this.placesOf(rights);
    return lefts.flatMap((left) => {
      const place = places.next().value;
      return rights.slice(place, place + 1).map((right): [Left, Right] => [left, right]);
    });
  }

  private placesOf(items: readonly unknown[]): Iterator<number, never> {
    const places = this.decks.get(items) ?? this.dealt(items.length);
    this.decks.set(items, places);
    return places;
  }

  private *dealt(length: number): Generator<number, never> {
    for (;;) {
      const places = Array.from({ length }, (_, place) => ({ place, at: this.random.fraction() }));
      yield* places.sort((left, right) => left.at - right.at).map(({ place }) => place);
    }
  }
}
