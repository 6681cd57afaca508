import { dateTimeOfNumber, dayOf, numberOfDateTime } from '../../../platform/values/time.js';
import type { PageSlice } from './page-plan.js';

/** Maximum numbers of days and of positions of one vendor. */
const MAX_DAYS = 10_000;
const MAX_POSITIONS = 100_000;
/** Minimum number of sales between two positions that pages reveal. */
const SPACING = 8;
/** The last six digits of a number of `numberOfDateTime` are the time, the others are the day. */
const TIMES = 1_000_000;
/** The time 12:39:59 is the last one of 12:3. */
const END_OF_TEN_MINUTES = '9:59';

const BYTES_OF_A_DAY = 200;
const BYTES_OF_A_POSITION = 16;

/** Counts the sales of ten minutes of a day. */
export interface TimeCount {
  /** Beginning of the time, such as `12:3`. */
  readonly time: string;
  readonly count: number;
}

/** Contains the known positions of a day. */
interface KnownDay {
  /**
   * States for an item of the day, counted from 0, that it and all later ones were sold at a time
   * or before it, and all earlier ones after it. A position is `item * TIMES + time`, and the
   * positions are sorted.
   */
  readonly positions: number[];
  /** True if the positions of the whole day were read. */
  isRead: boolean;
}

/**
 * Collects positions among a vendor's sales, at one revision of the ledger. The counts lead to the
 * day of an item. In a day with many sales these hints lead closer, so that a page skips few rows.
 * Each range of days that contains the day uses the same positions.
 */
export class SeekHints {
  private readonly days = new Map<string, KnownDay>();
  private count = 0;

  /** Approximate memory in use, in bytes. */
  get bytes(): number {
    return this.days.size * BYTES_OF_A_DAY + this.count * BYTES_OF_A_POSITION;
  }

  /** Returns the slice with the nearest known start, or unchanged if there is none. */
  nearer(slice: PageSlice): PageSlice {
    const positions = this.days.get(slice.to)?.positions ?? [];
    const known = positions[countUpTo(positions, slice.skip) - 1];
    if (known === undefined) return slice;
    const upTo = `${slice.to} ${timeOf(known % TIMES)}`;
    return { ...slice, upTo, skip: slice.skip - Math.floor(known / TIMES) };
  }

  /**
   * Returns true if a page of the day was read before, but not the positions of the whole day: so
   * the day is requested more than once at this revision.
   */
  isWorthReading(day: string): boolean {
    return this.days.get(day)?.isRead === false && this.count < MAX_POSITIONS;
  }

  /** Adds the positions of a whole day. The counts may be in any order. */
  noteDay(day: string, counts: readonly TimeCount[]): void {
    const known = this.knownDay(day);
    if (known === null) return;
    known.isRead = true;
    let item = 0;
    for (const { time, count } of counts.toSorted(newestFirst)) {
      if (item > 0) this.add(known, item, numberOfDateTime(time + END_OF_TEN_MINUTES));
      item += count;
    }
  }

  /**
   * Adds positions from the rows of a page.
   * @param slice the slice before `nearer` changed it
   * @param soldAt the sale dates of its rows, as `numberOfDateTime` returns them
   */
  noteRows(slice: PageSlice, soldAt: readonly number[]): void {
    let before = soldAt[0] ?? 0;
    let known = this.knownDay(slice.to);
    let item = slice.skip;
    for (const number of soldAt) {
      if (dayNumberOf(number) !== dayNumberOf(before)) {
        known = this.knownDay(dayOf(dateTimeOfNumber(number)));
        item = 0;
      } else if (number !== before) {
        // It is certain that no earlier item has the same sale date only where the second changes.
        this.add(known, item, number % TIMES);
      }
      before = number;
      item += 1;
    }
  }

  /** Returns what is known of a day; null if there are too many days. */
  private knownDay(day: string): KnownDay | null {
    const known = this.days.get(day);
    if (known !== undefined) return known;
    if (this.days.size >= MAX_DAYS) return null;
    const added = { positions: [], isRead: false };
    this.days.set(day, added);
    return added;
  }

  private add(known: KnownDay | null, item: number, time: number): void {
    if (known === null || this.count >= MAX_POSITIONS) return;
    const { positions } = known;
    const place = countUpTo(positions, item);
    const before = positions[place - 1] ?? 0;
    const after = positions[place] ?? Infinity;
    const isNear = (item - SPACING) * TIMES < before || after < (item + SPACING) * TIMES;
    if (isNear) return;
    positions.splice(place, 0, item * TIMES + time);
    this.count += 1;
  }
}

/** Counts the positions up to an item. */
function countUpTo(positions: readonly number[], item: number): number {
  const end = (item + 1) * TIMES;
  let low = 0;
  let high = positions.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((positions[middle] ?? 0) < end) low = middle + 1;
    else high = middle;
  }
  return low;
}

function dayNumberOf(number: number): number {
  return Math.floor(number / TIMES);
}

/** Returns the time of six digits, such as 93059, as 09:30:59. */
function timeOf(digits: number): string {
  const text = String(TIMES + digits);
  return `${text.slice(1, 3)}:${text.slice(3, 5)}:${text.slice(5)}`;
}

function newestFirst(left: TimeCount, right: TimeCount): number {
  return left.time < right.time ? 1 : -1;
}
