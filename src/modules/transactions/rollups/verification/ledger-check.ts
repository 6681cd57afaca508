import type { SqlValue } from '../../../../database/database.js';
import type { Difference } from '../../transaction.model.js';

export interface Check {
  /** What may differ. */
  readonly figures: readonly string[];
  readonly key: readonly string[];
  /** Selects the key's columns, and for each figure, numbered from 0, `kept_0` and `actual_0`. */
  readonly sql: string;
}

export type CheckRow = Readonly<Record<string, SqlValue>>;

export interface Comparison {
  readonly figures: readonly string[];
  /** What the key names, in words. */
  readonly of: string;
  readonly key: readonly string[];
  /** Both select the key's columns, then the figures in their order. */
  readonly kept: string;
  readonly actual: string;
}

/** Finds the keys of which any figure is kept otherwise than the ledger says it. */
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

/** One for each figure that differs in a row that a check found. */
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
  if (typeof value !== 'number') throw new Error(`${column} is no number`);
  return value;
}

function sumOf(figure: string): string {
  return `CAST(SUM(${figure}) AS SIGNED)`;
}
