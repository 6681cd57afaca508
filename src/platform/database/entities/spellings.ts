import { isOneOf } from '../bulk.js';
import type { Database, SqlValue } from '../database.js';
import { SHORT_TEXT } from './columns.js';

/**
 * Texts are compared in the order of the database, which is that of their code points. E-mails are
 * compared without regard to the case of the letters A to Z, and names without regard to the case
 * of all letters. The service knows the spellings of a letter, so that every database finds the
 * same.
 */

const LAST_BEFORE_SURROGATES = 0xd7ff;
const FIRST_AFTER_SURROGATES = 0xe000;
const LAST_CODE_POINT = 0x10ffff;
/** A text that sorts after every text of a column. */
const LAST_TEXT = String.fromCodePoint(LAST_CODE_POINT).repeat(SHORT_TEXT + 1);

export function lowerCase(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/**
 * Returns the spellings of one character that a search treats alike, in the order of the database.
 */
export type Spellings = (letter: string) => readonly string[];

/** Ignores the case of the letters A to Z. */
export const A_TO_Z: Spellings = (letter) => {
  const lower = lowerCase(letter);
  const upper = upperCase(letter);
  return lower === upper ? [letter] : [upper, lower];
};

/** Ignores the case of the letters of all scripts. Each spelling is one character. */
export const ALL_SCRIPTS: Spellings = (letter) => {
  const [upper, lower] = [letter.toUpperCase(), letter.toLowerCase()];
  const found = new Set([letter, upper, lower, upper.toLowerCase(), lower.toUpperCase()]);
  const single = [...found].filter((each) => Array.from(each).length === 1);
  return single.sort((one, other) => pointOf(one) - pointOf(other));
};

/** Returns true if a text begins with `prefix`, without regard to case. */
export function beginsWith(text: string, prefix: string, spellings = A_TO_Z): boolean {
  const letters = text[Symbol.iterator]();
  for (const letter of prefix) {
    const { value } = letters.next();
    if (value !== letter && !spellings(letter).includes(value ?? '')) return false;
  }
  return true;
}

/**
 * Returns the range of texts that contains all texts that begin with `prefix`, without regard to
 * case, and others between them. `from` is included, `until` is not.
 */
export function rangeOfSpellings(prefix: string, spellings = A_TO_Z) {
  const options = Array.from(prefix, spellings);
  return {
    from: options.map((letters) => letters[0] ?? '').join(''),
    until: endOf(options.map((letters) => letters.at(-1) ?? '').join('')),
  };
}

export function upperCase(text: string): string {
  return text.replace(/[a-z]+/g, (letters) => letters.toUpperCase());
}

/** Returns the first text that sorts after this one. */
export function after(text: string): string {
  return `${text}\u0000`;
}

/** Returns the first text that sorts after all texts that begin with this one. */
export function endOf(prefix: string): string {
  const points = Array.from(prefix, (character) => character.codePointAt(0) ?? 0);
  while (points.at(-1) === LAST_CODE_POINT) points.pop();
  const last = points.pop();
  if (last === undefined) return LAST_TEXT;
  const next = last === LAST_BEFORE_SURROGATES ? FIRST_AFTER_SURROGATES : last + 1;
  return String.fromCodePoint(...points, next);
}

/**
 * Returns the first text at or after `from` that begins with `prefix`, without regard to case. Many
 * other texts lie between ANNA and anna; with this function, a search skips them from one spelling
 * to the next.
 * @returns null if there is no such text
 */
export function nextSpelling(prefix: string, from: string, spellings = A_TO_Z): string | null {
  const options = Array.from(prefix, spellings);
  const firsts = options.map(([first = '']) => first);
  const given = Array.from(from);
  const agree = options.findIndex((letters, at) => !letters.includes(given[at] ?? ''));
  if (agree < 0) return from;
  const place = given[agree];
  // A shorter text sorts before all texts that begin with it.
  if (place === undefined) return from + firsts.slice(agree).join('');
  for (let at = agree; at >= 0; at -= 1) {
    const higher = options[at]?.find((letter) => pointOf(letter) > pointOf(given[at] ?? ''));
    if (higher === undefined) continue;
    return [...given.slice(0, at), higher, ...firsts.slice(at + 1)].join('');
  }
  return null;
}

/** Returns true if a text sorts after another one in the order of the database. */
export function comesAfter(text: string, other: string): boolean {
  return Buffer.compare(Buffer.from(text), Buffer.from(other)) > 0;
}

function pointOf(letter: string): number {
  return letter.codePointAt(0) ?? 0;
}

/** Maximum number of distinct e-mail addresses in one read. */
const EMAILS = 5_000;

/**
 * Returns the form in which e-mails are compared: the letters A to Z in lower case, and no white
 * space around them.
 */
export function spelledAlike(email: string): string {
  return lowerCase(email.trim());
}

/** Holds a condition of a SELECT, and its values. */
export interface EmailLookup {
  readonly sql: string;
  readonly values: readonly SqlValue[];
}

/**
 * Returns the lookups that together find each row of a vendor that has an e-mail in one of these
 * columns, and find it once, however the row spells the e-mail. Each is a range of one index. An
 * e-mail that is not spelled in the form in which e-mails are compared is found by its folded
 * column, which the database derives from it, and which is null for all others.
 */
export function emailLookups(
  columns: readonly string[],
  { vendor_id, email }: { readonly vendor_id: number; readonly email: string },
): EmailLookup[] {
  const folded = spelledAlike(email);
  return spellingsIn(columns).map(({ column, others }) => {
    const notFound = others.map((other) => ` AND COALESCE(${other}, '') <> ?`);
    return {
      sql: `vendor_id = ? AND ${column} = ?${notFound.join('')}`,
      values: [vendor_id, folded, ...others.map(() => folded)],
    };
  });
}

/** Finds the rows with one of several e-mails, each by the value of the column. */
export interface EmailsLookup extends EmailLookup {
  readonly column: string;
}

/**
 * Returns the lookups that `emailLookups` returns for each of these e-mails, which are in the form
 * in which e-mails are compared, together: there are as many as for one. A row with several of them
 * is found once for each.
 */
export function lookupsOfEmails(
  columns: readonly string[],
  { vendor_id, emails }: { readonly vendor_id: number; readonly emails: readonly string[] },
): EmailsLookup[] {
  return spellingsIn(columns).map(({ column, others }) => {
    const notFound = others.map((other) => ` AND COALESCE(${other}, '') <> ${column}`);
    const { sql, values } = isOneOf(column, emails);
    return {
      column,
      sql: `vendor_id = ? AND ${sql}${notFound.join('')}`,
      values: [vendor_id, ...values],
    };
  });
}

/** Returns the columns by which a row is found, however this column of it spells an e-mail. */
function spellingsOf(column: string): readonly string[] {
  return [column, `${column}_folded`];
}

/** Returns the columns of all spellings, each with those by which a row is found before it. */
function spellingsIn(columns: readonly string[]) {
  return columns.flatMap((name, index) => {
    const others = columns.slice(0, index).flatMap(spellingsOf);
    return spellingsOf(name).map((column) => ({ column, others }));
  });
}

/** Yields all e-mail addresses in these columns of a vendor's rows, in batches. */
export async function* emailsIn(
  database: Database,
  table: string,
  columns: readonly string[],
  vendor_id: number,
): AsyncGenerator<readonly string[]> {
  for (const column of columns) {
    for (let last: string | undefined = ''; last !== undefined;) {
      const rows: { readonly email: string }[] = await database.select(
        `SELECT DISTINCT ${column} AS email FROM ${table}
          WHERE vendor_id = ? AND ${column} > ? ORDER BY ${column} LIMIT ?`,
        [vendor_id, last, EMAILS],
      );
      if (rows.length > 0) yield rows.map(({ email }) => email);
      last = rows.at(-1)?.email;
    }
  }
}
