import type { PageSlice } from './page-plan.js';
import type { Transaction } from '../transaction.model.js';

/** More are not needed: what lies between two of them is passed over within the index. */
const MOST = 2_000;

/** From this item on, counted from 0, nothing of the list was sold later than this moment. */
interface Position {
  readonly item: number;
  readonly sale_date: string;
}

/**
 * What the pages read so far tell of where items of a list lie, at one revision. Counts lead to the
 * day of an item; in a long day these lead nearer, and a walk from page to page passes nothing over.
 */
export class SeekHints {
  private readonly positions: Position[] = [];

  get count(): number {
    return this.positions.length;
  }

  /** @param first the item with which the slice begins */
  nearer(slice: PageSlice, first: number): PageSlice {
    const known = this.positions[this.countUpTo(first) - 1];
    return known === undefined || known.item <= first - slice.skip
      ? slice
      : { ...slice, upTo: known.sale_date, skip: first - known.item };
  }

  /** Learns from rows that stand in the list from item `first` on. */
  note(first: number, rows: readonly Pick<Transaction, 'sale_date'>[]): void {
    // Only where the second changes is it certain that no item before was sold in the same.
    const at = rows.findLastIndex(
      ({ sale_date }, index) => sale_date !== rows[index - 1]?.sale_date,
    );
    const row = rows[at];
    if (at < 1 || row === undefined || this.positions.length === MOST) return;
    const item = first + at;
    const place = this.countUpTo(item);
    if (this.positions[place - 1]?.item === item) return;
    this.positions.splice(place, 0, { item, sale_date: row.sale_date });
  }

  /** How many known positions lie at an item or before it. */
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
