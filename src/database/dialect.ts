import type { FindManyOptions } from 'typeorm';

/** All that the statements of this service say differently on each database. */
export interface Dialect {
  readonly name: 'sqlite' | 'mysql';
  /** Ends a SELECT whose rows stay locked until the transaction is over. */
  readonly forUpdate: string;
  /** The same for `find` of a repository. */
  readonly locked: Pick<FindManyOptions, 'lock'>;
  /**
   * Selects the first of the numbers that the database gave to the rows of this session's last INSERT,
   * and the step from one to the next.
   */
  givenNumbers(rows: number): string;
  /** The day that lies a number of days after another, or the last there is. */
  daysAfter(day: string, days: string): string;
  /** The first day of the month that a day lies in. */
  monthOf(day: string): string;
  /**
   * Ends an INSERT that shall change the row where its key is there already.
   * @param key the columns of the primary key
   * @param changes what each column becomes
   */
  onConflict(key: readonly string[], changes: readonly Change[]): string;
}

/** `replace` takes the new value, `add` adds it to the stored one. */
export interface Change {
  readonly column: string;
  readonly by: 'replace' | 'add';
}

export const SQLITE: Dialect = {
  name: 'sqlite',
  // A transaction that writes holds the whole file, so there is nothing left to lock.
  forUpdate: '',
  locked: {},
  givenNumbers: (rows) => `SELECT last_insert_rowid() - ${rows - 1} AS first, 1 AS step`,
  daysAfter: (day, days) => `COALESCE(date(${day}, '+' || ${days} || ' days'), '9999-12-31')`,
  monthOf: (day) => `SUBSTR(${day}, 1, 7) || '-01'`,
  onConflict: (key, changes) =>
    `ON CONFLICT (${key.join(', ')}) DO UPDATE SET ${assignments(changes, (column) => `excluded.${column}`)}`,
};

export const MYSQL: Dialect = {
  name: 'mysql',
  forUpdate: 'FOR UPDATE',
  locked: { lock: { mode: 'pessimistic_write' } },
  // Nodes of Galera each give every so manieth number only.
  givenNumbers: () => 'SELECT LAST_INSERT_ID() AS first, @@auto_increment_increment AS step',
  daysAfter: (day, days) => `COALESCE(DATE_ADD(${day}, INTERVAL ${days} DAY), '9999-12-31')`,
  monthOf: (day) => `CONCAT(SUBSTR(${day}, 1, 7), '-01')`,
  // VALUES() is the one form that MySQL and MariaDB both understand.
  onConflict: (_key, changes) =>
    `ON DUPLICATE KEY UPDATE ${assignments(changes, (column) => `VALUES(${column})`)}`,
};

function assignments(changes: readonly Change[], incoming: (column: string) => string): string {
  return changes
    .map(({ column, by }) =>
      by === 'add'
        ? `${column} = ${column} + ${incoming(column)}`
        : `${column} = ${incoming(column)}`,
    )
    .join(', ');
}
