import { Injectable } from '@nestjs/common';
import { isOneOf } from '../../../database/bulk.js';
import type { Reader } from '../../../database/database.js';
import type { SumKind } from '../../transactions/rollups/kept-sums.model.js';
import type { Attribution, DayRange, Viewer } from '../report.model.js';
import {
  kindsOf,
  PART_OF,
  SUM_PARTS,
  type DaySums,
  type Dimension,
  type ItemSums,
  type PartSums,
  type SumsCriteria,
} from './report-sums.model.js';
import { daysSource, itemSources, type SumsSource } from './sums-source.js';

/** Money is text, because a sum may be more than a number holds exactly. */
interface SumsRow {
  readonly kind: SumKind;
  readonly transactions: number;
  readonly amount: string;
  readonly earnings: string;
  readonly commissions: string;
  readonly fees: string;
}

/**
 * The reads of the stored sums. By hand: a report of a vendor with 1,000,000 transactions takes 84 ms in the
 * worst case, most of it for ranking the affiliates (docs/benchmarks.md, "Targets").
 */
@Injectable()
export class ReportSumsRepository {
  /** The sums of each day; parts without a transaction are left out. */
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
   * The items with the highest gross in a range, highest first. The ranked sums are added as
   * floating-point numbers: exact below 2^53, and several times as fast as MariaDB's decimals.
   */
  async topItems(
    reader: Reader,
    { viewer, ...range }: SumsCriteria,
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

  /** The sums of these items in a range; parts without a transaction are left out. */
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
        // With a list of days, the index finds ten of thousands of items without reading the others.
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

  /** The number of a vendor's transactions sold before a range and refunded in it, of any status. */
  async refundsOfEarlierSales(reader: Reader, vendor_id: number, range: DayRange): Promise<number> {
    const { start_date, end_date } = range;
    const [row] = await reader.select<{ readonly refunds: number | null }>(
      `SELECT CAST(SUM(refunds) AS SIGNED) AS refunds FROM refund_counts
        WHERE vendor_id = ? AND refund_day BETWEEN ? AND ? AND sale_day < ?`,
      [vendor_id, start_date, end_date, start_date],
    );
    return row?.refunds ?? 0;
  }

  /** The first and the last day with a transaction, or null if there are none. */
  async firstAndLastDay(reader: Reader, viewer: Viewer): Promise<DayRange | null> {
    const { table, where, values } = daysSource(viewer);
    const [row] = await reader.select<DayRange | Record<keyof DayRange, null>>(
      `SELECT MIN(day) AS start_date, MAX(day) AS end_date FROM ${table} WHERE ${where}`,
      values,
    );
    return row === undefined || row.start_date === null ? null : row;
  }

  /**
   * The first or the last days with transactions of these kinds.
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

/** A SELECT of sums, to which further conditions and GROUP BY are added. */
function summed(
  key: string,
  { table, where, values, earnings, commissions, fees }: SumsSource,
  { start_date, end_date }: DayRange,
  attribution: Attribution,
) {
  const kinds = kindsOf(SUM_PARTS, attribution);
  const text = (sum: string) => `CAST(SUM(${sum}) AS CHAR)`;
  const sql = `SELECT ${key}, kind, CAST(SUM(transactions) AS SIGNED) AS transactions,
      ${text('amount')} AS amount, ${text(earnings)} AS earnings,
      ${text(commissions)} AS commissions, ${text(fees)} AS fees
    FROM ${table} WHERE ${where} AND kind IN (${listed(kinds)}) AND day BETWEEN ? AND ?`;
  return { sql, values: [...values, start_date, end_date] };
}

function listed(kinds: readonly SumKind[]): string {
  return kinds.map((kind) => `'${kind}'`).join(', ');
}

function partSums(row: SumsRow, sign: 1 | -1): PartSums {
  const signed = (text: string) => BigInt(sign) * BigInt(text);
  return {
    part: PART_OF[row.kind],
    transactions: sign * row.transactions,
    amount: signed(row.amount),
    earnings: signed(row.earnings),
    commissions: signed(row.commissions),
    fees: signed(row.fees),
  };
}
