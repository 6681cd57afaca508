import { Injectable } from '@nestjs/common';
import { isOneOf, runByKeys } from '../../../platform/database/bulk.js';
import {
  Database,
  type Reader,
  type Session,
  type SqlRow,
  type SqlValue,
} from '../../../platform/database/database.js';
import {
  dateColumnOf,
  quoted,
  type PersonalColumns,
} from '../../../platform/database/extensions/extension-tables.js';
import {
  storedPersonalTables,
  type StoredPersonalTable,
} from '../../../platform/database/extensions/stored-personal-tables.js';
import { spelledAlike } from '../../../platform/database/entities/spellings.js';
import { foldedForm } from '../../../platform/database/migrations/create-table.js';
import { ERASED_ADDRESSES } from '../../../ledger/records/personal-data.js';
import { keysetOf } from '../../../ledger/reads/keyset.js';

/** Row of an extension's table with personal data. */
export interface PersonalRow {
  /** Values of the primary key. */
  readonly id: SqlRow;
  /** The transaction_id, the key of the subscription, or the e-mail. */
  readonly key: string;
  /** Date-time in UTC; empty if the table has no date, or the row has none. */
  readonly date: string;
}

/** Condition of a SELECT, and its values. */
export interface RowCondition {
  readonly sql: string;
  readonly values: readonly SqlValue[];
}

type Selected = Readonly<Record<string, SqlValue>>;

/** Names of the selected key and date. No column of an extension has them. */
const [KEY, DATE] = ['_KEY', '_DATE'];

/**
 * Runs all SQL on tables with personal data of extensions. Their names are those of
 * `extension_tables`, so TypeORM knows no entity of them.
 */
@Injectable()
export class ExtensionRowsRepository {
  constructor(private readonly database: Database) {}

  /** @param extension restricts the result to this extension */
  tables(extension?: string): Promise<StoredPersonalTable[]> {
    return storedPersonalTables(this.database, this.database.dialect, extension);
  }

  /** Returns the names of all tables of an extension, also of those that no longer exist. */
  async tableNames(extension: string): Promise<string[]> {
    const rows = await this.database.select<{ readonly table_name: string }>(
      'SELECT table_name AS table_name FROM extension_tables WHERE extension = ? ORDER BY table_name',
      [extension],
    );
    return rows.map(({ table_name }) => table_name);
  }

  async vendorIds({ table_name }: StoredPersonalTable): Promise<number[]> {
    const rows = await this.database.select<{ readonly vendor_id: number }>(
      `SELECT DISTINCT vendor_id FROM ${quoted(table_name)} ORDER BY vendor_id`,
      [],
    );
    return rows.map(({ vendor_id }) => vendor_id);
  }

  /** Returns a condition for the rows of these transactions or subscriptions. */
  ofKeys(table: StoredPersonalTable, keys: readonly string[]): RowCondition {
    const key = quoted(table.key);
    const { sql, values } = isOneOf(key, keys);
    // The index finds more keys if they are equal in the collation of the column.
    const exact = isOneOf(this.database.dialect.exact(key), keys);
    return { sql: `${sql} AND ${exact.sql}`, values: [...values, ...exact.values] };
  }

  /** Returns a condition for the rows with an e-mail, however they spell it. */
  ofEmail({ key }: StoredPersonalTable, email: string): RowCondition {
    const { dialect } = this.database;
    const form = foldedForm(dialect.unicode(quoted(key)), dialect.name);
    return { sql: `${dialect.exact(form)} = ?`, values: [spelledAlike(email)] };
  }

  /**
   * Restricts a condition on a table by e-mail to rows until a date-time. A row without a date
   * counts as old.
   */
  until(table: StoredPersonalTable, { sql, values }: RowCondition, last: string): RowCondition {
    const column = quoted(dateColumnOf(table));
    return { sql: `${sql} AND (${column} IS NULL OR ${column} <= ?)`, values: [...values, last] };
  }

  async count(table: StoredPersonalTable, vendor_id: number, where: RowCondition): Promise<number> {
    const [row] = await this.database.select<{ readonly number: number }>(
      `SELECT COUNT(*) AS number FROM ${quoted(table.table_name)}
        WHERE vendor_id = ? AND ${where.sql}`,
      [vendor_id, ...where.values],
    );
    return row?.number ?? 0;
  }

