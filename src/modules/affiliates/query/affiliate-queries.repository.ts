import { Injectable } from '@nestjs/common';
import { isOneOf } from '../../../platform/database/bulk.js';
import type { Reader, SqlValue } from '../../../platform/database/database.js';
import { endOfDay, endOfMonth, startOfDay } from '../../../platform/values/time.js';

/** Selects the next affiliates of one product or month. It ends with the bounds of the ids. */
interface Part {
  readonly sql: string;
  readonly values: readonly SqlValue[];
}

/** The ledger of a vendor in one state. */
export interface ReadLedger {
  readonly reader: Reader;
  readonly vendor_id: number;
  /** First days of the months with sales. */
  readonly months: readonly string[];
}

/** Describes the sales of an affiliate with a vendor. Dates are in UTC and null without sales. */
export interface SoldByAffiliate {
  readonly affiliate_id: number;
  readonly sales: number;
  readonly first_sale_date: string | null;
  readonly last_sale_date: string | null;
}

interface MonthsRow {
  readonly affiliate_id: number;
  readonly sales: number;
  /** First and last month with a sale, as their first days. */
  readonly first_month: string;
  readonly last_month: string;
}

/** Number of products, months or affiliates that one statement reads. */
const PARTS = 64;
/** Maximum number of rows of each table that are read to count affiliates. */
const MAX_COUNTED = 10_000;

const OF_MONTHS = "vendor_id = ? AND series = 'affiliate_month' AND kind = 'sale'";
const OF_VENDOR = 'x JOIN products p ON p.id = x.product_id WHERE p.vendor_id = ?';
/** Rows from which affiliates are counted. */
const COUNTED = [
  `SELECT item_id AS affiliate_id FROM vendor_sums WHERE ${OF_MONTHS} AND transactions > 0`,
  `SELECT x.affiliate_id FROM affiliations ${OF_VENDOR}`,
  `SELECT x.affiliate_id FROM daily_clicks ${OF_VENDOR}`,
];

/**
 * Finds the affiliates of a vendor in the order of their ids with hand-written SQL. Each part of a
 * statement reads the next ids of one product or of one month of the kept sums, so that a page
 * reads no more rows than products, days of their clicks, and months times its size.
 */
@Injectable()
export class AffiliateQueriesRepository {
  /** Returns the first days of months, from the sums of products: these are fewer than affiliates. */
  async monthsWithSales(reader: Reader, vendor_id: number): Promise<string[]> {
    const months = await reader.select<{ readonly day: string }>(
      `SELECT DISTINCT day FROM vendor_sums
        WHERE vendor_id = ? AND series = 'product_month' AND kind = 'sale'`,
      [vendor_id],
    );
    return months.map(({ day }) => day);
  }

  /** Returns the next ids after one. */
  async idsAfter(ledger: ReadLedger, after: number, take: number): Promise<number[]> {
    let found: number[] = [];
    for (const parts of batches(await this.partsOf(ledger), PARTS)) {
      const most = found[take - 1] ?? Number.MAX_SAFE_INTEGER;
      const some = await this.idsIn(ledger.reader, parts, [after, most, take]);
      found = [...new Set([...found, ...some])].toSorted((one, other) => one - other);
      found = found.slice(0, take);
    }
    return found;
  }

  /** Returns the number of affiliates, or null if too many rows would have to be read. */
  async count(reader: Reader, vendor_id: number): Promise<number | null> {
    const ids = new Set<number>();
    for (const sql of COUNTED) {
      const rows = await reader.select<{ affiliate_id: number; found: number }>(
        `SELECT affiliate_id, CAST(COUNT(*) AS SIGNED) AS found
          FROM (${sql} LIMIT ?) counted GROUP BY affiliate_id`,
        [vendor_id, MAX_COUNTED + 1],
      );
      if (rows.reduce((sum, { found }) => sum + found, 0) > MAX_COUNTED) return null;
      for (const { affiliate_id } of rows) ids.add(affiliate_id);
    }
    return ids.size;
  }

  /**
   * Returns the sales of those of these affiliates that have any. A ledger without months with sales
   * has none.
   */
  async salesOf(
    { reader, vendor_id, months: days }: ReadLedger,
    ids: readonly number[],
  ): Promise<SoldByAffiliate[]> {
    const sold: SoldByAffiliate[] = [];
    for (const some of batches(ids, PARTS)) {
      const months = await this.monthsOf(reader, vendor_id, days, some);
      const found = await this.datesOf(reader, vendor_id, months);
      const dates = new Map(found.map((row) => [Number(row.affiliate_id), row]));
      for (const { affiliate_id, sales } of months) {
        const { first = null, last = null } = dates.get(affiliate_id) ?? {};
        sold.push({ affiliate_id, sales, first_sale_date: first, last_sale_date: last });
      }
    }
    return sold;
  }

