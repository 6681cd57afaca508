import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isDeepStrictEqual } from 'node:util';
import {
  matchesIfNoneMatch,
  tagOf,
  type Tagged,
} from '../../../src/api/cache/conditional-get.interceptor.js';
import { holds } from '../../support/random/properties.js';

const url = fc.oneof(fc.webPath(), fc.constantFrom('/a', '/a?1', '/a?12', '/1', '/12'));
const id = fc.oneof(fc.constantFrom(0, 1, 2, 11, 12, 21, 112), fc.maxSafeNat());
const coding = fc.constantFrom('br' as const, 'gzip' as const, null);
const variant = fc.constantFrom('unknown', null);
const view = fc.constantFrom('masked', null);
const named: fc.Arbitrary<Tagged> = fc.record(
  { url, user_id: id, view, revision: id, coding, variant },
  { noNullPrototype: true },
);

describe('tagOf', () => {
  it('is a strong tag of RFC 9110', async () => {
    await holds(
      fc.property(named, (parts) => {
        expect(tagOf(parts)).toMatch(/^"[\x21\x23-\x7e]+"$/);
      }),
    );
  });

  it('is the same for the same, and another for another address, user, view, revision or form', async () => {
    await holds(
      fc.property(named, named, (one, other) => {
        expect(tagOf(one) === tagOf(other)).toBe(isDeepStrictEqual(one, other));
      }),
      { numRuns: 2_000 },
    );
  });

  it('does not take the end of one number for the beginning of the next', () => {
    const plain = { view: null, coding: null, variant: null };
    const tags = [
      tagOf({ url: '/a', user_id: 1, revision: 12, ...plain }),
      tagOf({ url: '/a', user_id: 11, revision: 2, ...plain }),
      tagOf({ url: '2 /a', user_id: 1, revision: 1, ...plain }),
    ];
    expect(new Set(tags).size).toBe(3);
  });
});

describe('matchesIfNoneMatch', () => {
  const TAG = '"a-tag"';

  it.each([
    TAG,
    `W/${TAG}`,
    ` ${TAG} `,
    `"b",${TAG}`,
    `${TAG},"b"`,
    `"b" , W/${TAG} ,"c"`,
    '*',
    ' * ',
  ])('finds a tag in %j', (known) => {
    expect(matchesIfNoneMatch(known, TAG)).toBe(true);
  });

  it.each([
    '',
    '"b"',
    'a-tag',
    '"A-TAG"',
    '"a-tag',
    'w/"a-tag"',
    'W/W/"a-tag"',
    '"a-tag-br"',
    '**',
  ])('finds none in %j', (known) => {
    expect(matchesIfNoneMatch(known, TAG)).toBe(false);
  });

  it('finds a tag wherever it stands among others', async () => {
    const others = fc.array(named.map(tagOf));
    const space = fc.constantFrom('', ' ', '\t', '  ');
    await holds(
      fc.property(others, named, fc.nat(), fc.boolean(), space, (list, parts, at, isWeak, gap) => {
        const tag = tagOf(parts);
        const known = [...list];
        known.splice(at % (list.length + 1), 0, isWeak ? `W/${tag}` : tag);
        expect(matchesIfNoneMatch(known.join(`${gap},${gap}`), tag)).toBe(true);
        expect(matchesIfNoneMatch(list.join(`${gap},${gap}`), tag)).toBe(list.includes(tag));
      }),
    );
  });
});