  /** Returns the next rows of a range. */
  async rows(reader: Reader, table: StoredPersonalTable, range: RowRange): Promise<PersonalRow[]> {
    const { key, date, primaryKey } = table;
    const dated = date === null ? '' : `, ${quoted(date)} AS ${DATE}`;
    const selected = `${primaryKey.map(quoted).join(', ')}, ${quoted(key)} AS ${KEY}${dated}`;
    const found = await this.next(reader, table, selected, range);
    return found.map((row) => ({
      id: primaryKey.map((name) => row[name] ?? null),
      key: String(row[KEY] ?? ''),
      date: String(row[DATE] ?? ''),
    }));
  }

  /** Returns the next rows of a vendor with all their columns, as `rows` does. */
  async contents(table: StoredPersonalTable, range: RowRange) {
    const { primaryKey, all } = table;
    const found = await this.next(this.database, table, all.map(quoted).join(', '), range);
    return found.map((content) => ({
      id: primaryKey.map((name) => content[name] ?? null),
      content,
    }));
  }

  /**
   * Replaces the declared columns of rows.
   * @param address replaces the e-mail that is the key of the rows; null for its replacement
   * @returns the number of rows, as the driver counts them
   */
  empty(
    session: Session,
    table: StoredPersonalTable,
    ids: readonly SqlRow[],
    address: string | null,
  ): Promise<number> {
    const own = address !== null && table.by === 'email' ? table.key : null;
    const changes = Object.entries(table.columns).map(([name, value]) =>
      name === own ? `${quoted(name)} = ?` : `${quoted(name)} = ${value === null ? 'NULL' : "''"}`,
    );
    const key = table.primaryKey.map(quoted);
    const statement = `UPDATE ${quoted(table.table_name)} SET ${changes.join(', ')}`;
    return runByKeys(session, statement, key, ids, '', own === null ? [] : [address]);
  }

  private next(
    reader: Reader,
    { table_name, primaryKey }: StoredPersonalTable,
    selected: string,
    { vendor_id, where, after, take }: RowRange,
  ): Promise<Selected[]> {
    const order = orderOf(primaryKey);
    const condition = `vendor_id = ? AND ${where.sql}`;
    const values = [vendor_id, ...where.values];
    const table = quoted(table_name);
    if (after === null) {
      const sql = `SELECT ${selected} FROM ${table} WHERE ${condition} ORDER BY ${order.join(', ')} LIMIT ?`;
      return reader.select<Selected>(sql, [...values, take]);
    }
    const position = after.filter((_, index) => isOrdered(primaryKey, index));
    const next = keysetOf({ selected: '*', table, where: condition, order, direction: 'ASC' });
    const sql = `SELECT ${selected} FROM (${next.sql}) rows_after ORDER BY ${order.join(', ')}`;
    return reader.select<Selected>(sql, next.values({ where: values, position, take }));
  }
}

/** Range of a vendor's rows in the order of their primary key. */
export interface RowRange {
  readonly vendor_id: number;
  readonly where: RowCondition;
  /** Primary key after which the rows begin; null for the first. */
  readonly after: SqlRow | null;
  readonly take: number;
}

/** Returns the columns that order the rows of one vendor. */
function orderOf(primaryKey: readonly string[]): string[] {
  return primaryKey.filter((_, index) => isOrdered(primaryKey, index)).map(quoted);
}

function isOrdered(primaryKey: readonly string[], index: number): boolean {
  return primaryKey.length === 1 || primaryKey[index] !== 'vendor_id';
}

/** Returns a condition for the rows whose declared columns have personal data. */
export function unemptied({ by, key, columns }: PersonalColumns): RowCondition {
  const parts = Object.entries(columns).map(([name, value]) => {
    const column = quoted(name);
    const filled = value === null ? `${column} IS NOT NULL` : `${column} <> ''`;
    return by === 'email' && name === key
      ? `(${filled} AND ${column} NOT LIKE '${ERASED_ADDRESSES}')`
      : filled;
  });
  return { sql: `(${parts.join(' OR ')})`, values: [] };
}

export function both(one: RowCondition, other: RowCondition): RowCondition {
  return { sql: `${one.sql} AND ${other.sql}`, values: [...one.values, ...other.values] };
}
