import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  A_TO_Z,
  ALL_SCRIPTS,
  beginsWith,
  endOf,
  nextSpelling,
  rangeOfSpellings,
} from '../../../src/platform/database/entities/spellings.js';
import { holds } from '../../support/random/properties.js';

const letters = fc.constantFrom(
  'A',
  'B',
  'a',
  'b',
  '1',
  'é',
  'É',
  'ж',
  'Ж',
  'ß',
  'İ',
  'σ',
  'ς',
  '\uFFFD',
  '🙂',
  '\u{10FFFF}',
  '\u{10400}',
  '\u{10428}',
);
const texts = fc.array(letters, { maxLength: 3 }).map((all) => all.join(''));
const some = fc.array(letters, { minLength: 1, maxLength: 3 }).map((all) => all.join(''));

function isBefore(left: string, right: string): boolean {
  return Buffer.compare(Buffer.from(left), Buffer.from(right)) < 0;
}

describe('The range of a prefix', () => {
  it('ends before the first text that does not begin with it', async () => {
    await holds(
      fc.property(some, texts, (prefix, text) => {
        const isIn = !isBefore(text, prefix) && isBefore(text, endOf(prefix));
        expect(isIn).toBe(text.startsWith(prefix));
      }),
    );
    expect(endOf('a\uD7FF')).toBe('a\uE000');
  });
});

describe.each([
  ['the letters A to Z', A_TO_Z],
  ['all letters', ALL_SCRIPTS],
])('The next spelling without regard to the case of %s', (_, spellings) => {
  it('begins with the prefix, and no text between begins with it', async () => {
    await holds(
      fc.property(some, texts, fc.array(texts, { maxLength: 20 }), (prefix, from, others) => {
        const next = nextSpelling(prefix, from, spellings);
        if (next !== null) {
          expect(beginsWith(next, prefix, spellings)).toBe(true);
          expect(isBefore(next, from)).toBe(false);
        }
        const passed = others.filter(
          (text) => !isBefore(text, from) && (next === null || isBefore(text, next)),
        );
        expect(passed.filter((text) => beginsWith(text, prefix, spellings))).toEqual([]);
      }),
      { numRuns: 2_000 },
    );
  });

  it('lies in the range of all spellings', async () => {
    await holds(
      fc.property(some, texts, (prefix, text) => {
        const { from, until } = rangeOfSpellings(prefix, spellings);
        const isIn = !isBefore(text, from) && isBefore(text, until);
        if (beginsWith(text, prefix, spellings)) expect(isIn).toBe(true);
      }),
    );
  });
});

describe('The case of letters', () => {
  it('is that of all scripts for names, and of A to Z for e-mails', () => {
    expect(beginsWith('ÉLODIE', 'élo', ALL_SCRIPTS)).toBe(true);
    expect(beginsWith('Жанна', 'ЖАН', ALL_SCRIPTS)).toBe(true);
    expect(beginsWith('Elodie', 'élo', ALL_SCRIPTS)).toBe(false);
    expect(beginsWith('ÉLODIE', 'élo')).toBe(false);
    expect(beginsWith('Élodie', 'Élo')).toBe(true);
  });
});
