/** The loop that runs background jobs. */
import { getEventListeners } from 'node:events';
import { afterEach, expect, it } from '@jest/globals';
import { everyJob, JobQueue } from '../../../src/platform/jobs/job-queue.js';
import { within } from '../../support/processes/within.js';

const MAX = 20;
const SOON_MS = 10_000;

/** Runs jobs until a test ends them. */
class TestQueue extends JobQueue<{ readonly id: number }> {
  waiting: number[] = [];
  readonly signals: AbortSignal[] = [];
  readonly ends = new Map<number, () => void>();

  constructor() {
    super('Jobs could not run', 1, [{ max: MAX, group: everyJob }]);
  }

  protected due() {
    return Promise.resolve(this.waiting.map((id) => ({ id })));
  }

  protected attempt({ id }: { readonly id: number }, { signal }: AbortController): Promise<void> {
    this.signals.push(signal);
    return new Promise((resolve) => {
      const end = () => {
        this.waiting = this.waiting.filter((each) => each !== id);
        this.ends.delete(id);
        resolve();
      };
      this.ends.set(id, end);
      signal.addEventListener('abort', end);
    });
  }
}

let queue: TestQueue;
afterEach(() => queue.beforeApplicationShutdown());

it('jobs run up to the limit, each once at a time, and the next when one has ended', async () => {
  queue = new TestQueue();
  queue.waiting = [1, 1, ...Array.from({ length: MAX }, (_, at) => 2 + at)];
  queue.start();
  await within(SOON_MS, async () => {
    await Promise.resolve();
    expect(queue.ends.size === MAX).toBe(true);
  });
  expect([...queue.ends.keys()]).toEqual(Array.from({ length: MAX }, (_, at) => 1 + at));
  queue.ends.get(3)?.();
  await within(SOON_MS, async () => {
    await Promise.resolve();
    expect(queue.ends.has(MAX + 1)).toBe(true);
  });
  expect(queue.signals).toHaveLength(MAX + 1);
});

it('a stop ends all attempts, and no signal has many listeners', async () => {
  queue = new TestQueue();
  queue.waiting = Array.from({ length: MAX }, (_, at) => at);
  queue.start();
  await within(SOON_MS, async () => {
    await Promise.resolve();
    expect(queue.ends.size === MAX).toBe(true);
  });
  for (const signal of queue.signals) expect(getEventListeners(signal, 'abort')).toHaveLength(1);
  await queue.beforeApplicationShutdown();
  expect(queue.ends.size).toBe(0);
  for (const signal of queue.signals) expect(signal.aborted).toBe(true);
});
