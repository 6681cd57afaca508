import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { PassThrough } from 'node:stream';
import { inTime } from '../../../src/modules/records-in/records.controller.js';

const LIMIT_MS = 120_000;

describe('a body that takes its time', () => {
  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('may stop for a minute', async () => {
    const body = new PassThrough();
    const chunks = inTime(body, LIMIT_MS);
    body.write('a');
    expect(String((await chunks.next()).value)).toBe('a');
    const next = chunks.next();
    jest.advanceTimersByTime(LIMIT_MS / 2);
    body.end('b');
    expect(String((await next).value)).toBe('b');
    expect((await chunks.next()).done).toBe(true);
  });

  it('is refused when its time is over, and stays open for the answer', async () => {
    const body = new PassThrough();
    const chunks = inTime(body, LIMIT_MS);
    body.write('a');
    await chunks.next();
    const next = chunks.next();
    jest.advanceTimersByTime(LIMIT_MS);
    await expect(next).rejects.toThrow('did not arrive within 120 seconds');
    expect(body.destroyed).toBe(false);
  });
});
