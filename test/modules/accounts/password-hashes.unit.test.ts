import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { ApiError } from '../../../src/api/errors/api-error.js';
import { Metrics } from '../../../src/platform/observability/metrics.js';
import { PasswordHashes } from '../../../src/modules/accounts/passwords/password-hashes.js';

const PASSWORD = 'pässwörd with ünïcode 🦊';
/** Node reports each new thread on this channel. */
const THREADS = 'worker_threads';

let metrics: Metrics;
let hashes: PasswordHashes;
let threads: Worker[];
const noteThread = (message: unknown) => {
  threads.push((message as { readonly worker: Worker }).worker);
};
beforeEach(() => {
  threads = [];
  subscribe(THREADS, noteThread);
  metrics = new Metrics();
  hashes = new PasswordHashes(metrics);
});
afterEach(async () => {
  jest.useRealTimers();
  unsubscribe(THREADS, noteThread);
  await hashes.onApplicationShutdown();
});

async function shown(metric: string): Promise<number> {
  const text = await metrics.registry.metrics();
  const at = text.indexOf(`vendor_reporting_password_hashes${metric} `);
  return Number(/ (\d+)\n/.exec(text.slice(at))?.[1]);
}

describe('the hashes of passwords', () => {
  it('tell the right password from others, those in the database from before too', async () => {
    const hash = await hashes.hashOf(PASSWORD);
    expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(await hashes.isPassword(hash, PASSWORD)).toBe(true);
    expect(await hashes.isPassword(hash, PASSWORD.toUpperCase())).toBe(false);
    expect(await hashes.isPassword(hash, '')).toBe(false);
    await expect(hashes.isPassword('no hash', PASSWORD)).rejects.toThrow();
    expect(await hashes.isPassword(hash, PASSWORD)).toBe(true);
  });

  it('are made by one thread, which begins with the first', async () => {
    expect(threads).toEqual([]);
    const made = Array.from({ length: 4 }, () => hashes.hashOf(PASSWORD));
    expect(await shown('{state="working"}')).toBe(1);
    expect(await shown('{state="waiting"}')).toBe(3);
    expect(new Set(await Promise.all(made)).size).toBe(4);
    expect(threads).toHaveLength(1);
    expect(await shown('{state="working"}')).toBe(0);
  });

  it('are 429 where 100 wait already', async () => {
    jest.useFakeTimers({ now: 0, doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
    const all = Array.from({ length: 104 }, () => hashes.hashOf(PASSWORD));
    const refused = await Promise.allSettled(all.slice(101));
    for (const answer of refused) {
      expect(answer.status === 'rejected' && (answer.reason as unknown)).toMatchObject({
        failure: 'too_many_requests',
        headers: { 'Retry-After': '5' },
      });
    }
    expect(await shown('_refused_total{reason="queue_full"}')).toBe(3);
    // Jobs that waited for more than 5 s are skipped once the first is done.
    jest.advanceTimersByTime(5_001);
    const late = await Promise.allSettled(all.slice(0, 101));
    expect(late[0]).toMatchObject({ status: 'fulfilled' });
    const reasons = late
      .slice(1)
      .map((one) => one.status === 'rejected' && (one.reason as unknown));
    expect(reasons.every((reason) => reason instanceof ApiError)).toBe(true);
    expect(await shown('_refused_total{reason="waited_too_long"}')).toBe(100);
    expect(await hashes.hashOf(PASSWORD)).toMatch(/^\$argon2id/);
  });

  it('are made by another thread where the first one died', async () => {
    const hash = await hashes.hashOf(PASSWORD);
    const [first, second] = [hashes.isPassword(hash, PASSWORD), hashes.isPassword(hash, PASSWORD)];
    await threads[0]?.terminate();
    // The running job may have ended before.
    expect(['fulfilled', 'rejected']).toContain((await Promise.allSettled([first]))[0].status);
    await second.catch(() => undefined);
    expect(await hashes.isPassword(hash, PASSWORD)).toBe(true);
    expect(threads).toHaveLength(2);
  });
});
