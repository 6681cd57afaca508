import { Injectable } from '@nestjs/common';
import { byListOrder } from '../../../ledger/reads/transaction-row.model.js';
import type { LedgerPosition } from '../../../ledger/reads/transaction.model.js';
import { padded } from '../../../platform/database/bulk.js';
import { Database, type Reader, type SqlValue } from '../../../platform/database/database.js';
import { daysAfter, endOfDay, startOfDay } from '../../../platform/values/time.js';
import type { IndexRange } from './index-ranges.js';
import type { DayRange, QueryCursor } from './query.model.js';

/** An index range with the days that a page needs. */
export interface IndexRangeOfDays extends Omit<IndexRange, 'range' | 'kinds'> {
  readonly days: readonly DayRange[];
}

/** Selects the transactions of index ranges after or before a cursor. */
interface RangeKeys {
  /** Holds at least one range. */
  readonly ranges: readonly IndexRangeOfDays[];
  readonly cursor: QueryCursor | null;
}

export interface PageKeys extends RangeKeys {
  /** Last position that is read, or null for all. */
  readonly until: LedgerPosition | null;
  readonly take: number;
}

/** Allowed numbers of day ranges in a statement: few, so that each prepared statement is reused. */
const RANGES = [1, 8, 64, 1024] as const;
/** An empty range that fills up the ranges of a statement. */
const NO_RANGE = [endOfDay('9999-12-31'), startOfDay('1000-01-01')] as const;

/**
 * Reads the keys of the transactions of a query with hand-written SQL, a page at a time, newest
 * sale first. A list can have a million transactions, so they are never all in memory.
 */
@Injectable()
export class QueryKeysRepository {
  constructor(private readonly database: Database) {}

  /**
   * Returns the position of the transaction that follows `skip` others of the ranges, whether they
   * match or not, or null if there are no more. Reads only the index.
   */
  async positionAfter(
    reader: Reader,
    keys: RangeKeys,
    skip: number,
  ): Promise<LedgerPosition | null> {
    const ranges = keys.ranges.map((range) => ({
      ...range,
      condition: { sql: '1 = 1', values: [] },
    }));
    const { sql, values } = this.keysOf({ ...keys, ranges, until: null, take: 1 }, skip);
    const [row = null] = await reader.select<LedgerPosition>(sql, values);
    return row;
  }

  /** Returns the positions of the transactions, newest sale first. */
  async positions(reader: Reader, page: PageKeys): Promise<LedgerPosition[]> {
    const { sql, values } = this.keysOf(page);
    return (await reader.select<LedgerPosition>(sql, values)).sort(byListOrder);
  }

  /** Counts the transactions of the ranges. */
  async count(reader: Reader, keys: Omit<PageKeys, 'take'>): Promise<number> {
    const { sql, values } = this.keysOf({ ...keys, take: Number.MAX_SAFE_INTEGER });
    const [row] = await reader.select<{ readonly count: number }>(
      `SELECT COUNT(*) AS count FROM (${sql}) counted`,
      values,
    );
    return row?.count ?? 0;
  }

  /**
   * Returns the statement for the keys of a page: it reads the first rows of each range, and keeps
   * the first rows of their union.
   */
  keysOf({ ranges, cursor, until, take }: PageKeys, skip = 0): { sql: string; values: SqlValue[] } {
    const order = orderOf(cursor);
    const isDescending = order === 'DESC';
    const values: SqlValue[] = [];
    const parts = ranges.map((range) => {
      const { column, condition, hint, owner } = range;
      const bounds = boundsOf(range, cursor, until);
      const { before, where } = this.database.dialect.inRanges(column, bounds);
      const beyond = inSecondOf(column, cursor?.position ?? null, isDescending ? '<' : '>', '');
      const upTo = inSecondOf(column, until, isDescending ? '>' : '<', '=');
      values.push(...before.values, ...owner.values, ...where.values, ...condition.values);
      values.push(...beyond.values, ...upTo.values);
      // A single range skips rows itself. Each of several ranges returns all rows that may come
      // first in their union, and the union skips rows.
      values.push(...(ranges.length === 1 ? [take, skip] : [take + skip, 0]));
      return `SELECT * FROM (SELECT vendor_id, arrival, ${column} AS sale_date FROM ${before.sql}transactions${hint}
      WHERE ${owner.sql} AND ${where.sql} AND ${condition.sql}${beyond.sql}${upTo.sql}
      ORDER BY ${column} ${order}, vendor_id ${order}, arrival ${order} LIMIT ? OFFSET ?) ${column === 'sale_date' ? 'sold' : 'refunded'}`;
    });
    if (parts.length === 1) return { sql: parts.join(), values };
    const sql = `${parts.join(' UNION ALL ')}
    ORDER BY sale_date ${order}, vendor_id ${order}, arrival ${order} LIMIT ? OFFSET ?`;
    return { sql, values: [...values, take, skip] };
  }
}

/** Merges consecutive days into ranges. */
export function rangesOf(days: readonly string[]): DayRange[] {
  const ranges: { start_date: string; end_date: string }[] = [];
  for (const day of [...days].sort()) {
    const last = ranges.at(-1);
    if (last !== undefined && daysAfter(last.end_date, 1) === day) last.end_date = day;
    else ranges.push({ start_date: day, end_date: day });
  }
  return ranges;
}

/**
 * Returns the bounds of the day ranges; the first begins at the cursor, and the last ends at the
 * last position.
 */
function boundsOf(
  { days }: IndexRangeOfDays,
  cursor: QueryCursor | null,
  until: LedgerPosition | null,
): readonly (readonly [string, string])[] {
  const [begin, end] = [cursor?.position.sale_date, until?.sale_date];
  const [newest, oldest] = orderOf(cursor) === 'DESC' ? [begin, end] : [end, begin];
  const bounds = days.map(({ start_date, end_date }): [string, string] => {
    const [from, to] = [startOfDay(start_date), endOfDay(end_date)];
    return [
      oldest !== undefined && oldest > from ? oldest : from,
      newest !== undefined && newest < to ? newest : to,
    ];
  });
  return padded(bounds, RANGES).map((each, index) => (index < bounds.length ? each : NO_RANGE));
}

/**
 * Returns the condition that keeps, of the transactions in the second of a position, those on one
 * side of it by vendor and arrival. All other transactions are kept.
 */
function inSecondOf(
  column: string,
  position: LedgerPosition | null,
  comparison: '<' | '>',
  orEqual: '=' | '',
) {
  if (position === null) return { sql: '', values: [] };
  const { sale_date, vendor_id, arrival } = position;
  return {
    sql: ` AND (${column} <> ? OR vendor_id ${comparison} ? OR (vendor_id = ? AND arrival ${comparison}${orEqual} ?))`,
    values: [sale_date, vendor_id, vendor_id, arrival],
  };
}

function orderOf(cursor: QueryCursor | null): 'ASC' | 'DESC' {
  return cursor?.direction === 'before' ? 'ASC' : 'DESC';
}
