import { figuresFrom } from '../figures.js';
import { type FigureTable, hasAny } from '../figures/figure-table.js';
import { addCounts, type Counts } from '../figures/measures.js';
import type { Figures } from '../report.model.js';
import { TOP_VALUES, type TrackingReport } from './tracking-report.model.js';

interface Sold {
  readonly value: string;
  readonly counts: Readonly<Counts>;
}

/** The count by which the values are chosen and sorted. */
type RankedBy = 'gross' | 'affiliate';

/**
 * Divides the sales of a range into lines: the values with a sale, highest first, as many as are
 * shown, the sales without a value, and all others.
 * @param table the counts by value
 * @param total the counts of all sales, which the table may lack some of
 */
export function dividedByValue(
  table: FigureTable,
  total: Counts,
  rankedBy: RankedBy,
): Omit<TrackingReport, 'mostValues'> {
  const none = table.totalOf(null);
  const shown = topOf(table, rankedBy);
  const other = { ...total };
  const known = [none, ...shown.map(({ counts }) => counts)];
  for (const counts of known) addCounts(other, counts, -1);
  return {
    lines: shown.map(({ value, counts }) => ({ value, figures: figuresFrom(counts) })),
    other: unlessNothing(other),
    none: unlessNothing(none),
    total: figuresFrom(total),
  };
}

function topOf(table: FigureTable, rankedBy: RankedBy): Sold[] {
  return table.keys
    .flatMap((key) => (key === null ? [] : [{ value: String(key), counts: table.totalOf(key) }]))
    .filter(({ counts }) => counts.sales > 0n)
    .sort((left, right) => byRank(left, right, rankedBy))
    .slice(0, TOP_VALUES);
}

function unlessNothing(counts: Counts): Figures | null {
  return hasAny(counts, false) ? figuresFrom(counts) : null;
}

/** Compares values by a count, highest first, and ties in the order of their bytes. */
function byRank(left: Sold, right: Sold, rankedBy: RankedBy): number {
  const [one, other] = [left.counts[rankedBy], right.counts[rankedBy]];
  if (one !== other) return one < other ? 1 : -1;
  return Buffer.compare(Buffer.from(left.value), Buffer.from(right.value));
}
