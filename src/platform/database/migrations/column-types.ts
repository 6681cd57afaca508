import type { ColumnType } from './create-table.js';

export const INTEGER = 'BIGINT NOT NULL';
/** An integer that is 0 at first. */
export const COUNTER = 'BIGINT NOT NULL DEFAULT 0';
export const TEXT = 'VARCHAR(255) NOT NULL';
export const WORD = 'VARCHAR(32) NOT NULL';
export const DATE_TIME = 'DATETIME NOT NULL';
export const DAY = 'DATE NOT NULL';
export const FLAG = 'TINYINT NOT NULL';

/**
 * White space that `trim()` of JavaScript removes: code points, and a class of a regular
 * expression.
 */
const SPACES = [
  0x9, 0xa, 0xb, 0xc, 0xd, 0x20, 0xa0, 0x1680, 0x2000, 0x2001, 0x2002, 0x2003, 0x2004, 0x2005,
  0x2006, 0x2007, 0x2008, 0x2009, 0x200a, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000, 0xfeff,
];
const SPACE = '[\t-\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]';
const CAPITALS = Array.from({ length: 26 }, (_, index) => String.fromCharCode(0x41 + index));

/**
 * Returns the type of a column with the form in which e-mails are compared. It is null where the
 * ledger stores the e-mail in this form, so one lookup in a sparse index finds all other spellings.
 * The database derives the column.
 */
export function folded(email: string): ColumnType {
  return {
    sqlite: derived(email, `LOWER(TRIM(${email}, CHAR(${SPACES.join(', ')})))`),
    mysql: derived(email, foldedOnMysql(email)),
  };
}

function derived(email: string, form: string): string {
  return `VARCHAR(255) GENERATED ALWAYS AS (NULLIF(${form}, ${email})) VIRTUAL`;
}

/**
 * Returns the SQL of the compared form. `LOWER` would change other letters than A to Z, too, which
 * it does not on SQLite, and `TRIM` removes nothing but spaces. The class contains its characters
 * themselves, since MariaDB reads a hexadecimal literal of an expression back as other text.
 */
function foldedOnMysql(email: string): string {
  const trimmed = `REGEXP_REPLACE(${email}, '^${SPACE}+|${SPACE}+$', '')`;
  return CAPITALS.reduce(
    (text, capital) => `REPLACE(${text}, '${capital}', '${capital.toLowerCase()}')`,
    trimmed,
  );
}
