import { runByKeys, upsertRows } from '../../platform/database/bulk.js';
import type { Session, SqlRow } from '../../platform/database/database.js';

/**
 * Describes a table of kept sums. The first sum is a count: rows with a count of zero are deleted.
 */
export interface SumTable<Sum extends string> {
  readonly table: string;
  readonly key: readonly string[];
  readonly sums: readonly Sum[];
}

interface ChangedRow {
  readonly key: SqlRow;
  /** Changes in the order of `SumTable.sums`. */
  sums: readonly number[];
}

/**
 * Collects the changes of the kept sums of each key, and saves them in bulk statements. See
 * docs/adr/0012-reports-from-kept-sums.md for what kept sums cost an import.
 */
export class SumChanges<Sum extends string> {
  private readonly open = new Map<string, ChangedRow>();
  private readonly all: ChangedRow[] = [];

  constructor(private readonly table: SumTable<Sum>) {}

  /**
   * Adds to the row of a key as long as its sums stay exact as numbers, and otherwise begins
   * another row for the key; the database adds these rows. A sum that is not given does not change.
   */
  add(key: SqlRow, added: Partial<Readonly<Record<Sum, number>>>, sign: 1 | -1): void {
    const name = key.join('/');
    const known = this.open.get(name);
    const sums: number[] = [];
    let isExact = true;
    // A loop that fills one array is fast: an import adds to ten rows for each transaction.
    for (const sum of this.table.sums) {
      const value = (known?.sums[sums.length] ?? 0) + sign * (added[sum] ?? 0);
      isExact &&= Number.isSafeInteger(value);
      sums.push(value);
    }
    if (known === undefined) this.begin(name, { key, sums });
    else if (isExact) known.sums = sums;
    else this.begin(name, { key, sums: this.table.sums.map((sum) => sign * (added[sum] ?? 0)) });
  }

  /** Returns the changes of each row of the table. A key may occur several times. */
  rows(): readonly Readonly<ChangedRow>[] {
    return this.all;
  }

  /** Applies the changes to the table. */
  async save(session: Session): Promise<void> {
    const { table, key, sums } = this.table;
    const changed = this.all.filter((row) => row.sums.some((sum) => sum !== 0));
    const rows = changed.map((row) => [...row.key, ...row.sums]);
    const changes = sums.map((column) => ({ column, by: 'add' }) as const);
    await upsertRows(session, table, [...key, ...sums], rows, key, changes);
    const reduced = changed.filter(({ sums: [count = 0] }) => count < 0).map((row) => row.key);
    await runByKeys(session, `DELETE FROM ${table}`, key, reduced, `AND ${sums[0] ?? ''} = 0`);
  }

  private begin(name: string, row: ChangedRow): void {
    this.open.set(name, row);
    this.all.push(row);
  }
}
