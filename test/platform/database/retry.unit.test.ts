import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import {
  DatabaseLostError,
  DatabaseTimeoutError,
  DatabaseUnreachableError,
  NodeNotWritableError,
  NoHostError,
  StatementTimeoutError,
  UnknownOutcomeError,
} from '../../../src/platform/errors/database-unavailable.js';
import {
  LostTransactionError,
  OutdatedReadError,
  withRetries,
} from '../../../src/platform/database/retry.js';
import { retryWhileBusy } from '../../../src/platform/database/sqlite/sqlite-busy.js';
import { stopwatch } from '../../support/processes/stopwatch.js';

const LOST = new DatabaseLostError(new Error('gone'));
const CONFLICT = Object.assign(new Error('met another'), { code: 'ER_LOCK_DEADLOCK' });
const OUTDATED = new OutdatedReadError('changed by another');
const NOWHERE = new DatabaseUnreachableError(new Error('refused'));
const MAX_WAIT_MS = 200;
/** This is far more than a few retries take, even on a busy machine. */
const LONG_WAIT_MS = 20_000;
/** This includes the last pause before an attempt. */
const OUT_OF_MAX_WAIT_MS = 1_500;

/**
 * Returns a transaction that throws these errors in turn. Without a result, it repeats the last
 * one.
 */
function failing(errors: readonly Error[], result?: string) {
  const calls = { count: 0 };
  const transaction = (): Promise<string> => {
    calls.count += 1;
    const error = errors[calls.count - 1] ?? (result === undefined ? errors.at(-1) : undefined);
    return error === undefined ? Promise.resolve(result ?? '') : Promise.reject(error);
  };
  return { calls, transaction };
}

