import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { PrincipalMemory } from '../../src/access/principal-memory.js';

const HEADER = 'Basic a2V5Ong=';
const NOW = new Date('2025-06-01T12:00:00.200Z');
const principal = (expires: string | null = null) => ({
  ...{ user_id: 1, application_id: 2, suspended: false, expires, addresses: null, limits: null },
  lookedUpAt: performance.now(),
});

describe('PrincipalMemory', () => {
  let memory: PrincipalMemory;
  beforeEach(() => {
    jest.useFakeTimers({ now: NOW });
    memory = new PrincipalMemory();
  });
  afterEach(() => {
    jest.useRealTimers();
  });
  const passes = (milliseconds: number) => {
    jest.advanceTimersByTime(milliseconds);
  };

  it('knows nobody at first', () => {
    expect(memory.recall(HEADER)).toBeUndefined();
  });

  it('knows a key again for less than a second', () => {
    const known = principal();
    memory.keep(HEADER, known);
    expect(memory.recall(HEADER)).toBe(known);
    passes(999);
    expect(memory.recall(HEADER)).toBe(known);
    passes(1);
    expect(memory.recall(HEADER)).toBeUndefined();
  });

  it('does not know a key for longer because it is asked for', () => {
    memory.keep(HEADER, principal());
    for (let tenth = 0; tenth < 10; tenth += 1) {
      expect(memory.recall(HEADER)).toBeDefined();
      passes(100);
    }
    expect(memory.recall(HEADER)).toBeUndefined();
  });

  it('does not know a key for longer where the clock is set back', () => {
    memory.keep(HEADER, principal());
    jest.setSystemTime(Date.now() - 60_000);
    passes(1_000);
    expect(memory.recall(HEADER)).toBeUndefined();
  });

  it('does not know a key for longer where its look-up took long', () => {
    const found = principal();
    passes(600);
    memory.keep(HEADER, found);
    passes(399);
    expect(memory.recall(HEADER)).toBe(found);
    passes(1);
    expect(memory.recall(HEADER)).toBeUndefined();
  });

  it('knows a key no longer than it is valid', () => {
    memory.keep(HEADER, principal('2025-06-01 12:00:01'));
    passes(799);
    expect(memory.recall(HEADER)).toBeDefined();
    passes(1);
    expect(memory.recall(HEADER)).toBeUndefined();
  });

  it('does not know a key that was over when it was kept', () => {
    memory.keep(HEADER, principal('2025-06-01 12:00:00'));
    expect(memory.recall(HEADER)).toBeUndefined();
  });

  it.each([
    '',
    'Basic a2V5Ong',
    'basic a2V5Ong=',
    'Basic a2V5Ong= ',
    'BASIC A2V5ONG=',
    'Basic a2V5Ong==',
  ])('does not take another header for it: %j', (other) => {
    memory.keep(HEADER, principal());
    expect(memory.recall(other)).toBeUndefined();
  });

  it('keeps each header’s own principal, the last one that was kept', () => {
    memory.keep(HEADER, principal());
    memory.keep('Basic b3RoZXI6eA==', { ...principal(), user_id: 9 });
    memory.keep(HEADER, { ...principal(), suspended: true });
    expect(memory.recall(HEADER)).toMatchObject({ user_id: 1, suspended: true });
    expect(memory.recall('Basic b3RoZXI6eA==')).toMatchObject({ user_id: 9, suspended: false });
  });
});
