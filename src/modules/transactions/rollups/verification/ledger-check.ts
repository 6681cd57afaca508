import type { SqlValue } from '../../../../database/database.js';
import type { Difference } from '../../transaction.model.js';

export interface Check {
  readonly figures: readonly string[];
  readonly key: readonly string[];
  /** Selects the key's columns, and `kept_0`, `actual_0` for the first figure, and so on. */
  readonly sql: string;
}

export type CheckRow = Readonly<Record<string, SqlValue>>;

export interface Comparison {
  readonly figures: readonly string[];
  /** The key in words. */
  readonly of: string;
  readonly key: readonly string[];
  /** Both select the key's columns, then the figures. */
  readonly kept: string;
  readonly actual: string;
}

/** Finds the keys with a stored figure that disagrees with the ledger. */
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

/** The figures that differ in a row of a check. */
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
