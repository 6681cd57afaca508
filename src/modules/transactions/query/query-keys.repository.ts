import { Injectable } from '@nestjs/common';
import { byListOrder } from '../../../ledger/reads/transaction-row.model.js';
import type { LedgerPosition } from '../../../ledger/reads/transaction.model.js';
import { Database, type Reader, type SqlValue } from '../../../platform/database/database.js';
import { daysAfter } from '../../../platform/values/time.js';
import { keyPartsOf, type IndexRangeOfDays, type KeyPart } from './key-parts.js';
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
    const all = { ...keys, ranges, until: null };
    if (ranges.length === 1) return this.positionInParts(reader, all, skip);
    const { sql, values } = this.keysOf({ ...all, take: 1 }, skip);
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
    return countRows(reader, this.keysOf({ ...keys, take: Number.MAX_SAFE_INTEGER }));
  }

  /**
   * Returns the statement for the keys of a page: it reads the first rows of each range, and keeps
   * the first rows of their union.
   */
  keysOf(keys: PageKeys, skip = 0): { sql: string; values: SqlValue[] } {
    const { take } = keys;
    const order = orderOf(keys.cursor);
    const parts = this.partsOf(keys);
    const [first, ...others] = parts;
    // A single part skips rows itself. Each of several parts returns all rows that may come first
    // in their union, and the union skips rows.
    if (first !== undefined && others.length === 0) return keysOfPart(first, order, take, skip);
    const selects = parts.map((part) => keysOfPart(part, order, take + skip, 0));
    const values = selects.flatMap((select) => select.values);
    const sql = `${selects.map((select) => select.sql).join(' UNION ALL ')}
    ORDER BY sale_date ${order}, vendor_id ${order}, arrival ${order} LIMIT ? OFFSET ?`;
    return { sql, values: [...values, take, skip] };
  }

  /**
   * Returns the position in a single range, whose parts are in the order of the list. It counts the
   * rows of the parts before it, which are those of one second, and does not sort their union.
   */
  private async positionInParts(
    reader: Reader,
    keys: Omit<PageKeys, 'take'>,
    skip: number,
  ): Promise<LedgerPosition | null> {
    const order = orderOf(keys.cursor);
    const parts = this.partsOf(keys);
    let left = skip;
    for (const [at, part] of parts.entries()) {
      if (at < parts.length - 1) {
        const rows = await countRows(reader, keysOfPart(part, order, left + 1, 0));
        if (rows <= left) {
          left -= rows;
          continue;
        }
      }
      const { sql, values } = keysOfPart(part, order, 1, left);
      const [row = null] = await reader.select<LedgerPosition>(sql, values);
      return row;
    }
    return null;
  }

  private partsOf({ ranges, cursor, until }: Omit<PageKeys, 'take'>): PartOfRange[] {
    return ranges.flatMap((range) =>
      keyPartsOf(this.database.dialect, range, cursor, until).map((part) => ({
        ...range,
        ...part,
      })),
    );
  }
}

type PartOfRange = IndexRangeOfDays & KeyPart;
interface KeyStatement {
  readonly sql: string;
  readonly values: SqlValue[];
}

function keysOfPart(
  { column, condition, before, hint, where }: PartOfRange,
  order: 'ASC' | 'DESC',
  take: number,
  skip: number,
): KeyStatement {
  return {
    sql: `SELECT * FROM (SELECT vendor_id, arrival, ${column} AS sale_date FROM ${before.sql}transactions${hint}
      WHERE ${where.sql} AND ${condition.sql}
      ORDER BY ${column} ${order}, vendor_id ${order}, arrival ${order} LIMIT ? OFFSET ?) ${column === 'sale_date' ? 'sold' : 'refunded'}`,
    values: [...before.values, ...where.values, ...condition.values, take, skip],
  };
}

async function countRows(reader: Reader, { sql, values }: KeyStatement): Promise<number> {
  const [row] = await reader.select<{ readonly count: number }>(
    `SELECT COUNT(*) AS count FROM (${sql}) counted`,
    values,
  );
  return row?.count ?? 0;
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
