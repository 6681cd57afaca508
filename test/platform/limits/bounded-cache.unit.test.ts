import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { BoundedCache } from '../../../src/platform/limits/memory/bounded-cache.js';
import { holds } from '../../support/random/properties.js';

interface Value {
  readonly name: string;
  readonly bytes: number;
}
const KIBIBYTE = 1_024;
const cacheOf = (mostBytes: number) => new BoundedCache<Value>(mostBytes, ({ bytes }) => bytes);
const value = (name: string, bytes = KIBIBYTE): Value => ({ name, bytes });

describe('BoundedCache', () => {
  it('gives what was kept, and nothing else', () => {
    const cache = cacheOf(10 * KIBIBYTE);
    cache.set('a', value('a'));
    expect(cache.get('a')).toEqual(value('a'));
    expect(cache.get('b')).toBeUndefined();
    expect(cache.get('A')).toBeUndefined();
  });

  it('gives what was kept last', () => {
    const cache = cacheOf(10 * KIBIBYTE);
    cache.set('a', value('first'));
    cache.set('a', value('second', 10));
    expect(cache.get('a')).toEqual(value('second', 10));
  });

  it('keeps nothing where it may keep no byte', () => {
    const cache = cacheOf(0);
    cache.set('a', value('a', 0));
    expect(cache.get('a')).toBeUndefined();
  });

  it('keeps nothing that is larger than all it may keep, and the rest stays', () => {
    const cache = cacheOf(10 * KIBIBYTE);
    cache.set('small', value('small'));
    cache.set('large', value('large', 10 * KIBIBYTE + 1));
    expect(cache.get('large')).toBeUndefined();
    expect(cache.get('small')).toBeDefined();
  });

  it('forgets the value before where the next of the same name is too large', () => {
    const cache = cacheOf(10 * KIBIBYTE);
    cache.set('a', value('first'));
    cache.set('a', value('second', 10 * KIBIBYTE + 1));
    expect(cache.get('a')).toBeUndefined();
  });

  it('lets go what was asked for longest ago', () => {
    const cache = cacheOf(5 * KIBIBYTE);
    for (const name of ['a', 'b', 'c']) cache.set(name, value(name));
    cache.get('a');
    cache.set('d', value('d'));
    expect(['a', 'b', 'c', 'd'].filter((name) => cache.get(name) !== undefined)).toEqual([
      'a',
      'c',
      'd',
    ]);
  });

  it('never keeps more bytes than it may, keys counted', async () => {
    const name = fc.oneof(fc.constantFrom('a', 'b', 'c'), fc.string({ maxLength: 2_000 }));
    const entries = fc.array(fc.tuple(name, fc.nat({ max: 6 * KIBIBYTE })), { maxLength: 40 });
    await holds(
      fc.property(entries, fc.integer({ min: 1, max: 16 * KIBIBYTE }), (sets, most) => {
        const cache = cacheOf(most);
        for (const [key, bytes] of sets) cache.set(key, value(key, bytes));
        const kept = [...new Set(sets.map(([key]) => key))].map(
          (key) => [key, cache.get(key)] as const,
        );
        const bytes = kept.map(([key, found]) =>
          found === undefined ? 0 : found.bytes + 2 * key.length,
        );
        expect(bytes.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(most);
      }),
      { numRuns: 500 },
    );
  });

  it('keeps a number of empty values that its bytes bound', () => {
    const cache = cacheOf(KIBIBYTE * KIBIBYTE);
    const names = Array.from({ length: 10_000 }, (_, index) => String(index));
    for (const name of names) cache.set(name, value(name, 0));
    expect(names.filter((name) => cache.get(name) !== undefined).length).toBeLessThan(3_000);
  });
});
