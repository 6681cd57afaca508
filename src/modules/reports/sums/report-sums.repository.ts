import { Injectable } from '@nestjs/common';
import type { Reader } from '../../../database/database.js';
import type { SumKind } from '../../transactions/sums/kept-sums.model.js';
import type { DayRange, Viewer } from '../report.model.js';
import type { DaySums, SumsCriteria } from './report-sums.model.js';
import { daysSource } from './sums-source.js';
import { listed, partSums, summed, type SumsRow } from './summed-parts.js';

/** Reads the kept sums with hand-written SQL (docs/benchmarks.md#older-figures). */
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
   * Returns the first or the last days with transactions of these kinds.
   * @param order `DESC` for the last days, latest first
   */
  async daysWith(
    reader: Reader,
    { viewer, filter, start_date, end_date }: Omit<SumsCriteria, 'attribution'>,
    kinds: readonly SumKind[],
    { order, limit }: { readonly order: 'ASC' | 'DESC'; readonly limit: number },
  ): Promise<string[]> {
    const { table, where, values } = daysSource(viewer, filter);
    const rows = await reader.select<Pick<DaySums, 'day'>>(
      `SELECT DISTINCT day FROM ${table} WHERE ${where} AND kind IN (${listed(kinds)})
        AND day BETWEEN ? AND ? ORDER BY day ${order} LIMIT ?`,
      [...values, start_date, end_date, limit],
    );
    return rows.map(({ day }) => day);
  }
}
