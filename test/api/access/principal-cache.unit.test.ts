import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { PrincipalCache } from '../../../src/api/access/api-key.guard.js';

const HEADER = 'Basic a2V5Ong=';
const NOW = new Date('2025-06-01T12:00:00.200Z');
const principal = (expires: string | null = null) => ({
  user_id: 1,
  application_id: 2,
  key_hash: 'a hash',
  access: 'full' as const,
  suspended: false,
  mcp_writes: false,
  expires,
  addresses: null,
  limits: null,
  lookedUpAt: performance.now(),
});

describe('PrincipalCache', () => {
  let memory: PrincipalCache;
  beforeEach(() => {
    jest.useFakeTimers({ now: NOW });
    memory = new PrincipalCache();
  });
  afterEach(() => {
    jest.useRealTimers();
  });
  const passes = (milliseconds: number) => {
    jest.advanceTimersByTime(milliseconds);
  };

  it('knows nobody at first', () => {
    expect(memory.get(HEADER)).toBeUndefined();
  });

  it('knows a key again for less than a second', () => {
    const known = principal();
    memory.set(HEADER, known);
    expect(memory.get(HEADER)).toBe(known);
    passes(999);
    expect(memory.get(HEADER)).toBe(known);
    passes(1);
    expect(memory.get(HEADER)).toBeUndefined();
  });

  it('does not know a key for longer because it is asked for', () => {
    memory.set(HEADER, principal());
    for (let tenth = 0; tenth < 10; tenth += 1) {
      expect(memory.get(HEADER)).toBeDefined();
      passes(100);
    }
    expect(memory.get(HEADER)).toBeUndefined();
  });

  it('does not know a key for longer where the clock is set back', () => {
    memory.set(HEADER, principal());
    jest.setSystemTime(Date.now() - 60_000);
    passes(1_000);
    expect(memory.get(HEADER)).toBeUndefined();
  });

  it('does not know a key for longer where its look-up took long', () => {
    const found = principal();
    passes(600);
    memory.set(HEADER, found);
    passes(399);
    expect(memory.get(HEADER)).toBe(found);
    passes(1);
    expect(memory.get(HEADER)).toBeUndefined();
  });

  it('knows a key no longer than it is valid', () => {
    memory.set(HEADER, principal('2025-06-01 12:00:01'));
    passes(799);
    expect(memory.get(HEADER)).toBeDefined();
    passes(1);
    expect(memory.get(HEADER)).toBeUndefined();
  });

  it('does not know a key that was over when it was kept', () => {
    memory.set(HEADER, principal('2025-06-01 12:00:00'));
    expect(memory.get(HEADER)).toBeUndefined();
  });

  it.each([
    '',
    'Basic a2V5Ong',
    'basic a2V5Ong=',
    'Basic a2V5Ong= ',
    'BASIC A2V5ONG=',
    'Basic a2V5Ong==',
  ])('does not take another header for it: %j', (other) => {
    memory.set(HEADER, principal());
    expect(memory.get(other)).toBeUndefined();
  });

  it('keeps each header’s own principal, the last one that was kept', () => {
    memory.set(HEADER, principal());
    memory.set('Basic b3RoZXI6eA==', { ...principal(), user_id: 9 });
    memory.set(HEADER, { ...principal(), suspended: true });
    expect(memory.get(HEADER)).toMatchObject({ user_id: 1, suspended: true });
    expect(memory.get('Basic b3RoZXI6eA==')).toMatchObject({ user_id: 9, suspended: false });
  });
});
