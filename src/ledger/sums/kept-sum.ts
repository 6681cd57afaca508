import { EntitySchema, type EntitySchemaIndexOptions } from 'typeorm';
import {
  key as keyColumn,
  wholeNumber,
  type Column,
} from '../../platform/database/entities/columns.js';
import type { SqlValue, Session, SqlRow } from '../../platform/database/database.js';
import type { Dialect } from '../../platform/database/dialect.js';
import { runByKeys, upsertRows } from '../../platform/database/bulk.js';
import { compiledValues } from '../../platform/values/record-of.js';

/**
 * Describes a table of kept sums. The first sum is a count: rows with a count of zero are deleted.
 */
interface SumTable<Sum extends string> {
  readonly table: string;
  readonly key: readonly string[];
  readonly sums: readonly Sum[];
  /** Lists sums in this order. */
  readonly valuesOf: (added: Added<Sum>) => number[];
}

/** Sums that a record adds. */
type Added<Sum extends string> = Readonly<Record<Sum, number>>;

interface ChangedRow {
  readonly key: SqlRow;
  /** Changes in the order of `SumTable.sums`. */
  readonly sums: number[];
}

/** Finds the row of a key: a map for each column of the key, and the row in the last one. */
type RowsByKey = Map<SqlValue, RowsByKey | ChangedRow>;

/**
 * Collects the changes of the kept sums of each key, and saves them in bulk statements. See
 * docs/adr/0012-reports-from-kept-sums.md for what kept sums cost an import.
 */
export class SumChanges<Sum extends string> {
  private readonly open: RowsByKey = new Map();
  /** Rows that were replaced in `open`, because their sums would have become inexact. */
  private readonly full: ChangedRow[] = [];

  constructor(private readonly table: SumTable<Sum>) {}

  /**
   * Adds to the row of a key as long as its sums stay exact as numbers, and otherwise begins
   * another row for the key; the database adds these rows.
   */
  add(key: SqlRow, added: Added<Sum>, sign: 1 | -1): void {
    // An import adds to ten rows for each transaction, so a text of each key would be costly.
    let rows = this.open;
    const last = key.length - 1;
    for (let at = 0; at < last; at += 1) {
      const part = key[at] ?? null;
      let next = rows.get(part);
      if (!(next instanceof Map)) rows.set(part, (next = new Map()));
      rows = next;
    }
    const row = rows.get(key[last] ?? null);
    const values = this.table.valuesOf(added).map((value) => sign * value);
    if (row instanceof Map || row === undefined || !isAdded(row, values)) {
      if (row !== undefined && !(row instanceof Map)) this.full.push(row);
      rows.set(key[last] ?? null, { key, sums: values });
    }
  }

  /**
   * Returns the changes of each row of the table. Rows whose keys begin alike follow each other, as
   * they do in the table. A key may occur several times.
   */
  rows(): readonly Readonly<ChangedRow>[] {
    return [...this.full, ...rowsIn(this.open)];
  }

  /** Applies the changes to the table. */
  async save(session: Session): Promise<void> {
    const { table, key, sums } = this.table;
    const changed = this.rows().filter((row) => row.sums.some((sum) => sum !== 0));
    const rows = changed.map((row) => [...row.key, ...row.sums]);
    const changes = sums.map((column) => ({ column, by: 'add' }) as const);
    await upsertRows(session, table, [...key, ...sums], rows, key, changes);
    const reduced = changed.filter(({ sums: [count = 0] }) => count < 0).map((row) => row.key);
    await runByKeys(session, `DELETE FROM ${table}`, key, reduced, `AND ${sums[0] ?? ''} = 0`);
  }
}

/** Adds to the sums of a row. Returns false if a sum would not be exact; then nothing is added. */
function isAdded({ sums }: ChangedRow, values: readonly number[]): boolean {
  for (let at = 0; at < values.length; at += 1) {
    if (!Number.isSafeInteger((sums[at] ?? 0) + (values[at] ?? 0))) return false;
  }
  for (let at = 0; at < values.length; at += 1) sums[at] = (sums[at] ?? 0) + (values[at] ?? 0);
  return true;
}

function* rowsIn(rows: RowsByKey): Generator<ChangedRow> {
  for (const row of rows.values()) {
    if (row instanceof Map) yield* rowsIn(row);
    else yield row;
  }
}

/** Describes a record that leaves a vendor's kept sums (-1) or enters them (1). */
export interface Signed<Source> {
  readonly vendor_id: number;
  readonly record: Source;
  readonly sign: 1 | -1;
}

/** Describes a statement that computes rows of kept sums again. */
interface Recount {
  /** Names of the key's columns in words. */
  readonly of: string;
  /** The series of the rows, if `actual` leaves it out. */
  readonly series?: string;
  /** Condition for the rows, unless they are those of `series` or all rows. */
  readonly where?: string;
  /** Selects the columns of the key, then the sums, from the ledger or from rows filled before. */
  readonly actual: string;
}

/** Collects changes of kept sums, and saves them together. */
export interface CollectedSums<Source> {
  add(records: readonly Signed<Source>[]): void;
  save(session: Session): Promise<void>;
}

interface Definition<Source, Sum extends string> {
  readonly table: string;
  /** Columns of the primary key. */
  readonly key: Readonly<Record<string, Column>>;
  /** The first sum is a count. */
  readonly sums: readonly Sum[];
  readonly indices?: EntitySchemaIndexOptions[];
  /** Adds the share that a record has in the sums, with its sign. */
  readonly contribute: (signed: Signed<Source>, changes: SumChanges<Sum>) => void;
  /** Absent if code adds the sums up again. */
  readonly recounts?: (dialect: Dialect) => readonly Recount[];
}

