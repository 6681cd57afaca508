import type { SqlValue } from '../../../../database/database.js';
import type { Difference } from '../../transaction.model.js';

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

export interface Comparison {
  readonly figures: readonly string[];
  /** Names of the key's columns in words. */
  readonly of: string;
  readonly key: readonly string[];
  /** Both statements select the columns of the key, then those of `figures`. */
  readonly kept: string;
  readonly actual: string;
}

/** Returns a check that finds the keys whose kept sums disagree with the ledger. */
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
