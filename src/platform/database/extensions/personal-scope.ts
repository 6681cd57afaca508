import { quoted } from './extension-tables.js';
import { runningScope, StatementScope } from './statement-scope.js';
import type { StoredPersonalTable } from './stored-personal-tables.js';

/** Matches a statement that writes, which a masked reader may not do. */
const WRITES = /^\s*(?:INSERT|UPDATE|DELETE|REPLACE)\b/i;
/** Matches a comment, which could hide a part of a name. */
const COMMENT = /\/\*|--|#/;
/** Matches the beginning of a statement with its own common table expressions. */
const WITH = /^\s*WITH(\s+RECURSIVE)?\s/i;

/** Table with personal data as it appears in statements. */
interface NamedTable {
  readonly name: RegExp;
  /**
   * Matches what would avoid the mask: the name with that of the database before it, and a common
   * table expression of this name.
   */
  readonly avoiding: RegExp;
  /** Common table expression that shows the replacements instead of the personal data. */
  readonly masked: string;
}

/** Work whose statements may read personal data in tables of extensions. */
export class PersonalScope extends StatementScope {
  /** True if a statement read such a table, and its personal data was not masked. */
  hasRead = false;

  constructor(
    private readonly tables: readonly NamedTable[],
    private readonly isMasked: () => boolean,
  ) {
    super();
  }

  /**
   * Returns the statement as it runs in this scope.
   * @throws Error if a masked statement writes to a table, or might avoid the mask
   */
  override shown(sql: string): string {
    const read = this.tables.filter(({ name }) => name.test(sql));
    if (read.length === 0) return sql;
    if (!this.isMasked()) {
      if (!WRITES.test(sql)) this.hasRead = true;
      return sql;
    }
    if (WRITES.test(sql)) {
      // The row could contain replacements that were read before.
      throw new Error('A request with a masked key must not write to a table with personal data.');
    }
    if (COMMENT.test(sql) || read.some(({ avoiding }) => avoiding.test(sql))) {
      const parts = 'its database, a common table expression of its name, or a comment';
      throw new Error(`A statement on a table with personal data must not have ${parts}.`);
    }
    const masked = read.map((table) => table.masked).join(', ');
    const own = WITH.exec(sql);
    return own === null
      ? `WITH ${masked} ${sql}`
      : `WITH${own[1] ?? ''} ${masked}, ${sql.slice(own[0].length)}`;
  }
}

/** Returns the scope of the current work, if it has one. */
export function currentScope(): PersonalScope | undefined {
  const scope = runningScope();
  return scope instanceof PersonalScope ? scope : undefined;
}

/** Creates the scopes of the tables of extensions that are in the database. */
export class PersonalTables {
  private readonly tables: readonly NamedTable[];

  /** @param database name of the database, which is `main` on SQLite */
  constructor(tables: readonly StoredPersonalTable[], database: string) {
    this.tables = tables.map((table) => namedTable(table, database));
  }

  /** True if there are no such tables, so that no scopes are needed. */
  get isEmpty(): boolean {
    return this.tables.length === 0;
  }

  /** @param isMasked says at each statement whether the reader must not see personal data */
  scope(isMasked: () => boolean): PersonalScope {
    return new PersonalScope(this.tables, isMasked);
  }

  /** Does work that sees no personal data in tables of extensions. */
  masked<Result>(work: () => Result): Result {
    return this.isEmpty ? work() : this.scope(() => true).run(work);
  }
}

function namedTable(
  { table_name, all, columns }: StoredPersonalTable,
  database: string,
): NamedTable {
  const selected = all.map((column) => {
    const replacement = columns[column];
    if (replacement === undefined) return quoted(column);
    return `${replacement === null ? 'NULL' : "''"} AS ${quoted(column)}`;
  });
  const table = quoted(table_name);
  const from = `${quoted(database.replaceAll('`', '``'))}.${table}`;
  const prefix = `(?<![\\w$])${database.replaceAll(/\W/g, '.')}[\`"'\\]]?\\s*\\.\\s*[\`"'\\[]?`;
  const defined = `${table_name}[\`"'\\]]?\\s*(?:\\([^)]*\\)\\s*)?AS\\s*(?:NOT\\s+MATERIALIZED\\s*|MATERIALIZED\\s*)?\\(`;
  const name = `${table_name}(?![\\w$])`;
  return {
    name: new RegExp(`(?<![\\w$])${name}`, 'i'),
    avoiding: new RegExp(`${prefix}${name}|(?<![\\w$])${defined}`, 'i'),
    masked: `${table} AS (SELECT ${selected.join(', ')} FROM ${from})`,
  };
}
