import type { LedgerPosition } from '../../../ledger/reads/transaction.model.js';
import { padded } from '../../../platform/database/bulk.js';
import type { Dialect } from '../../../platform/database/dialect.js';
import { dayOf, endOfDay, secondsAfter, startOfDay } from '../../../platform/values/time.js';
import type { Condition, IndexRange } from './index-ranges.js';
import { MAX_IN_CURSOR, type DayRange, type QueryCursor } from './query.model.js';

/** An index range with the days that a page needs. */
export interface IndexRangeOfDays extends Omit<IndexRange, 'range' | 'kinds'> {
  readonly days: readonly DayRange[];
}

/** The part of an index range that one seek reads: days, or some rows of one second. */
export interface KeyPart {
  /** Stands before the name of the table, with values that precede all others. */
  readonly before: Condition;
  /** Names the index; empty if the database chooses it. */
  readonly hint: string;
  readonly where: Condition;
}

/** Selects the rows from one position to another, both included; null for no bound. */
interface Stretch {
  readonly low: LedgerPosition | null;
  readonly high: LedgerPosition | null;
}

/** Allowed numbers of day ranges in a statement: few, so that each prepared statement is reused. */
const RANGES = [1, 8, 64, 1024] as const;
type Bounds = readonly [from: string, to: string];
/** An empty range that fills up the ranges of a statement. */
const NO_RANGE: Bounds = [endOfDay('9999-12-31'), startOfDay('1000-01-01')];
const NOTHING: Condition = { sql: '', values: [] };

/**
 * Returns the parts of an index range after a cursor, up to a position, at least one. The seconds of both have
 * parts of their own, because a database seeks no place within them by a condition with OR: it
 * would read all sales of the second for each page.
 */
export function keyPartsOf(
  dialect: Dialect,
  range: IndexRangeOfDays,
  cursor: QueryCursor | null,
  until: LedgerPosition | null,
): KeyPart[] {
  const stretch = stretchOf(cursor, until);
  const parts = secondsOf(range, stretch).map((where) => partOf(range, where));
  const bounds = boundsOf(range, stretch);
  if (bounds.length > 0) return [...parts, daysOf(dialect, range, bounds)];
  // A statement needs at least one part, even for a page that lies beyond its ranges.
  return parts.length > 0 ? parts : [daysOf(dialect, range, [NO_RANGE])];
}

/** @param cursor excludes its own position */
function stretchOf(cursor: QueryCursor | null, until: LedgerPosition | null): Stretch {
  if (cursor === null) return { low: until, high: null };
  const { direction, position } = cursor;
  const isAfter = direction === 'after';
  const beside = { ...position, arrival: position.arrival + (isAfter ? -1 : 1) };
  return isAfter ? { low: until, high: beside } : { low: beside, high: until };
}

function partOf({ owner, index }: IndexRangeOfDays, where: Condition): KeyPart {
  return {
    before: NOTHING,
    hint: hintOf(index),
    where: { sql: `${owner.sql} AND ${where.sql}`, values: [...owner.values, ...where.values] },
  };
}

function daysOf(dialect: Dialect, range: IndexRangeOfDays, bounds: readonly Bounds[]): KeyPart {
  const { column, owner, daysOf: sql, index, isChoice } = range;
  const filled = padded(bounds, RANGES).map((each, at) => (at < bounds.length ? each : NO_RANGE));
  const { before, where } = dialect.inRanges(column, filled);
  return {
    before,
    hint: isChoice ? '' : hintOf(index),
    where: { sql: `${sql} AND ${where.sql}`, values: [...owner.values, ...where.values] },
  };
}

function hintOf(index: string): string {
  return ` /*! FORCE INDEX (${index}) */`;
}

/** Returns the bounds of the day ranges, without the seconds at the ends of the stretch. */
function boundsOf({ days }: IndexRangeOfDays, { low, high }: Stretch): Bounds[] {
  const [least, most] = [
    low === null ? startOfDay('1000-01-01') : secondsAfter(low.sale_date, 1),
    high === null ? endOfDay('9999-12-31') : secondsAfter(high.sale_date, -1),
  ];
  if (least === null || most === null) return [];
  return days.flatMap(({ start_date, end_date }): Bounds[] => {
    const [from, to] = [startOfDay(start_date), endOfDay(end_date)];
    const bounds: Bounds = [least > from ? least : from, most < to ? most : to];
    return bounds[0] <= bounds[1] ? [bounds] : [];
  });
}

/** Returns the conditions for the rows in the seconds at the ends of the stretch. */
function secondsOf(range: IndexRangeOfDays, { low, high }: Stretch): Condition[] {
  const { days, ties, column } = range;
  const ofSecond = (second: string, from: LedgerPosition | null, to: LedgerPosition | null) => {
    const day = dayOf(second);
    if (!days.some(({ start_date, end_date }) => start_date <= day && day <= end_date)) return [];
    const placeOf = (position: LedgerPosition | null) =>
      position && ties.map((tie) => position[tie]);
    return spansBetween(placeOf(from), placeOf(to)).map((span): Condition => {
      const equal = [column, ...ties.slice(0, span.equal.length)].map((name) => `${name} = ?`);
      const sql = [...equal, `${ties[span.equal.length] ?? ''} BETWEEN ? AND ?`].join(' AND ');
      return { sql, values: [second, ...span.equal, span.from, span.to] };
    });
  };
  if (low !== null && low.sale_date === high?.sale_date) {
    return ofSecond(low.sale_date, low, high);
  }
  return [
    ...(high === null ? [] : ofSecond(high.sale_date, null, high)),
    ...(low === null ? [] : ofSecond(low.sale_date, low, null)),
  ];
}

/** Selects rows by the first values of their order, and a range of the value that follows. */
interface Span {
  readonly equal: readonly number[];
  readonly from: number;
  readonly to: number;
}

/** Returns the ranges of the places between two places, both included; null for no bound. */
function spansBetween(low: readonly number[] | null, high: readonly number[] | null): Span[] {
  const [from = 0, ...lowRest] = low ?? [];
  const [to = MAX_IN_CURSOR, ...highRest] = high ?? [];
  const within = (value: number, spans: readonly Span[]) =>
    spans.map((span) => ({ ...span, equal: [value, ...span.equal] }));
  const isLast = lowRest.length + highRest.length === 0;
  if (!isLast && low !== null && high !== null && from === to) {
    return within(from, spansBetween(lowRest, highRest));
  }
  const isAbove = !isLast && low !== null;
  const isBelow = !isLast && high !== null;
  const between = { equal: [], from: isAbove ? from + 1 : from, to: isBelow ? to - 1 : to };
  return [
    ...(isAbove ? within(from, spansBetween(lowRest, null)) : []),
    ...(isBelow ? within(to, spansBetween(null, highRest)) : []),
    ...(between.from <= between.to ? [between] : []),
  ];
}
