import SqliteConnection from 'better-sqlite3';
import { createForOwner } from '../../platform/files/owner-only-file.js';
import type { FeedMeta } from '../../api/envelope/envelope.js';
import { CENTS, parseDecimal } from '../../platform/values/money.js';
import { isRecord } from '../../platform/values/is-record.js';
import { columnsWith, fieldOf, ruleOf, type ColumnName } from '../../ledger/columns.js';

/** Error of a follower that cannot continue; the message contains the reason and a remedy. */
export class FollowError extends Error {}

/** An object as the service sent it. */
export type Content = Readonly<Record<string, unknown>>;
export interface Change {
  readonly sequence: number;
  readonly kind: string;
  readonly content: Content;
}

/** A page of the feed of changes (docs/changes.md). */
export interface FeedPage extends FeedMeta {
  readonly changes: readonly Change[];
}

type Value = string | number | null;

interface CopyColumn {
  readonly name: string;
  readonly type: 'TEXT' | 'INTEGER';
  /** Path of the value in the content, such as `['payouts', 'service_fee']`. */
  readonly path: readonly string[];
  /** True for an amount such as `47.00`, which is stored as 4700. */
  readonly isMoney: boolean;
}

interface CopyTable {
  readonly name: string;
  /** Number of columns, counted from the first, that form the primary key. */
  readonly keys: number;
  readonly columns: readonly CopyColumn[];
}

const text = (name: string, ...path: string[]) => column(name, 'TEXT', path);
const integer = (name: string, ...path: string[]) => column(name, 'INTEGER', path);

/** Tables of a copy by the kind of change. Each has a last column `json`, with the whole object. */
const COPY_TABLES: Readonly<Record<string, CopyTable>> = {
  transaction: {
    name: 'transactions',
    keys: 1,
    columns: columnsWith({ list: true }).map(listed),
  },
  recurring_payment: {
    name: 'recurring_payments',
    keys: 1,
    columns: [
      text('pre_key', 'preKey'),
      integer('product_id'),
      text('status'),
      text('next_payment'),
      text('next_date'),
      cents('price'),
      integer('payment_count'),
    ],
  },
  relationship: {
    name: 'relationships',
    keys: 2,
    columns: [integer('affiliate_id'), integer('product_id'), text('status'), text('created')],
  },
  product: { name: 'products', keys: 1, columns: [integer('product_id'), text('product_name')] },
  affiliate: { name: 'affiliates', keys: 1, columns: [integer('id'), text('display_name')] },
};

/**
 * Returns the values of the columns, and the JSON.
 * @throws FollowError if the content lacks its key, or has a value of the wrong type
 */
function valuesOf({ name, keys, columns }: CopyTable, content: Content): Value[] {
  const values = columns.map((each) => valueOf(each, content));
  if (values.slice(0, keys).includes(null)) {
    throw new FollowError(`the service sent an entry of ${name} without its key`);
  }
  // Parsing and formatting again reproduces the bytes that the service sent.
  return [...values, JSON.stringify(content)];
}

/**
 * Returns the key of a removed object.
 * @param key as the feed has it; the parts of a key of several columns are separated by slashes
 * @throws FollowError if it is not a key of the table
 */
function removedKeyOf({ name, keys, columns }: CopyTable, key: string): Value[] {
  const parts = keys === 1 ? [key] : key.split('/');
  const values = columns.slice(0, keys).map(({ type }, at) => {
    const part = parts[at] ?? '';
    return type === 'INTEGER' ? Number(part) : part;
  });
  if (parts.length === keys && !values.some((value) => Number.isNaN(value))) return values;
  throw new FollowError(`the service removed an entry of ${name} without its key`);
}

/** Returns the column of the copy for a column of the list of API 3.0. */
function listed(name: ColumnName): CopyColumn {
  if (name === 'affiliate_id') return integer(name, 'affiliate', 'id');
  const { kind, object } = ruleOf(name);
  const path = object === undefined ? [] : [object, fieldOf(name)];
  if (kind === 'money') return cents(name, ...path);
  return kind === 'number' ? integer(name, ...path) : text(name, ...path);
}

function column(name: string, type: CopyColumn['type'], path: readonly string[]): CopyColumn {
  return { name, type, path: path.length === 0 ? [name] : path, isMoney: false };
}

function cents(name: string, ...path: string[]): CopyColumn {
  return { ...integer(name, ...path), name: `${name}_cents`, isMoney: true };
}

function valueOf({ name, path, type, isMoney }: CopyColumn, content: Content): Value {
  let value: unknown = content;
  for (const step of path) value = isRecord(value) ? value[step] : null;
  if (value === null || value === undefined) return null;
  const stored = isMoney && typeof value === 'string' ? parseDecimal(value, CENTS) : value;
  const fits = type === 'TEXT' ? typeof stored === 'string' : Number.isSafeInteger(stored);
  if (fits && (typeof stored === 'string' || typeof stored === 'number')) return stored;
  throw new FollowError(`the service sent a ${name} that is no ${isMoney ? 'amount' : type}`);
}

/** Version of the tables. Raise it when they change. */
const LAYOUT = 2;
const BEGINNING = '0';

type Statement = SqliteConnection.Statement;

/** A copy of a ledger in a SQLite file, with the cursor up to which it is complete. */
export class CopyFile {
  private readonly connection: SqliteConnection.Database;
  private readonly inserts = new Map<string, Statement>();

  /**
   * Opens a copy, or creates a new one.
   * @param url URL of the service that the copy belongs to
   * @throws FollowError if the file is not a copy of this version from this URL
   */
  constructor(path: string, url: string) {
    this.connection = opened(path);
    try {
      this.connection.pragma('synchronous = FULL');
      this.prepareTables(url);
      // Other programs can read the file while it is written. The mode is stored in the file, so it
      // is set only after the file is known to be a copy.
      this.connection.pragma('journal_mode = WAL');
    } catch (error) {
      this.connection.close();
      throw error instanceof FollowError ? error : new FollowError(`${path}: ${String(error)}`);
    }
  }

