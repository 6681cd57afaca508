import { dateTimeOfNumber } from '../../../platform/values/time.js';
import type { PageSlice } from './page-plan.js';

const MAX_POSITIONS = 2_000;

/**
 * States that the item `item`, counted from 0, and all later ones were sold at `sale_date` or
 * before it.
 */
interface Position {
  readonly item: number;
  readonly sale_date: string;
}

/**
 * Collects positions in a list that earlier pages revealed, at one revision. The counts lead to the
 * day of an item. In a day with many sales these hints lead closer, so that reading page after page
 * skips almost nothing.
 */
export class SeekHints {
  private readonly positions: Position[] = [];

  get count(): number {
    return this.positions.length;
  }

  /**
   * Returns the slice with the nearest known start, or unchanged if no hint is nearer.
   * @param first the first item of the slice
   */
  nearer(slice: PageSlice, first: number): PageSlice {
    const known = this.positions[this.countUpTo(first) - 1];
    return known === undefined || known.item <= first - slice.skip
      ? slice
      : { ...slice, upTo: known.sale_date, skip: first - known.item };
  }

  /**
   * Adds a hint from the items that begin at `first`.
   * @param soldAt the sale dates of the items, as `numberOfDateTime` returns them
   */
  note(first: number, soldAt: readonly number[]): void {
    if (this.positions.length === MAX_POSITIONS) return;
    // It is certain that no earlier item has the same sale date only where the second changes.
    const at = soldAt.findLastIndex((number, index) => number !== soldAt[index - 1]);
    const changed = soldAt[at];
    if (at < 1 || changed === undefined) return;
    const item = first + at;
    const place = this.countUpTo(item);
    if (this.positions[place - 1]?.item === item) return;
    this.positions.splice(place, 0, { item, sale_date: dateTimeOfNumber(changed) });
  }

  /** Counts the known positions up to an item. */
  private countUpTo(item: number): number {
    let low = 0;
    let high = this.positions.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.positions[middle]?.item ?? 0) <= item) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
