import {
  overruledOf,
  textOf,
  type RecordChange,
  type Stored,
} from '../records/overruled-fields.js';
import { addedAndChanged, type Versioned } from '../records/record-version.js';
import {
  insertRows,
  raiseColumn,
  replaceRows,
  selectByKeys,
} from '../../platform/database/bulk.js';
import type { Reader, Session, SqlRow, SqlValue } from '../../platform/database/database.js';

/** Holds the key of a record, by column. */
type RecordKey<Key extends string> = Readonly<Record<Key, string | number>>;

/** Holds the versions in a row. A record that the API cannot change has no `overruled`. */
interface VersionedRow {
  readonly record_version: number | null;
  readonly overruled?: string | null;
}

/** Describes the table with the records of one type. */
interface RecordTable<Content extends object, Key extends string, Row extends VersionedRow, Saved> {
  readonly name: string;
  readonly key: readonly Key[];
  readonly columns: readonly string[];
  /** Columns to read if they are not all columns. */
  readonly readColumns?: readonly string[];
  /** True if records are locked in the order of their keys. */
  readonly isLockedInOrder?: boolean;
  readonly contentOf: (row: Row) => Content;
  /** Returns the values of all columns except those of the versions. */
  readonly rowOf: (
    record: Saved,
  ) => Omit<Row, keyof VersionedRow> & Readonly<Record<string, SqlValue>>;
}

/** Reads and writes the records of one type, each with the version of its last ledger record. */
export class StoredRecords<
  Content extends object,
  Key extends string,
  Row extends VersionedRow,
  Saved extends RecordChange<Content>,
> {
  /** A SELECT of records without its WHERE. */
  readonly select: string;

  constructor(private readonly table: RecordTable<Content, Key, Row, Saved>) {
    const { name, columns, readColumns = columns } = table;
    this.select = `SELECT ${readColumns.join(', ')} FROM ${name}`;
  }

  /** Returns the records with these keys. Unknown keys are skipped. */
  async read(reader: Reader, keys: readonly RecordKey<Key>[]): Promise<Content[]> {
    const rows = await this.rows(reader, keys, '');
    return rows.map((row) => this.table.contentOf(row));
  }

  /** Reads records and locks them until the session ends. */
  async locked(session: Session, keys: readonly RecordKey<Key>[]): Promise<Stored<Content>[]> {
    const { key, contentOf, isLockedInOrder = false } = this.table;
    const order = isLockedInOrder ? `ORDER BY ${key.join(', ')} ` : '';
    const rows = await this.rows(session, keys, order + session.dialect.forUpdate);
    return rows.map((row) => {
      const { overruled = null, record_version } = row;
      return { content: contentOf(row), overruled: overruledOf(overruled), record_version };
    });
  }

  /** Inserts new records and replaces locked ones. */
  async save(session: Session, records: readonly Saved[]): Promise<void> {
    const { name, key, columns } = this.table;
    const { added, changed } = addedAndChanged(records);
    await insertRows(session, name, columns, this.valuesOf(added));
    await replaceRows(session, name, columns, this.valuesOf(changed), key);
  }

  /** Sets a version of stored records, and nothing else. Only products have a `source_version`. */
  async raiseVersions(
    session: Session,
    records: readonly Versioned<RecordKey<Key>>[],
    column: 'record_version' | 'source_version' = 'record_version',
  ): Promise<void> {
    const { name, key } = this.table;
    const rows = records.map(({ content, record_version }) => [
      ...key.map((part) => content[part]),
      record_version,
    ]);
    await raiseColumn(session, name, column, key, rows);
  }

  /**
   * Counts the records that sources and upstreams of a vendor created, up to a limit. Only users
   * and products have a source.
   */
  async countOfSources(session: Session, vendor_id: number, limit: number): Promise<number> {
    const [row] = await session.select<{ readonly created: number }>(
      `SELECT COUNT(*) AS created FROM
        (SELECT id FROM ${this.table.name} WHERE source_vendor_id = ? LIMIT ?) some`,
      [vendor_id, limit],
    );
    return row?.created ?? 0;
  }

  private rows(reader: Reader, records: readonly RecordKey<Key>[], ending: string) {
    const { key } = this.table;
    const keys = records.map((record) => key.map((part) => record[part]));
    return selectByKeys<Row>(reader, this.select, key, keys, ending);
  }

  private valuesOf(records: readonly Saved[]): SqlRow[] {
    const { columns, rowOf } = this.table;
    return records.map((record) => {
      const own: Readonly<Record<string, SqlValue>> = rowOf(record);
      const { overruled, record_version } = record;
      const row: typeof own = { ...own, overruled: textOf(overruled), record_version };
      return columns.map((column) => row[column] ?? null);
    });
  }
}
