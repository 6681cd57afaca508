import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  beginsWith,
  endOf,
  nextSpelling,
} from '../../../src/platform/database/entities/spellings.js';
import { holds } from '../../support/random/properties.js';

const letters = fc.constantFrom('A', 'B', 'a', 'b', '1', 'é', '\uFFFD', '🙂', '\u{10FFFF}');
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

describe('The next spelling', () => {
  it('begins with the prefix, and no text between begins with it', async () => {
    await holds(
      fc.property(some, texts, fc.array(texts, { maxLength: 20 }), (prefix, from, others) => {
        const next = nextSpelling(prefix, from);
        if (next !== null) {
          expect(beginsWith(next, prefix)).toBe(true);
          expect(isBefore(next, from)).toBe(false);
        }
        const passed = others.filter(
          (text) => !isBefore(text, from) && (next === null || isBefore(text, next)),
        );
        expect(passed.filter((text) => beginsWith(text, prefix))).toEqual([]);
      }),
      { numRuns: 2_000 },
    );
  });
});
