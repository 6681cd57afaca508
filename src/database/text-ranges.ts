import { SHORT_TEXT } from './columns.js';

/**
 * Texts in the order of the database, which is that of their code points. E-mails are compared without
 * regard to the case of the letters A to Z; all other characters are compared as they are, so that every
 * database finds the same.
 */

const LAST_BEFORE_SURROGATES = 0xd7ff;
const FIRST_AFTER_SURROGATES = 0xe000;
const LAST_CODE_POINT = 0x10ffff;
/** After every text of a column. */
const LAST_TEXT = String.fromCodePoint(LAST_CODE_POINT).repeat(SHORT_TEXT + 1);

export function lowerCase(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** Whether a text begins with `prefix` in any case. */
export function beginsWith(text: string, prefix: string): boolean {
  return lowerCase(text).startsWith(lowerCase(prefix));
}

export function upperCase(text: string): string {
  return text.replace(/[a-z]+/g, (letters) => letters.toUpperCase());
}

/** The first text after this one. */
export function after(text: string): string {
  return `${text}\u0000`;
}

/** The first text after all that begin with this one. */
export function endOf(prefix: string): string {
  const points = codePoints(prefix);
  while (points.at(-1) === LAST_CODE_POINT) points.pop();
  const last = points.pop();
  if (last === undefined) return LAST_TEXT;
  const next = last === LAST_BEFORE_SURROGATES ? FIRST_AFTER_SURROGATES : last + 1;
  return String.fromCodePoint(...points, next);
}

/**
 * The first text at or after `from` that begins with `prefix` in any case; null if there is none. Between
 * ANNA and anna lie many other texts: with this, a search goes from one spelling to the next, past them.
 */
export function nextSpelling(prefix: string, from: string): string | null {
  const wanted = Array.from(upperCase(prefix));
  const given = Array.from(from);
  const agree = wanted.findIndex((letter, at) => !spellings(letter).includes(given[at] ?? ''));
  if (agree < 0) return from;
  const place = given[agree];
  // A shorter text stands before all that begin with it.
  if (place === undefined) return from + wanted.slice(agree).join('');
  for (let at = agree; at >= 0; at -= 1) {
    const higher = spellings(wanted[at] ?? '').find((letter) => isAfter(letter, given[at] ?? ''));
    if (higher === undefined) continue;
    return [...given.slice(0, at), higher, ...wanted.slice(at + 1)].join('');
  }
  return null;
}

/** In their order: capital letters come first. */
function spellings(letter: string): readonly string[] {
  const lower = lowerCase(letter);
  return lower === letter ? [letter] : [letter, lower];
}

function isAfter(one: string, other: string): boolean {
  return (one.codePointAt(0) ?? 0) > (other.codePointAt(0) ?? 0);
}

function codePoints(text: string): number[] {
  return Array.from(text, (character) => character.codePointAt(0) ?? 0);
}
