import { Injectable } from '@nestjs/common';
import { byListOrder } from '../../../ledger/reads/transaction-row.model.js';
import type { LedgerPosition } from '../../../ledger/reads/transaction.model.js';
import { Database, type Reader, type SqlValue } from '../../../platform/database/database.js';
import { daysAfter } from '../../../platform/values/time.js';
import { keyPartsOf, type IndexRangeOfDays } from './key-parts.js';
import type { DayRange, QueryCursor } from './query.model.js';

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
    const parts = ranges.flatMap((range) =>
      keyPartsOf(this.database.dialect, range, cursor, until).map((part) => ({
        ...range,
        ...part,
      })),
    );
    const values: SqlValue[] = [];
    const selects = parts.map(({ column, condition, before, hint, where }) => {
      values.push(...before.values, ...where.values, ...condition.values);
      // A single part skips rows itself. Each of several parts returns all rows that may come first
      // in their union, and the union skips rows.
      values.push(...(parts.length === 1 ? [take, skip] : [take + skip, 0]));
      return `SELECT * FROM (SELECT vendor_id, arrival, ${column} AS sale_date FROM ${before.sql}transactions${hint}
      WHERE ${where.sql} AND ${condition.sql}
      ORDER BY ${column} ${order}, vendor_id ${order}, arrival ${order} LIMIT ? OFFSET ?) ${column === 'sale_date' ? 'sold' : 'refunded'}`;
    });
    if (selects.length === 1) return { sql: selects.join(), values };
    const sql = `${selects.join(' UNION ALL ')}
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

function orderOf(cursor: QueryCursor | null): 'ASC' | 'DESC' {
  return cursor?.direction === 'before' ? 'ASC' : 'DESC';
}
