import type { DayRange } from '../report.model.js';
import type { ClickRow, FigureRow, GroupKey } from './figure-row.model.js';
import type { Intervals } from './intervals.js';
import { addClicks, addCounts, addRow, noCounts, type Counts } from './measures.js';

/** Adds up the counts of each group in each interval. */
export class FigureTable {
  private readonly groups = new Map<GroupKey, Counts[]>();

  constructor(readonly intervals: Intervals) {}

  /** Keys of all groups that were added, in no particular order. */
  get keys(): GroupKey[] {
    return [...this.groups.keys()];
  }

  /** @param group the group, if it is not that of the row */
  addRow(row: FigureRow, group: GroupKey = row.group): void {
    const counts = this.of(group)[this.intervals.indexOf(row.bucket)];
    if (counts !== undefined) addRow(counts, row);
  }

  addClicks(row: ClickRow): void {
    const counts = this.of(row.group)[this.intervals.indexOf(row.bucket)];
    if (counts !== undefined) addClicks(counts, row);
  }

  /** Adds counts by interval to a group. */
  add(group: GroupKey, added: readonly Counts[], sign: 1n | -1n = 1n): void {
    const all = this.of(group);
    added.forEach((counts, index) => {
      const to = all[index];
      if (to !== undefined) addCounts(to, counts, sign);
    });
  }

  delete(group: GroupKey): void {
    this.groups.delete(group);
  }

  /** Returns the counts of a group by interval; zeros for an unknown group. */
  countsOf(group: GroupKey): readonly Counts[] {
    return this.groups.get(group) ?? this.zeros();
  }

  /** Returns the counts of a group in the whole range. */
  totalOf(group: GroupKey): Counts {
    return sumOf(this.groups.get(group) ?? []);
  }

  /** Returns the counts of a group in a part of the range that begins and ends with intervals. */
  countsIn(group: GroupKey, { start_date, end_date }: DayRange): Counts {
    const counts = this.groups.get(group) ?? [];
    const [from, to] = [this.intervals.indexOf(start_date), this.intervals.indexOf(end_date)];
    return sumOf(counts.slice(from, to + 1));
  }

  /** Returns the counts of all groups together by interval. */
  allGroups(): readonly Counts[] {
    const all = this.zeros();
    for (const counts of this.groups.values()) {
      counts.forEach((each, index) => {
        const to = all[index];
        if (to !== undefined) addCounts(to, each);
      });
    }
    return all;
  }

  private of(group: GroupKey): Counts[] {
    const known = this.groups.get(group);
    if (known !== undefined) return known;
    const zeros = this.zeros();
    this.groups.set(group, zeros);
    return zeros;
  }

  private zeros(): Counts[] {
    return this.intervals.ranges.map(noCounts);
  }
}

export function sumOf(all: readonly Counts[]): Counts {
  const sum = noCounts();
  for (const counts of all) addCounts(sum, counts);
  return sum;
}

/** Returns true if there is a sale, refund or chargeback, or another count that is asked for. */
export function hasAny(counts: Counts, hasPending: boolean): boolean {
  return (
    counts.sales + counts.refunds + counts.chargebacks + counts.clicks + counts.unique_clicks >
      0n ||
    (hasPending && counts.pending > 0n)
  );
}
