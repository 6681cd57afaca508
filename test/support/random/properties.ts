import fc from 'fast-check';
import { processorMs } from '../processes/stopwatch.js';
import { printSeed, RANDOMNESS, runningTest, type Randomness } from './seed.js';

/** Settings for the number of runs of a property. */
export interface Depth {
  /** The number of runs without a budget of time; 100 by default. */
  readonly numRuns?: number;
  /** The number of runs that are done even if they take more than the budget; 3 by default. */
  readonly atLeast?: number;
  /** The number of settings under which the property is tested; they share one budget. */
  readonly settings?: number;
}

/** The settings and clocks that a property uses; tests of this module replace them. */
export interface Surroundings extends Randomness {
  /** The processor time of this process so far. It does not depend on how busy the machine is. */
  readonly cpuMs: () => number;
  readonly elapsedMs: () => number;
  readonly print: (line: string) => void;
}

/** The processor time of a property. */
const BUDGET_MS = 2_000;
/** On a very busy machine, a property still ends safely within the time limit of its test. */
const MOST_ELAPSED_MS = 30_000;
/** The elapsed time for making a failing case smaller, at every depth. */
const SHRINKING_MS = 10_000;

const SURROUNDINGS: Surroundings = {
  ...RANDOMNESS,
  cpuMs: processorMs,
  elapsedMs: () => performance.now(),
  print: (line) => process.stdout.write(`${line}\n`),
};

/**
 * Runs a property over random cases until its budget is spent, and prints its seed and the number
 * of runs. The budget is checked between runs only, so no run continues after the property has
 * ended.
 * @returns the number of runs
 * @throws Error with the seed and the smallest failing case that was found
 */
export async function holds<Case extends [unknown, ...unknown[]]>(
  property: fc.IAsyncProperty<Case> | fc.IProperty<Case>,
  depth: Depth = {},
  surroundings: Surroundings = SURROUNDINGS,
): Promise<number> {
  const { numRuns = 100 } = depth;
  const { seed, print } = surroundings;
  const plugins = [stopsWhenSpent<Case>(depth, surroundings)];
  const details = await fc.check(property, { seed, numRuns, plugins });
  const { failed, counterexamplePath } = details;
  const runs = failed ? firstFailing(counterexamplePath) : details.numRuns;
  const outcome = failed ? `failed in run ${runs}` : `${runs} of ${numRuns} runs`;
  const line = `property: ${runningTest()}: ${outcome}, TEST_SEED=${seed}`;
  print(line);
  if (!failed) return runs;
  const report = await fc.asyncDefaultReportMessage(details);
  throw new Error(`${line}\n${report ?? ''}`, { cause: details.errorInstance });
}

/** Returns the number of the failing run: a path such as `12:0:3` begins with its index. */
function firstFailing(path: string | null): number {
  return path === null ? 0 : Number(path.split(':')[0]) + 1;
}

/** Ends a property between two runs once its budget or the time for shrinking is spent. */
function stopsWhenSpent<Case>(
  { atLeast = 3, settings = 1 }: Depth,
  { isDeep, cpuMs, elapsedMs }: Surroundings,
): fc.Plugin<Case> {
  return () => {
    const begun = { cpu: cpuMs(), elapsed: elapsedMs() };
    let runs = 0;
    let failedAt: number | null = null;
    const isSpent = () => {
      if (failedAt !== null) return elapsedMs() - failedAt > SHRINKING_MS;
      if (isDeep || runs < atLeast) return false;
      const isOverBudget = cpuMs() - begun.cpu >= BUDGET_MS / settings;
      return isOverBudget || elapsedMs() - begun.elapsed >= MOST_ELAPSED_MS;
    };
    const noted = <Outcome>(outcome: Outcome): Outcome => {
      if (outcome === null) runs += 1;
      else if (!fc.PreconditionFailure.isFailure(outcome)) failedAt ??= elapsedMs();
      return outcome;
    };
    return {
      decorateRun: (nestedRun) => (value) => {
        if (isSpent()) return new fc.PreconditionFailure(true);
        const outcome = nestedRun(value);
        return outcome instanceof Promise ? outcome.then(noted) : noted(outcome);
      },
    };
  };
}

/** Generates random values for a test's ledger, and prints their seed. */
export function sampled<Value>(arbitrary: fc.Arbitrary<Value>, count: number): Value[] {
  printSeed();
  return fc.sample(arbitrary, { numRuns: count, seed: RANDOMNESS.seed });
}

/**
 * Runs `work` on each item, at most `width` at a time. After a failure it starts no further item,
 * and it ends when all started work has ended, so that none runs during the next step.
 */
export async function eachOf<Item>(
  items: readonly Item[],
  width: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const waiting = items.entries();
  let end = items.length;
  const worker = async () => {
    for (const [place, item] of waiting) {
      if (place >= end) return;
      await work(item).catch((error: unknown) => {
        end = 0;
        throw error;
      });
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: width }, worker));
  const failure = ended.find((one) => one.status === 'rejected');
  if (failure !== undefined) throw failure.reason;
}
