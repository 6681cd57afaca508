import { Injectable } from '@nestjs/common';
import type { Reader, SqlValue } from '../../../database/database.js';
import { type SumKind } from '../../transactions/rollups/kept-sums.model.js';
import {
  kindsOf,
  SUM_PARTS,
  type Attribution,
  type DayRange,
  type DaySums,
  type Dimension,
  type ItemSums,
  type PartSums,
  type SalesFilter,
  type SumPart,
  type Viewer,
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
type SumsRow = readonly [SumKind, number, string, string, string, string];
type Keyed<Key> = readonly [Key, ...SumsRow];

/** The reads of the kept sums. */
@Injectable()
export class ReportSumsRepository {
  /** What was sold and came back on each day, parts without a transaction left out. */
  async daySums(
    reader: Reader,
    viewer: Viewer,
    range: DayRange,
    attribution: Attribution,
    filter: SalesFilter = {},
  ): Promise<DaySums[]> {
    const source = daysSource(viewer, range, filter);
    const values: SqlValue[] = [];
    const sql = `${summed('day', source, attribution, values)} GROUP BY day, kind`;
    const rows = await reader.rows<Keyed<string>>(sql, values);
    return rows.map(([day, ...row]) => ({ day, ...partSums(row, 1) }));
  }

  /**
   * The items that were sold for the most in a range, the most first. What is ranked is added as
   * floating-point numbers, exact below 2^53 and several times as fast as MariaDB's decimals.
   */
  async topItems(
    reader: Reader,
    viewer: Viewer,
    range: DayRange,
    by: Dimension,
    most: number,
  ): Promise<number[]> {
    const values: SqlValue[] = [];
    const sources = itemSources(viewer, range, by);
    // Only what was taken away again can leave an item without a sale.
    const isTakenAway = sources.some(({ sign }) => sign < 0);
    const parts = sources.map((source) => {
      values.push(...source.values, source.range.start_date, source.range.end_date);
      const sign = source.sign < 0 ? '-' : '';
      const sales = isTakenAway ? `, ${sign}SUM(transactions + 0e0) AS sales` : '';
      return `SELECT ${source.item} AS item_id, ${sign}SUM(amount + 0e0) AS gross${sales}
        FROM ${source.table} WHERE ${source.where} AND kind = 'sale' AND day BETWEEN ? AND ?
        GROUP BY ${source.item}`;
    });
    const rows = await reader.rows<[number]>(
      `SELECT item_id FROM (${parts.join(' UNION ALL ')}) items GROUP BY item_id
        ${isTakenAway ? 'HAVING SUM(sales) > 0' : ''} ORDER BY SUM(gross) DESC, item_id LIMIT ?`,
      [...values, most],
    );
    return rows.map(([item_id]) => item_id);
  }

  /** The sums of these items in a range: one for each part that they have anything in. */
  async itemSums(
    reader: Reader,
    viewer: Viewer,
    range: DayRange,
    attribution: Attribution,
    by: Dimension,
    item_ids: readonly number[],
  ): Promise<ItemSums[]> {
    if (item_ids.length === 0) return [];
    const sources = itemSources(viewer, range, by);
    const found = await Promise.all(
      sources.map(async (source) => {
        const { item, days } = source;
        const values: SqlValue[] = [];
        // With each day named, ten of thousands of items are found without passing the others.
        const keys = [...(days === null ? [] : [isOneOf('day', days)]), isOneOf(item, item_ids)];
        const sql = `${summed(item, source, attribution, values)}
          AND ${keys.map((key) => key.sql).join(' AND ')} GROUP BY ${item}, kind`;
        values.push(...keys.flatMap((key) => key.values));
        const rows = await reader.rows<Keyed<number>>(sql, values);
        return rows.map(([item_id, ...row]) => ({ item_id, ...partSums(row, source.sign) }));
      }),
    );
    return found.flat();
  }

  /** How many transactions of a vendor were refunded in a range and sold before it, pending ones too. */
  async refundsOfEarlierSales(reader: Reader, vendor_id: number, range: DayRange): Promise<number> {
    const { start_date, end_date } = range;
    const [row] = await reader.rows<[number | null]>(
      `SELECT CAST(SUM(refunds) AS SIGNED) FROM refund_counts
        WHERE vendor_id = ? AND refund_day BETWEEN ? AND ? AND sale_day < ?`,
      [vendor_id, start_date, end_date, start_date],
    );
    return row?.[0] ?? 0;
  }

  /** The first and the last day on which anything counts, or null where nothing does. */
  async firstAndLastDay(reader: Reader, viewer: Viewer): Promise<DayRange | null> {
    const { table, where, values } = daysSource(viewer, { start_date: '', end_date: '' }, {});
    const [row] = await reader.rows<[string | null, string | null]>(
      `SELECT MIN(day), MAX(day) FROM ${table} WHERE ${where}`,
      values,
    );
    const [start_date, end_date] = row ?? [null, null];
    return start_date === null || end_date === null ? null : { start_date, end_date };
  }

  /**
   * The first days, or the last, on which anything of these kinds counts; at most so many.
   * @param order `DESC` for the last days, the last of them first
   */
  async daysWith(
    reader: Reader,
    viewer: Viewer,
    range: DayRange,
    kinds: readonly SumKind[],
    filter: SalesFilter,
    { order, most }: { readonly order: 'ASC' | 'DESC'; readonly most: number },
  ): Promise<string[]> {
    const { table, where, values } = daysSource(viewer, range, filter);
    const rows = await reader.rows<[string]>(
      `SELECT DISTINCT day FROM ${table} WHERE ${where} AND kind IN (${listed(kinds)})
        AND day BETWEEN ? AND ? ORDER BY day ${order} LIMIT ?`,
      [...values, range.start_date, range.end_date, most],
    );
    return rows.map(([day]) => day);
  }
}

/** A SELECT of sums up to its WHERE's end; its values are added to those that are there. */
function summed(
  key: string,
  { table, where, values, range, earnings, commissions, fees }: SumsSource,
  attribution: Attribution,
  all: SqlValue[],
): string {
  all.push(...values, range.start_date, range.end_date);
  const kinds = SUM_PARTS.flatMap((part) => kindsOf(part, attribution));
  const text = (sum: string) => `CAST(SUM(${sum}) AS CHAR)`;
  return `SELECT ${key}, kind, CAST(SUM(transactions) AS SIGNED), ${text('amount')}, ${text(earnings)},
      ${text(commissions)}, ${text(fees)}
    FROM ${table} WHERE ${where} AND kind IN (${listed(kinds)}) AND day BETWEEN ? AND ?`;
}

/** Filled up with a value that is there already, so that few texts are prepared and used again. */
function isOneOf(column: string, wanted: readonly SqlValue[]) {
  const values = [...wanted];
  const size = 2 ** Math.ceil(Math.log2(wanted.length));
  while (values.length < size) values.push(values[0] ?? null);
  return { sql: `${column} IN (${values.map(() => '?').join(', ')})`, values };
}

function listed(kinds: readonly SumKind[]): string {
  return kinds.map((kind) => `'${kind}'`).join(', ');
}

function partSums([kind, transactions, ...money]: SumsRow, sign: 1 | -1): PartSums {
  const [amount, earnings, commissions, fees] = money;
  const signed = (text: string) => BigInt(sign) * BigInt(text);
  return {
    part: PART_OF[kind],
    transactions: sign * transactions,
    amount: signed(amount),
    earnings: signed(earnings),
    commissions: signed(commissions),
    fees: signed(fees),
  };
}