  private async partsOf({ reader, vendor_id, months }: ReadLedger): Promise<Part[]> {
    const products = await reader.select<{ readonly id: number }>(
      'SELECT id FROM products WHERE vendor_id = ?',
      [vendor_id],
    );
    const ids = products.map(({ id }) => id);
    return [
      ...months.map((day) => ({
        sql: `SELECT item_id AS affiliate_id FROM vendor_sums
          WHERE ${OF_MONTHS} AND day = ? AND transactions > 0 AND item_id > ? AND item_id <= ?`,
        values: [vendor_id, day],
      })),
      ...ids.map((id) => ({
        sql: `SELECT affiliate_id FROM affiliations
          WHERE product_id = ? AND affiliate_id > ? AND affiliate_id <= ?`,
        values: [id],
      })),
      ...ids.map((id) => ({
        sql: `SELECT DISTINCT affiliate_id
          FROM daily_clicks /*! FORCE INDEX (daily_clicks_by_product_affiliate) */
          WHERE product_id = ? AND affiliate_id > ? AND affiliate_id <= ?`,
        values: [id],
      })),
    ];
  }

  private async idsIn(
    reader: Reader,
    parts: readonly Part[],
    [after, most, take]: readonly [after: number, most: number, take: number],
  ): Promise<number[]> {
    const selects = parts.map(
      ({ sql }, at) => `SELECT * FROM (${sql} ORDER BY affiliate_id LIMIT ?) part_${at}`,
    );
    const rows = await reader.select<{ readonly affiliate_id: number }>(
      `SELECT DISTINCT affiliate_id FROM (${selects.join(' UNION ALL ')}) found
        ORDER BY affiliate_id LIMIT ?`,
      [...parts.flatMap(({ values }) => [...values, after, most, take]), take],
    );
    return rows.map(({ affiliate_id }) => affiliate_id);
  }

  private async monthsOf(
    reader: Reader,
    vendor_id: number,
    days: readonly string[],
    ids: readonly number[],
  ): Promise<MonthsRow[]> {
    const within = isOneOf('day', days);
    const wanted = isOneOf('item_id', ids);
    return reader.select<MonthsRow>(
      `SELECT item_id AS affiliate_id, CAST(SUM(transactions) AS SIGNED) AS sales,
          MIN(day) AS first_month, MAX(day) AS last_month
        FROM vendor_sums
        WHERE ${OF_MONTHS} AND transactions > 0 AND ${within.sql} AND ${wanted.sql}
        GROUP BY item_id`,
      [vendor_id, ...within.values, ...wanted.values],
    );
  }

  /** Returns the dates of the first and the last sale, each from one month of the ledger. */
  private async datesOf(
    reader: Reader,
    vendor_id: number,
    months: readonly MonthsRow[],
  ): Promise<Record<'affiliate_id' | 'first' | 'last', string>[]> {
    if (months.length === 0) return [];
    const dateIn = (order: 'ASC' | 'DESC') => `(SELECT sale_date
      FROM transactions /*! FORCE INDEX (transactions_by_affiliate) */
      WHERE affiliate_id = ? AND vendor_id = ? AND status <> 'pending' AND sale_date BETWEEN ? AND ?
      ORDER BY sale_date ${order} LIMIT 1)`;
    const part = `SELECT ? AS affiliate_id, ${dateIn('ASC')} AS first, ${dateIn('DESC')} AS last`;
    return reader.select<Record<'affiliate_id' | 'first' | 'last', string>>(
      months.map(() => part).join(' UNION ALL '),
      months.flatMap(({ affiliate_id, first_month, last_month }) => [
        affiliate_id,
        ...[first_month, last_month].flatMap((month) => [
          affiliate_id,
          vendor_id,
          startOfDay(month),
          endOfDay(endOfMonth(month)),
        ]),
      ]),
    );
  }
}

function batches<Item>(items: readonly Item[], size: number): (readonly Item[])[] {
  const found: (readonly Item[])[] = [];
  for (let at = 0; at < items.length; at += size) found.push(items.slice(at, at + size));
  return found;
}
