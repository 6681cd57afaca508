import { runByKeys, upsertRows } from '../../../database/bulk.js';
import type { Session, SqlRow } from '../../../database/database.js';

/**
 * A table of sums that are kept beside the ledger. The first of them counts what the others are of: where
 * it is zero there is nothing left to sum up, and the row goes.
 */
export interface KeptSums<Sum extends string> {
  readonly table: string;
  readonly key: readonly string[];
  readonly sums: readonly Sum[];
}

interface ChangedRow {
  readonly key: SqlRow;
  /** In the order of the table's. */
  sums: readonly number[];
}

/** By how much each key's sums change. */
export class SumChanges<Sum extends string> {
  private readonly open = new Map<string, ChangedRow>();
  private readonly all: ChangedRow[] = [];

  constructor(private readonly kept: KeptSums<Sum>) {}

  /**
   * Adds up as long as numbers hold it exactly: what comes then begins a row of its own, and the
   * database adds them. A sum that is not given does not change.
   */
  add(key: SqlRow, added: Partial<Readonly<Record<Sum, number>>>, sign: 1 | -1): void {
    const name = key.join('/');
    const known = this.open.get(name);
    const sums = this.kept.sums.map((sum, at) => (known?.sums[at] ?? 0) + sign * (added[sum] ?? 0));
    if (known === undefined) this.begin(name, { key, sums });
    else if (sums.every(Number.isSafeInteger)) known.sums = sums;
    else this.begin(name, { key, sums: this.kept.sums.map((sum) => sign * (added[sum] ?? 0)) });
  }

  /** Brings the table to what the changes make of it. */
  async save(session: Session): Promise<void> {
    const { table, key, sums } = this.kept;
    const changed = this.all.filter((row) => row.sums.some((sum) => sum !== 0));
    const rows = changed.map((row) => [...row.key, ...row.sums]);
    const changes = sums.map((column) => ({ column, by: 'add' }) as const);
    await upsertRows(session, table, [...key, ...sums], rows, key, changes);
    const lowered = changed.filter(({ sums: [count = 0] }) => count < 0).map((row) => row.key);
    await runByKeys(session, `DELETE FROM ${table}`, key, lowered, `AND ${sums[0] ?? ''} = 0`);
  }

  private begin(name: string, row: ChangedRow): void {
    this.open.set(name, row);
    this.all.push(row);
  }
}
