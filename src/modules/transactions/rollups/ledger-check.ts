import { numberAt } from '../../../database/values.js';
import type { SqlRow } from '../../../database/database.js';
import type { Difference } from '../transaction.model.js';

export interface Check {
  /** What may differ: one name for each pair of columns. */
  readonly figures: readonly string[];
  /** Selects the key's columns, then for each figure what is kept and what the ledger says. */
  readonly sql: string;
}

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
    sql: `WITH kept (${columns}) AS (${kept}), actual (${columns}) AS (${actual})
      SELECT ${[...key, ...sums.flatMap((sum) => [sum.kept, sum.actual])].join(', ')}
      FROM (SELECT kept.*, 1 AS is_kept FROM kept UNION ALL SELECT actual.*, 0 FROM actual) both_sides
      GROUP BY ${key.join(', ')}
      HAVING ${sums.map((sum) => `${sum.kept} <> ${sum.actual}`).join(' OR ')}`,
  };
}

/** One for each figure that differs in a row that a check found. */
export function differencesOf({ figures }: Check, row: SqlRow): Difference[] {
  const pairsBegin = row.length - 2 * figures.length;
  const key = row.slice(0, pairsBegin).join(', ');
  return figures.flatMap((figure, at) => {
    const kept = numberAt(row, pairsBegin + 2 * at);
    const actual = numberAt(row, pairsBegin + 2 * at + 1);
    return kept === actual ? [] : [{ figure: `${figure} ${key}`, kept, actual }];
  });
}

function sumOf(figure: string): string {
  return `CAST(SUM(${figure}) AS SIGNED)`;
}