  get cursor(): string {
    return this.state('cursor') ?? BEGINNING;
  }

  /**
   * Writes a page and its cursor in one transaction.
   * @param after the cursor after which the page was read
   * @throws FollowError if another follower has written to the file since
   */
  apply({ changes, cursor }: FeedPage, after: string): void {
    this.inTransaction(() => {
      if (this.cursor !== after) throw new FollowError('another follower writes to the file');
      for (const change of changes) this.write(change);
      this.setState('cursor', cursor);
    });
  }

  /** Returns true if the copy has a row with the key of this change, or no table for its kind. */
  has({ kind, content }: Change): boolean {
    const table = COPY_TABLES[kind];
    if (table === undefined) return true;
    const found = this.connection
      .prepare(`SELECT 1 FROM ${table.name} WHERE ${hasKey(table)}`)
      .get(...valuesOf(table, content).slice(0, table.keys));
    return found !== undefined;
  }

  close(): void {
    this.connection.close();
  }

  private write({ kind, content }: Change): void {
    if (kind === 'removed') {
      this.remove(content);
      return;
    }
    const table = COPY_TABLES[kind];
    // A newer service may send kinds that this copy has no table for.
    if (table === undefined) return;
    this.insertInto(table).run(...valuesOf(table, content));
    if (kind === 'affiliate') this.rename(content.id, content.display_name);
  }

  private remove({ removed_kind, key }: Content): void {
    const table = COPY_TABLES[String(removed_kind)];
    if (table === undefined) return;
    const statement = this.prepared(`DELETE FROM ${table.name} WHERE ${hasKey(table)}`);
    statement.run(...removedKeyOf(table, String(key)));
  }

  /**
   * Changes the name of an affiliate in all its transactions, because the feed sends a new name
   * once, and not with each transaction.
   */
  private rename(id: unknown, display_name: unknown): void {
    this.prepared(
      `UPDATE transactions SET json = json_set(json, '$.affiliate.display_name', json(?))
        WHERE affiliate_id = ?`,
    ).run(JSON.stringify(display_name), id);
  }

  private insertInto(table: CopyTable): Statement {
    const names = [...table.columns.map(({ name }) => name), 'json'];
    const marks = names.map(() => '?').join(', ');
    return this.prepared(
      `INSERT OR REPLACE INTO ${table.name} (${names.join(', ')}) VALUES (${marks})`,
    );
  }

  private prepared(sql: string): Statement {
    const statement = this.inserts.get(sql) ?? this.connection.prepare(sql);
    this.inserts.set(sql, statement);
    return statement;
  }

  private prepareTables(url: string): void {
    this.inTransaction(() => {
      const known = this.connection
        .prepare("SELECT COUNT(*) FROM sqlite_schema WHERE type = 'table'")
        .pluck()
        .get();
      if (known === 0) this.createTables(url);
      if (this.state('layout') === '1') this.addNextDates();
      const layout = this.state('layout');
      if (layout !== String(LAYOUT)) {
        throw new FollowError('the file is no copy of this version: begin with a new file');
      }
      if (this.state('url') !== url) {
        throw new FollowError(`the file is a copy from ${this.state('url') ?? 'elsewhere'}`);
      }
    });
  }

  private createTables(url: string): void {
    for (const table of Object.values(COPY_TABLES)) {
      const columns = table.columns.map(({ name, type }) => `${name} ${type}`);
      this.connection.exec(
        `CREATE TABLE ${table.name} (${columns.join(', ')}, json TEXT NOT NULL,
          PRIMARY KEY (${keyColumns(table).join(', ')})) WITHOUT ROWID`,
      );
    }
    this.connection.exec(
      `CREATE INDEX transactions_by_affiliate ON transactions (affiliate_id);
       CREATE TABLE follow_state (name TEXT PRIMARY KEY, value TEXT NOT NULL)`,
    );
    this.setState('layout', String(LAYOUT));
    this.setState('url', url);
  }

  /** Upgrades a copy of layout 1, in which subscriptions had no next date, to layout 2. */
  private addNextDates(): void {
    this.connection.exec(
      `ALTER TABLE recurring_payments ADD COLUMN next_date TEXT;
       UPDATE recurring_payments SET next_date = json_extract(json, '$.next_date')`,
    );
    this.setState('layout', '2');
  }

  private state(name: string): string | undefined {
    const sql = 'SELECT value FROM follow_state WHERE name = ?';
    const value: unknown = this.connection.prepare(sql).pluck().get(name);
    return typeof value === 'string' ? value : undefined;
  }

  private setState(name: string, value: string): void {
    const sql = 'INSERT OR REPLACE INTO follow_state (name, value) VALUES (?, ?)';
    this.prepared(sql).run(name, value);
  }

  private inTransaction(work: () => void): void {
    this.connection.transaction(work).exclusive();
  }
}

function keyColumns({ columns, keys }: CopyTable): string[] {
  return columns.slice(0, keys).map(({ name }) => name);
}

/** Returns the condition that selects the row with a key. */
function hasKey(table: CopyTable): string {
  return keyColumns(table)
    .map((name) => `${name} = ?`)
    .join(' AND ');
}

/**
 * Opens the file, and creates it for its owner alone, because it contains personal data.
 * @throws FollowError if that is not possible
 */
function opened(path: string): SqliteConnection.Database {
  createForOwner(path);
  try {
    return new SqliteConnection(path);
  } catch (error) {
    throw new FollowError(`${path}: ${String(error)}`);
  }
}
