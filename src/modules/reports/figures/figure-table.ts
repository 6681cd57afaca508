import type { DayRange } from '../report.model.js';
import type { ClickRow, FigureRow, GroupKey } from './figure-row.model.js';
import type { Intervals } from './intervals.js';
import { addClicks, addCounts, addRow, NO_COUNTS, noCounts, type Counts } from './measures.js';

/** Adds up the counts of each group in each interval. */
export class FigureTable {
  /** Counts by interval. Those of intervals without anything are absent. */
  private readonly groups = new Map<GroupKey, (Counts | undefined)[]>();

  constructor(readonly intervals: Intervals) {}

  /** Keys of all groups that were added, in no particular order. */
  get keys(): GroupKey[] {
    return [...this.groups.keys()];
  }

  addRow(row: FigureRow, group: GroupKey): void {
    addRow(this.cellOf(group, this.intervals.indexOf(row.bucket)), row);
  }

  addClicks(row: ClickRow): void {
    addClicks(this.cellOf(row.group, this.intervals.indexOf(row.bucket)), row);
  }

  /** Adds counts by interval to a group. */
  add(group: GroupKey, added: readonly Readonly<Counts>[], sign: 1 | -1 = 1): void {
    added.forEach((counts, index) => {
      if (counts !== NO_COUNTS) addCounts(this.cellOf(group, index), counts, sign);
    });
  }

  /** Returns the counts of a group by interval; NO_COUNTS where there is nothing. */
  countsOf(group: GroupKey): readonly Readonly<Counts>[] {
    const known = this.groups.get(group);
    return this.intervals.ranges.map((_, index) => known?.[index] ?? NO_COUNTS);
  }

  /** Returns the counts of a group in the whole range. */
  totalOf(group: GroupKey): Readonly<Counts> {
    const [first, ...others] = this.groups.get(group) ?? [];
    // Most tables have a single interval, whose counts need not be copied for thousands of groups.
    return others.length === 0 ? (first ?? NO_COUNTS) : sumOf(this.countsOf(group));
  }

  /** Returns the counts of a group in a part of the range that begins and ends with intervals. */
  countsIn(group: GroupKey, { start_date, end_date }: DayRange): Counts {
    const counts = this.countsOf(group);
    const [from, to] = [this.intervals.indexOf(start_date), this.intervals.indexOf(end_date)];
    return sumOf(counts.slice(from, to + 1));
  }

  /** Returns the counts of all groups together by interval. */
  allGroups(): readonly Counts[] {
    const all = this.intervals.ranges.map(noCounts);
    for (const counts of this.groups.values()) {
      all.forEach((to, index) => {
        addCounts(to, counts[index] ?? NO_COUNTS);
      });
    }
    return all;
  }

  private cellOf(group: GroupKey, index: number): Counts {
    let all = this.groups.get(group);
    if (all === undefined) {
      all = this.intervals.ranges.map(() => undefined);
      this.groups.set(group, all);
    }
    return (all[index] ??= noCounts());
  }
}

export function sumOf(all: readonly Readonly<Counts>[]): Counts {
  const sum = noCounts();
  for (const counts of all) if (counts !== NO_COUNTS) addCounts(sum, counts);
  return sum;
}

/** Returns true if there is a sale, refund or chargeback, or another count that is asked for. */
export function hasAny(counts: Readonly<Counts>, hasPending: boolean): boolean {
  return (
    counts.sales + counts.refunds + counts.chargebacks + counts.clicks + counts.unique_clicks >
      0n ||
    (hasPending && counts.pending > 0n)
  );
}
