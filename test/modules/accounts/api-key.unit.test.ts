import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import {
  hashOfApiKey,
  isWellFormedApiKey,
  makeApiKey,
} from '../../../src/modules/accounts/applications/key-cipher.js';

const LETTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_ :';
const KEYS = Array.from({ length: 20 }, makeApiKey);

describe('an API key', () => {
  it('has a prefix that scanners can find, and letters and digits', () => {
    for (const key of KEYS) expect(key).toMatch(/^vra_[0-9A-Za-z]{42}$/);
  });

  it('is made anew each time', () => {
    expect(new Set(Array.from({ length: 1_000 }, makeApiKey)).size).toBe(1_000);
  });

  it('is well formed as it is made', () => {
    expect(KEYS.filter((key) => !isWellFormedApiKey(key))).toEqual([]);
  });

  it('is refused with any one character changed', () => {
    const accepted = KEYS.flatMap((key) =>
      Array.from(key, (own, at) =>
        Array.from(LETTERS, (other) =>
          other === own ? '' : key.slice(0, at) + other + key.slice(at + 1),
        ),
      ).flat(),
    ).filter(isWellFormedApiKey);
    expect(accepted).toEqual([]);
  });

  it('is refused with two neighbours swapped', () => {
    const accepted = KEYS.flatMap((key) =>
      Array.from(key, (_, at) =>
        [key.slice(0, at), key.charAt(at + 1), key.charAt(at), key.slice(at + 2)].join(''),
      ).filter((swapped) => swapped !== key),
    ).filter(isWellFormedApiKey);
    expect(accepted).toEqual([]);
  });

  it('is refused with a character more or less', () => {
    const [key = ''] = KEYS;
    const wrong = [key.slice(1), key.slice(0, -1), `${key}0`, ` ${key}`, `${key}\n`, ''];
    expect(wrong.filter(isWellFormedApiKey)).toEqual([]);
  });

  it('is found by the SHA-256 of all of it', () => {
    const [key = ''] = KEYS;
    expect(hashOfApiKey(key)).toBe(createHash('sha256').update(key).digest('hex'));
  });
});