/** A table of kept sums, with everything that writes, checks and fills it. */
export class KeptSum<Source, Sum extends string> implements SumTable<Sum> {
  readonly table: string;
  readonly key: readonly string[];
  readonly sums: readonly Sum[];
  readonly valuesOf: (added: Added<Sum>) => number[];
  readonly entity: EntitySchema;

  constructor(private readonly definition: Definition<Source, Sum>) {
    const { table, key, sums, indices = [] } = definition;
    this.table = table;
    this.key = Object.keys(key);
    this.sums = sums;
    this.valuesOf = compiledValues(sums);
    const columns: Record<string, Column> = {};
    for (const [name, column] of Object.entries(key)) columns[name] = keyColumn(column);
    for (const sum of sums) columns[sum] = wholeNumber();
    this.entity = new EntitySchema({ name: table, tableName: table, columns, indices });
  }

  /** Computes how these records change the sums. */
  changesBy(records: readonly Signed<Source>[]): SumChanges<Sum> {
    const changes = new SumChanges(this);
    this.contribute(records, changes);
    return changes;
  }

  /** Begins to collect changes of the sums by records that are given one part after another. */
  collect(): CollectedSums<Source> {
    const changes = new SumChanges(this);
    return {
      add: (records) => {
        this.contribute(records, changes);
      },
      save: (session) => changes.save(session),
    };
  }

  /** Returns the checks that find rows that disagree with the ledger. */
  checks(dialect: Dialect): Check[] {
    return this.recounts(dialect).map(({ of, series, where, actual }) => {
      const key = this.keyOf(series);
      const condition = where ?? (series === undefined ? '' : `series = '${series}'`);
      const kept = `SELECT ${[...key, ...this.sums].join(', ')} FROM ${this.table}`;
      return comparison({
        figures: this.sums,
        of,
        key,
        kept: condition === '' ? kept : `${kept} WHERE ${condition}`,
        actual,
      });
    });
  }

  /** Returns the statements that fill the empty table from the ledger, such as in a migration. */
  backfill(dialect: Dialect): string[] {
    return this.recounts(dialect).map(({ series, actual }) => {
      const key = this.keyOf(series);
      const columns = [...key, ...this.sums].join(', ');
      const sums = this.sums.map((sum) => `COALESCE(${sum}, 0)`);
      const [column, value] = series === undefined ? ['', ''] : ['series, ', `'${series}', `];
      return `INSERT INTO ${this.table} (${column}${columns})
        WITH actual (${columns}) AS (${actual})
        SELECT ${value}${[...key, ...sums].join(', ')} FROM actual`;
    });
  }

  private contribute(records: readonly Signed<Source>[], changes: SumChanges<Sum>): void {
    for (const signed of records) this.definition.contribute(signed, changes);
  }

  private recounts(dialect: Dialect): readonly Recount[] {
    return this.definition.recounts?.(dialect) ?? [];
  }

  private keyOf(series: string | undefined): readonly string[] {
    return series === undefined ? this.key : this.key.filter((column) => column !== 'series');
  }
}

/** Describes derived data that disagrees with the ledger. */
export interface Difference {
  readonly figure: string;
  readonly kept: number;
  readonly actual: number;
}

/** Describes a statement that finds derived data that disagrees with the ledger. */
export interface Check {
  readonly figures: readonly string[];
  readonly key: readonly string[];
  /**
   * Selects the columns of the key, then `kept_0` and `actual_0` for the first entry of `figures`,
   * and so on.
   */
  readonly sql: string;
}

export type CheckRow = Readonly<Record<string, SqlValue>>;

interface Comparison {
  readonly figures: readonly string[];
  /** Names of the key's columns in words. */
  readonly of: string;
  readonly key: readonly string[];
  /** Both statements select the columns of the key, then those of `figures`. */
  readonly kept: string;
  readonly actual: string;
}

/** Returns a check that finds the keys whose kept figures disagree with the ledger. */
export function comparison({ figures, of, key, kept, actual }: Comparison): Check {
  const sums = figures.map((figure) => ({
    kept: sumOf(`CASE WHEN is_kept = 1 THEN ${figure} ELSE 0 END`),
    actual: sumOf(`CASE WHEN is_kept = 1 THEN 0 ELSE ${figure} END`),
  }));
  const columns = [...key, ...figures].join(', ');
  return {
    figures: figures.map((figure) => `${figure} of ${of}`),
    key,
    sql: `WITH kept (${columns}) AS (${kept}), actual (${columns}) AS (${actual})
      SELECT ${[...key, ...sums.map(({ kept, actual }, at) => `${kept} AS kept_${at}, ${actual} AS actual_${at}`)].join(', ')}
      FROM (SELECT kept.*, 1 AS is_kept FROM kept UNION ALL SELECT actual.*, 0 FROM actual) both_sides
      GROUP BY ${key.join(', ')}
      HAVING ${sums.map((sum) => `${sum.kept} <> ${sum.actual}`).join(' OR ')}`,
  };
}

/** Returns the differences in a row of a check. */
export function differencesOf({ figures, key }: Check, row: CheckRow): Difference[] {
  const place = key.map((column) => row[column]).join(', ');
  return figures.flatMap((figure, at) => {
    const kept = numberIn(row, `kept_${at}`);
    const actual = numberIn(row, `actual_${at}`);
    return kept === actual ? [] : [{ figure: `${figure} ${place}`, kept, actual }];
  });
}

function numberIn(row: CheckRow, column: string): number {
  const value = row[column];
  if (typeof value !== 'number') throw new Error(`${column} is not a number`);
  return value;
}

function sumOf(figure: string): string {
  return `CAST(SUM(${figure}) AS SIGNED)`;
}