describe('withRetries', () => {
  it.each([
    ['a lost connection', [LOST]],
    ['a conflict', [CONFLICT]],
    ['both in turn', [LOST, CONFLICT, LOST]],
    ['a server that is gone, and a name that leads nowhere yet', [LOST, NOWHERE, NOWHERE]],
  ])('goes on after %s', async (_, errors) => {
    const { calls, transaction } = failing(errors, 'done');
    expect(await withRetries(transaction, { maxWaitMs: LONG_WAIT_MS })).toBe('done');
    expect(calls.count).toBe(errors.length + 1);
  });

  it.each([
    'ER_LOCK_DEADLOCK',
    'ER_LOCK_WAIT_TIMEOUT',
    'ER_DUP_ENTRY',
    'ER_CHECKREAD',
    'SQLITE_CONSTRAINT_PRIMARYKEY',
    'SQLITE_CONSTRAINT_UNIQUE',
  ])('goes on after %s, and after no code like it', async (code) => {
    const met = failing([Object.assign(new Error('met another'), { code })], 'done');
    expect(await withRetries(met.transaction)).toBe('done');
    const other = Object.assign(new Error('something else'), { code: `${code}_X` });
    const wrong = failing([other], 'done');
    await expect(withRetries(wrong.transaction)).rejects.toBe(other);
    expect([met.calls.count, wrong.calls.count]).toEqual([2, 1]);
  });

  it.each([
    new LostTransactionError('undone without a word'),
    new NodeNotWritableError(LOST),
    new NoHostError(LOST),
  ])('goes on after $name', async (error) => {
    const { calls, transaction } = failing([error], 'done');
    expect(await withRetries(transaction, { maxWaitMs: LONG_WAIT_MS })).toBe('done');
    expect(calls.count).toBe(2);
  });

  it('tells that the database is away when its retry is at its end', async () => {
    const { calls, transaction } = failing([LOST]);
    const begun = performance.now();
    const waited = stopwatch();
    await expect(withRetries(transaction, { maxWaitMs: MAX_WAIT_MS })).rejects.toBe(LOST);
    expect(performance.now() - begun).toBeGreaterThan(MAX_WAIT_MS);
    expect(waited()).toBeLessThan(OUT_OF_MAX_WAIT_MS);
    expect(calls.count).toBeGreaterThan(2);
  });

  it('counts from when the database was found to be away, however long that took', async () => {
    const { calls, transaction } = failing([LOST], 'done');
    const slow = async () => {
      const begun = performance.now();
      while (performance.now() - begun < 2 * MAX_WAIT_MS) await turn();
      return transaction();
    };
    expect(await withRetries(slow, { maxWaitMs: MAX_WAIT_MS })).toBe('done');
    expect(calls.count).toBe(2);
  });

  it('repeats a transaction that meets others until the deadline', async () => {
    const { calls, transaction } = failing([CONFLICT, OUTDATED, CONFLICT, OUTDATED], 'done');
    expect(await withRetries(transaction)).toBe('done');
    expect(calls.count).toBe(5);
    const endless = failing([OUTDATED]);
    const retry = { maxWaitMs: 0, maxConflictMs: 0.01 };
    await expect(withRetries(endless.transaction, retry)).rejects.toBe(OUTDATED);
    expect(endless.calls.count).toBe(2);
  });

  it.each([
    ['what takes too long', new StatementTimeoutError(new Error('ended'))],
    ['what nobody knows of whether it was done', new UnknownOutcomeError(LOST)],
    ['what got no answer in time', new DatabaseTimeoutError()],
    ['what is wrong', new Error('no such table')],
  ])('does not repeat %s', async (_, error) => {
    const { calls, transaction } = failing([error], 'done');
    await expect(withRetries(transaction, { maxWaitMs: MAX_WAIT_MS })).rejects.toBe(error);
    expect(calls.count).toBe(1);
  });

  it('does not repeat what found a silent server, which has taken the time of all tries', async () => {
    const calls = { count: 0 };
    const silent = async () => {
      calls.count += 1;
      const begun = performance.now();
      while (performance.now() - begun <= MAX_WAIT_MS) await turn();
      throw NOWHERE;
    };
    await expect(withRetries(silent, { maxWaitMs: MAX_WAIT_MS })).rejects.toBe(NOWHERE);
    expect(calls.count).toBe(1);
  });

  it('repeats what takes too long behind others, if it is a batch', async () => {
    const slow = new StatementTimeoutError(new Error('ended'));
    const { calls, transaction } = failing([slow, CONFLICT, slow], 'done');
    const retry = { maxWaitMs: LONG_WAIT_MS, repeatsTimeouts: true };
    expect(await withRetries(transaction, retry)).toBe('done');
    expect(calls.count).toBe(4);
  });

  it('repeats what may have been done where that finds out by itself', async () => {
    const { calls, transaction } = failing([new UnknownOutcomeError(LOST)], 'done');
    const retry = { maxWaitMs: MAX_WAIT_MS, isIdempotent: true };
    expect(await withRetries(transaction, retry)).toBe('done');
    expect(calls.count).toBe(2);
  });
});

describe('retryWhileBusy', () => {
  const busy = (code: string) => Object.assign(new Error('database is locked'), { code });

  it.each(['SQLITE_BUSY', 'SQLITE_BUSY_RECOVERY'])('goes on after %s', async (code) => {
    const { calls, transaction } = failing([busy(code), busy(code)], 'done');
    expect(await retryWhileBusy(transaction)).toBe('done');
    expect(calls.count).toBe(3);
  });

  it.each(['SQLITE_BUSY_SNAPSHOT', 'SQLITE_LOCKED', 'SQLITE_CORRUPT'])(
    'does not repeat what %s ends',
    async (code) => {
      const error = busy(code);
      const { calls, transaction } = failing([error], 'done');
      await expect(retryWhileBusy(transaction)).rejects.toBe(error);
      expect(calls.count).toBe(1);
    },
  );

  it('ends when the file stays locked', async () => {
    const error = busy('SQLITE_BUSY');
    const { calls, transaction } = failing([error]);
    await expect(retryWhileBusy(transaction, 200)).rejects.toBe(error);
    expect(calls.count).toBeGreaterThan(1);
  });
});
