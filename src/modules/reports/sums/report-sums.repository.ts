import { Injectable } from '@nestjs/common';
import { isOneOf } from '../../../database/bulk.js';
import type { Reader } from '../../../database/database.js';
import type { SumKind } from '../../transactions/rollups/kept-sums.model.js';
import type { Attribution, DayRange, Viewer } from '../report.model.js';
import {
  kindsOf,
  SUM_PARTS,
  type DaySums,
  type Dimension,
  type ItemSums,
  type PartSums,
  type SumPart,
  type SumsCriteria,
} from './report-sums.model.js';
import { daysSource, itemSources, type SumsSource } from './sums-source.js';

const PART_OF: Readonly<Record<SumKind, SumPart>> = {
  sale: 'sales',
  pending: 'pending',
  refund_by_sale: 'refunds',
  refund_by_refund: 'refunds',
  undated_refund: 'refunds',
  chargeback_by_sale: 'chargebacks',
  chargeback_by_refund: 'chargebacks',
  undated_chargeback: 'chargebacks',
};

/** Money comes as text: it may be more than a number holds exactly. */
interface SumsRow {
  readonly kind: SumKind;
  readonly transactions: number;
  readonly amount: string;
  readonly earnings: string;
  readonly commissions: string;
  readonly fees: string;
}

/** The reads of the kept sums. */
@Injectable()
export class ReportSumsRepository {
  /** What was sold and came back on each day, parts without a transaction left out. */
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
   * The items that were sold for the most in a range, the most first. What is ranked is added as
   * floating-point numbers, exact below 2^53 and several times as fast as MariaDB's decimals.
   */
  async topItems(
    reader: Reader,
    { viewer, ...range }: SumsCriteria,
    by: Dimension,
    most: number,
  ): Promise<number[]> {
    const sources = itemSources(viewer, range, by);
    // Only what was taken away again can leave an item without a sale.
    const isTakenAway = sources.some(({ sign }) => sign < 0);
    const parts = sources.map((source) => {
      const sign = source.sign < 0 ? '-' : '';
      const sales = isTakenAway ? `, ${sign}SUM(transactions + 0e0) AS sales` : '';
      return `SELECT ${source.item} AS item_id, ${sign}SUM(amount + 0e0) AS gross${sales}
        FROM ${source.table} WHERE ${source.where} AND kind = 'sale' AND day BETWEEN ? AND ?
        GROUP BY ${source.item}`;
    });
    const values = sources.flatMap(({ values, range: { start_date, end_date } }) => [
      ...values,
      ...[start_date, end_date],
    ]);
    const rows = await reader.select<Pick<ItemSums, 'item_id'>>(
      `SELECT item_id FROM (${parts.join(' UNION ALL ')}) items GROUP BY item_id
        ${isTakenAway ? 'HAVING SUM(sales) > 0' : ''} ORDER BY SUM(gross) DESC, item_id LIMIT ?`,
      [...values, most],
    );
    return rows.map(({ item_id }) => item_id);
  }

  /** The sums of these items in a range: one for each part that they have anything in. */
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
        // With each day named, ten of thousands of items are found without passing the others.
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

  /** How many transactions of a vendor were refunded in a range and sold before it, pending ones too. */
  async refundsOfEarlierSales(reader: Reader, vendor_id: number, range: DayRange): Promise<number> {
    const { start_date, end_date } = range;
    const [row] = await reader.select<{ readonly refunds: number | null }>(
      `SELECT CAST(SUM(refunds) AS SIGNED) AS refunds FROM refund_counts
        WHERE vendor_id = ? AND refund_day BETWEEN ? AND ? AND sale_day < ?`,
      [vendor_id, start_date, end_date, start_date],
    );
    return row?.refunds ?? 0;
  }

  /** The first and the last day on which anything counts, or null where nothing does. */
  async firstAndLastDay(reader: Reader, viewer: Viewer): Promise<DayRange | null> {
    const { table, where, values } = daysSource(viewer);
    const [row] = await reader.select<DayRange | Record<keyof DayRange, null>>(
      `SELECT MIN(day) AS start_date, MAX(day) AS end_date FROM ${table} WHERE ${where}`,
      values,
    );
    return row === undefined || row.start_date === null ? null : row;
  }

  /**
   * The first days, or the last, on which anything of these kinds counts; at most so many.
   * @param order `DESC` for the last days, the last of them first
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

/** A SELECT of sums up to its WHERE's end. */
function summed(
  key: string,
  { table, where, values, earnings, commissions, fees }: SumsSource,
  { start_date, end_date }: DayRange,
  attribution: Attribution,
) {
  const kinds = SUM_PARTS.flatMap((part) => kindsOf(part, attribution));
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
