/** The queue of password hashes chooses the next check, and rejects others. */
import { expect, it } from '@jest/globals';
import {
  HashQueue,
  type HashLane,
} from '../../../src/modules/accounts/passwords/password-hashes.js';

/** A queue whose jobs end one by one, in the order of their start. */
class Watched {
  readonly begun: string[] = [];
  readonly queue = new HashQueue((reason) => new Error(reason));
  private readonly ends: (() => void)[] = [];

  /** @returns the outcome of the job */
  add(lane: HashLane, name: string): Promise<string> {
    const work = () => {
      this.begun.push(name);
      return new Promise<string>((resolve) => {
        this.ends.push(() => {
          resolve(name);
        });
      });
    };
    return this.queue.run(lane, work).catch((error: unknown) => String(error));
  }

  /** Ends the running jobs, and each one that starts after them, until the queue is empty. */
  async drain(): Promise<void> {
    // Each job begins within a few microtasks.
    await new Promise(setImmediate);
    for (let end = this.ends.shift(); end !== undefined; end = this.ends.shift()) {
      end();
      await new Promise(setImmediate);
    }
  }
}

it('lets the lanes take turns, whoever came first', async () => {
  const watched = new Watched();
  const all = [
    ...['s1', 's2', 's3', 's4'].map((name) => watched.add('sign-in', name)),
    ...['a1', 'a2'].map((name) => watched.add('account', name)),
  ];
  await watched.drain();
  expect(await Promise.all(all)).toEqual(['s1', 's2', 's3', 's4', 'a1', 'a2']);
  expect(watched.begun).toEqual(['s1', 'a1', 's2', 'a2', 's3', 's4']);
  expect([watched.queue.isWorking, watched.queue.waiting]).toEqual([false, 0]);
});

it('refuses strangers where 100 of them wait, and nobody of an account', async () => {
  const watched = new Watched();
  const flood = Array.from({ length: 103 }, (_, index) => watched.add('sign-in', `s${index}`));
  const own = watched.add('account', 'own');
  expect(watched.queue.waiting).toBe(101);
  await watched.drain();
  expect(await own).toBe('own');
  expect(watched.begun.slice(0, 3)).toEqual(['s0', 'own', 's1']);
  const refused = (await Promise.all(flood)).filter((outcome) => outcome === 'Error: queue_full');
  expect(refused).toHaveLength(2);
});
