import { Injectable } from '@nestjs/common';
import { isOneOf } from '../../../platform/database/bulk.js';
import type { Reader } from '../../../platform/database/database.js';
import type { DayRange, Viewer } from '../report.model.js';
import type { DaySums, Dimension, ItemSums, SumsCriteria } from './report-sums.model.js';
import { daysSource, itemSources, partSums, summed, type SumsRow } from './summed-parts.js';

/**
 * Reads the kept sums with hand-written SQL, because ranking many affiliates is the slowest part of
 * a report (docs/measurements/older.md).
 */
@Injectable()
export class ReportSumsRepository {
  /** Returns the sums of each day; parts without a transaction are left out. */
  async daySums(reader: Reader, criteria: SumsCriteria): Promise<DaySums[]> {
    const source = daysSource(criteria.viewer, criteria.filter);
    const { sql, values } = summed('day', source, criteria, criteria.attribution);
    const rows = await reader.select<SumsRow & Pick<DaySums, 'day'>>(
      `${sql} GROUP BY day, kind`,
      values,
    );
    return rows.map((row) => ({ day: row.day, ...partSums(row, 1) }));
  }

  /**
   * Returns the number of a vendor's transactions of any status that were sold before a range and
   * refunded in it.
   */
  async refundsOfEarlierSales(reader: Reader, vendor_id: number, range: DayRange): Promise<number> {
    const { start_date, end_date } = range;
    const [row] = await reader.select<{ readonly refunds: number | null }>(
      `SELECT CAST(SUM(refunds) AS SIGNED) AS refunds FROM refund_counts
        WHERE vendor_id = ? AND refund_day BETWEEN ? AND ? AND sale_day < ?`,
      [vendor_id, start_date, end_date, start_date],
    );
    return row?.refunds ?? 0;
  }

  /** Returns the first and the last day with a transaction, or null if there are none. */
  async firstAndLastDay(reader: Reader, viewer: Viewer): Promise<DayRange | null> {
    const { table, where, values } = daysSource(viewer);
    const [row] = await reader.select<DayRange | Record<keyof DayRange, null>>(
      `SELECT MIN(day) AS start_date, MAX(day) AS end_date FROM ${table} WHERE ${where}`,
      values,
    );
    return row?.start_date ? row : null;
  }

  /**
   * Returns the items with the highest gross in a range, highest first. The ranked sums are added
   * as floating-point numbers, which are exact below 2^53 and several times as fast as MariaDB's
   * decimals.
   */
  async topIds(
    reader: Reader,
    { viewer, ...range }: Omit<SumsCriteria, 'attribution'>,
    by: Dimension,
    limit: number,
  ): Promise<number[]> {
    const sources = itemSources(viewer, range, by);
    // Only a subtraction can leave an item without a sale.
    const isSubtracted = sources.some(({ sign }) => sign < 0);
    const parts = sources.map((source) => {
      const sign = source.sign < 0 ? '-' : '';
      const sales = isSubtracted ? `, ${sign}SUM(transactions + 0e0) AS sales` : '';
      return `SELECT ${source.item} AS item_id, ${sign}SUM(amount + 0e0) AS gross${sales}
        FROM ${source.table} WHERE ${source.where} AND kind = 'sale' AND day BETWEEN ? AND ?
        GROUP BY ${source.item}`;
    });
    const values = sources.flatMap(({ values, range: { start_date, end_date } }) => {
      return [...values, start_date, end_date];
    });
    const rows = await reader.select<Pick<ItemSums, 'item_id'>>(
      `SELECT item_id FROM (${parts.join(' UNION ALL ')}) items GROUP BY item_id
        ${isSubtracted ? 'HAVING SUM(sales) > 0' : ''} ORDER BY SUM(gross) DESC, item_id LIMIT ?`,
      [...values, limit],
    );
    return rows.map(({ item_id }) => item_id);
  }

  /** Returns the sums of these items in a range; parts without a transaction are left out. */
  async itemSums(
    reader: Reader,
    { viewer, attribution, ...range }: SumsCriteria,
    by: Dimension,
    item_ids: readonly number[],
  ): Promise<ItemSums[]> {
    if (item_ids.length === 0) return [];
    const found = await Promise.all(
      itemSources(viewer, range, by).map(async (source) => {
        const { item, days, sign } = source;
        const { sql, values } = summed(`${item} AS item_id`, source, source.range, attribution);
        // With a list of days, the index finds a few of thousands of items without reading the
        // others.
        const keys = [...(days === null ? [] : [isOneOf('day', days)]), isOneOf(item, item_ids)];
        const rows = await reader.select<SumsRow & Pick<ItemSums, 'item_id'>>(
          `${sql} AND ${keys.map((key) => key.sql).join(' AND ')} GROUP BY ${item}, kind`,
          [...values, ...keys.flatMap((key) => key.values)],
        );
        return rows.map((row) => ({ item_id: row.item_id, ...partSums(row, sign) }));
      }),
    );
    return found.flat();
  }
}
