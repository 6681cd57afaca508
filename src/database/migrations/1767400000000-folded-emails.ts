import type { MigrationInterface, QueryRunner } from 'typeorm';
import {
  addColumns,
  addIndex,
  dropColumns,
  dropIndexIfThere,
  isSqlite,
  type NewColumn,
  type NewIndex,
} from './create-table.js';

/** The e-mail columns of each table, and the columns that follow the e-mail in its indexes. */
const TABLES = [
  {
    table: 'transactions',
    order: ['sale_date', 'arrival'],
    emails: ['customer_email', 'customer_processor_email'],
  },
  {
    table: 'recurring_payments',
    order: ['pre_key'],
    emails: ['processor_email', 'contact_email', 'sender_email'],
  },
] as const;

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
 * Adds to each e-mail of a customer the form in which e-mails are compared, where the ledger spells
 * it otherwise, so that one lookup in an index finds all spellings. The database derives the
 * columns: no row is rewritten, and instances of the previous version cannot leave them outdated.
 */
export class FoldedEmails1767400000000 implements MigrationInterface {
  readonly name = 'FoldedEmails1767400000000';

  async up(runner: QueryRunner): Promise<void> {
    await addColumns(runner, columnsOf(runner));
    for (const index of indexesOf(runner)) await addIndex(runner, index);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const index of indexesOf(runner)) await dropIndexIfThere(runner, index);
    await dropColumns(runner, columnsOf(runner));
  }
}

function columnsOf(runner: QueryRunner): NewColumn[] {
  const folded = isSqlite(runner) ? foldedOnSqlite : foldedOnMysql;
  return TABLES.flatMap(({ table, emails }) =>
    emails.map((email): NewColumn => {
      const value = `NULLIF(${folded(email)}, ${email})`;
      return [table, `${email}_folded`, `VARCHAR(255) GENERATED ALWAYS AS (${value}) VIRTUAL`];
    }),
  );
}

function indexesOf(runner: QueryRunner): NewIndex[] {
  return TABLES.flatMap(({ table, emails, order }) =>
    emails.map((email) => {
      const column = `${email}_folded`;
      const sparse = isSqlite(runner) ? { where: `${column} IS NOT NULL` } : {};
      const columns = ['vendor_id', column, ...order];
      return { table, name: `${table}_by_${column}`, columns, ...sparse };
    }),
  );
}

/** Returns the SQL of the compared form. `LOWER` of SQLite changes only the letters A to Z. */
function foldedOnSqlite(email: string): string {
  return `LOWER(TRIM(${email}, CHAR(${SPACES.join(', ')})))`;
}

/**
 * Returns the SQL of the compared form. `LOWER` would change other letters, too, and `TRIM` removes
 * nothing but spaces. The class contains its characters themselves, since MariaDB reads a
 * hexadecimal literal of an expression back as other text.
 */
function foldedOnMysql(email: string): string {
  const trimmed = `REGEXP_REPLACE(${email}, '^${SPACE}+|${SPACE}+$', '')`;
  return CAPITALS.reduce(
    (text, capital) => `REPLACE(${text}, '${capital}', '${capital.toLowerCase()}')`,
    trimmed,
  );
}
