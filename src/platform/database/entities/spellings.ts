import type { Database, SqlValue } from '../database.js';
import { lowerCase } from '../text-ranges.js';

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
  const conditionOf = (column: string, others: readonly string[]) => {
    const found = [`vendor_id = ? AND ${column} = ?`];
    const notFound = others.map((other) => `COALESCE(${other}, '') <> ?`);
    return {
      sql: [...found, ...notFound].join(' AND '),
      values: [vendor_id, folded, ...others.map(() => folded)],
    };
  };
  const bothOf = (column: string) => [column, `${column}_folded`];
  return columns.flatMap((column, index) => {
    const others = columns.slice(0, index).flatMap(bothOf);
    return bothOf(column).map((one) => conditionOf(one, others));
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
