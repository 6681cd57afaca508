import { setImmediate as turn } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { holds, type Surroundings } from '../support/random/properties.js';
import { RandomPairs, randomnessOf } from '../support/random/seed.js';

const RUN_MS = 300;
const SEED = 20_251;

let cpu: number;
let elapsed: number;
let begun: number;
let ended: number;
let printed: string[];
beforeEach(() => {
  [cpu, elapsed, begun, ended, printed] = [0, 0, 0, 0, []];
});

function surroundings(isDeep = false): Surroundings {
  return {
    seed: SEED,
    isDeep,
    cpuMs: () => cpu,
    elapsedMs: () => elapsed,
    print: (line) => printed.push(line),
  };
}

/**
 * Returns a property whose runs need a fixed processor time, and end a turn of the event loop after
 * their start.
 */
function property(isRight: (value: number) => boolean = () => true, runMs = RUN_MS) {
  return fc.asyncProperty(fc.nat({ max: 1_000_000 }), async (value) => {
    begun += 1;
    await turn();
    cpu += runMs;
    ended += 1;
    return isRight(value);
  });
}

describe('A property', () => {
  it('ends between two runs once its budget is spent, and says how many runs it did', async () => {
    expect(await holds(property(), { numRuns: 50 }, surroundings())).toBe(7);
    expect([begun, ended]).toEqual([7, 7]);
    expect(printed).toEqual([
      expect.stringMatching(/^property: test\/project.*: 7 of 50 runs, TEST_SEED=20251$/),
    ]);
  });

  it('shares its budget between its settings', async () => {
    expect(await holds(property(), { numRuns: 50, settings: 2 }, surroundings())).toBe(4);
  });

  it('does its least number of runs, however long they take', async () => {
    const slow = property(() => true, 5_000);
    expect(await holds(slow, { numRuns: 50, atLeast: 5 }, surroundings())).toBe(5);
  });

  it('ends in time where processor time is scarce', async () => {
    const waiting = fc.asyncProperty(fc.nat(), async () => {
      await turn();
      elapsed += 8_000;
    });
    expect(await holds(waiting, { numRuns: 50 }, surroundings())).toBe(4);
  });

  it('without asynchronous work has the same budget', async () => {
    const plain = fc.property(fc.nat(), () => {
      cpu += RUN_MS;
    });
    expect(await holds(plain, { numRuns: 50 }, surroundings())).toBe(7);
  });

  it('does all runs at full depth', async () => {
    expect(await holds(property(), { numRuns: 50 }, surroundings(true))).toBe(50);
  });

  it('fails beyond its budget when its seed is given, with a smaller case and the seed', async () => {
    let runs = 0;
    let isFound = false;
    const late = () =>
      property((value) => {
        runs += 1;
        isFound ||= runs === 20;
        return !isFound || value < 10;
      });
    expect(await holds(late(), { numRuns: 50 }, surroundings())).toBe(7);
    runs = 0;
    const failure: unknown = await holds(late(), { numRuns: 50 }, surroundings(true)).catch(
      (error: unknown) => error,
    );
    const line = /failed in run 20, TEST_SEED=20251\n/;
    expect(String(failure)).toMatch(line);
    expect(String(failure)).toContain('Counterexample: [10]');
  });

  it('is not shrunk without end', async () => {
    const endless = fc.asyncProperty(fc.nat(), async () => {
      await turn();
      begun += 1;
      elapsed += 4_000;
      return false;
    });
    await expect(holds(endless, {}, surroundings())).rejects.toThrow('TEST_SEED=20251');
    expect(begun).toBeLessThan(6);
  });
});

describe('The seed', () => {
  it('is the one that was given, and then no run is left out', () => {
    expect(randomnessOf({ TEST_SEED: '42', TEST_COMMIT: 'abcdef0' })).toEqual({
      seed: 42,
      isDeep: true,
    });
    expect(() => randomnessOf({ TEST_SEED: '4x' })).toThrow('TEST_SEED=4x');
  });

  it('follows from the commit', () => {
    const commit = { TEST_COMMIT: '00000ffa8b1c0a' };
    expect(randomnessOf(commit)).toEqual({ seed: 0xff, isDeep: false });
    expect(randomnessOf({ ...commit, TEST_DEPTH: 'deep' }).isDeep).toBe(true);
  });

  it('is new in each run without either', () => {
    const seeds = new Set(Array.from({ length: 20 }, () => randomnessOf({}).seed));
    expect(seeds.size).toBeGreaterThan(15);
  });
});

describe('Random pairs', () => {
  const lefts = Array.from({ length: 10 }, (_, item) => item);
  const rights = ['a', 'b', 'c', 'd'];

  it('are chosen by the seed: each item of one list, and in turn those of the other', () => {
    const seen = new Set<string>();
    for (let seed = 0; seed < 60; seed += 1) {
      const randomness = { seed, isDeep: false };
      const [pairs, again] = [new RandomPairs(randomness), new RandomPairs(randomness)];
      const chosen = [...pairs.of(lefts, rights), ...pairs.of(lefts, rights)];
      expect(chosen).toEqual([...again.of(lefts, rights), ...again.of(lefts, rights)]);
      expect(chosen.map(([left]) => left)).toEqual([...lefts, ...lefts]);
      for (let at = 0; at < chosen.length; at += rights.length) {
        const dealt = chosen.slice(at, at + rights.length).map(([, right]) => right);
        expect(dealt.sort()).toEqual(rights);
      }
      for (const pair of chosen) seen.add(pair.join());
    }
    expect(seen.size).toBe(lefts.length * rights.length);
  });

  it('are all pairs at full depth', () => {
    const pairs = new RandomPairs({ seed: 1, isDeep: true }).of(lefts, rights);
    expect(new Set(pairs.map((pair) => pair.join())).size).toBe(lefts.length * rights.length);
  });
});
