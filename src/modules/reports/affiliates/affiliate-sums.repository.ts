import { Injectable } from '@nestjs/common';
import { daysAfter } from '../../../platform/values/time.js';
import { isOneOf } from '../../../platform/database/bulk.js';
import type { Reader } from '../../../platform/database/database.js';
import { NO_DAY } from '../../../ledger/sums/unpaid-commissions.js';
import type { DayRange } from '../report.model.js';
import { kindsOf, PART_OF, type ItemSums, type SumsCriteria } from '../sums/report-sums.model.js';
import {
  daysSource,
  itemSources,
  type SumsSource,
  partSums,
  signed,
  summed,
  type SumsRow,
} from '../sums/summed-parts.js';
import type {
  FiguresRequest,
  ClickSums,
  PartOfAffiliate,
  UnpaidOfAffiliate,
} from './affiliate-figures.model.js';

type SumRow = Pick<SumsRow, 'kind' | 'transactions' | 'amount' | 'commissions'> &
  Pick<PartOfAffiliate, 'affiliate_id'>;
type UnpaidRow = Omit<UnpaidOfAffiliate, 'commission'> & { readonly commission: string };

const PARTS = ['sales', 'refunds', 'chargebacks'] as const;

/**
 * Reads the affiliates' figures with hand-written SQL, because a vendor can have many thousands of
 * kept sums in a year (docs/measurements/account-pages.md#affiliates).
 */
@Injectable()
export class AffiliateSumsRepository {
  /** Returns the sums of every affiliate in a range; parts without a transaction are left out. */
  async sums(
    reader: Reader,
    { vendor_id, attribution, ...range }: FiguresRequest,
  ): Promise<PartOfAffiliate[]> {
    const kinds = kindsOf(PARTS, attribution);
    const found = await Promise.all(
      itemSources({ role: 'vendor', user_id: vendor_id }, range, 'affiliate').map(
        async (source) => {
          const { range: days, values, sign } = source;
          // Each kind has its own SELECT, because MariaDB is much slower if it groups by kind as
          // well.
          const sql = kinds.map((kind) => sumsOfKind(source, kind)).join(' UNION ALL ');
          const rows = await reader.select<SumRow>(
            sql,
            kinds.flatMap(() => [...values, days.start_date, days.end_date]),
          );
          return rows.map((row) => partOf(row, sign));
        },
      ),
    );
    return found.flat();
  }

  /**
   * Returns unpaid commissions by the age of their sales, read from one state of the ledger.
   * @param today the day of age 0
   * @param affiliate_id one affiliate; all of them if it is left out
   */
  async unpaid(
    reader: Reader,
    vendor_id: number,
    today: string,
    affiliate_id?: number,
  ): Promise<UnpaidOfAffiliate[]> {
    const one = affiliate_id === undefined ? '' : 'AND affiliate_id = ?';
    const key = affiliate_id === undefined ? [vendor_id] : [vendor_id, affiliate_id];
    const daysAgo = (days: number) => daysAfter(today, -days);
    const between = 'day BETWEEN ? AND ?';
    const younger = [
      { age: '0-30', days: 'day >= ?', values: [daysAgo(30)] },
      { age: '31-60', days: between, values: [daysAgo(60), daysAgo(31)] },
      { age: '61-90', days: between, values: [daysAgo(90), daysAgo(61)] },
    ];
    const parts = younger.map(
      ({ age, days }) =>
        `SELECT '${age}' AS age, affiliate_id, CAST(SUM(commission) AS CHAR) AS commission
        FROM unpaid_commissions
        WHERE vendor_id = ? AND series = 'day' ${one} AND ${days} GROUP BY affiliate_id`,
    );
    const total = `SELECT 'total' AS age, affiliate_id, CAST(commission AS CHAR) AS commission
          FROM unpaid_commissions WHERE vendor_id = ? AND series = 'total' AND day = '${NO_DAY}' ${one}`;
    const rows = await reader.select<UnpaidRow>([...parts, total].join(' UNION ALL '), [
      ...younger.flatMap(({ values }) => [...key, ...values]),
      ...key,
    ]);
    return rows.map(({ commission, ...row }) => ({ ...row, commission: BigInt(commission) }));
  }

  /**
   * Returns the clicks on links for these products in a range, for affiliates with recorded clicks.
   * The statement lists the product ids, because MariaDB otherwise reads their clicks of all days.
   */
  async clicks(
    reader: Reader,
    product_ids: readonly number[],
    { start_date, end_date }: DayRange,
    affiliate_id?: number,
  ): Promise<ClickSums[]> {
    if (product_ids.length === 0) return [];
    const products = isOneOf('product_id', product_ids);
    const one = affiliate_id === undefined ? [] : [affiliate_id];
    return reader.select<ClickSums>(
      `SELECT affiliate_id, CAST(SUM(clicks) AS SIGNED) AS clicks,
          CAST(SUM(unique_clicks) AS SIGNED) AS unique_clicks
        FROM daily_clicks WHERE ${products.sql} AND date BETWEEN ? AND ?
          ${one.length === 0 ? '' : 'AND affiliate_id = ?'} GROUP BY affiliate_id`,
      [...products.values, start_date, end_date, ...one],
    );
  }

  /** Returns the affiliates that have affiliate terms for a product of the vendor. */
  async related(reader: Reader, vendor_id: number): Promise<number[]> {
    const rows = await reader.select<Pick<ClickSums, 'affiliate_id'>>(
      `SELECT DISTINCT a.affiliate_id FROM products p JOIN affiliations a ON a.product_id = p.id
        WHERE p.vendor_id = ?`,
      [vendor_id],
    );
    return rows.map(({ affiliate_id }) => affiliate_id);
  }

  /**
   * Returns true if the affiliate has a transaction (pending ones included), affiliate terms or a
   * click with the vendor.
   */
  async isKnown(reader: Reader, vendor_id: number, affiliate_id: number): Promise<boolean> {
    const [sold] = await reader.select(
      'SELECT 1 AS found FROM affiliate_day_sums WHERE vendor_id = ? AND affiliate_id = ? LIMIT 1',
      [vendor_id, affiliate_id],
    );
    if (sold !== undefined) return true;
    const of = (table: string) =>
      `SELECT 1 FROM ${table} x WHERE x.affiliate_id = ? AND x.product_id = p.id`;
    const [related] = await reader.select(
      `SELECT 1 AS found FROM products p WHERE p.vendor_id = ?
        AND (EXISTS (${of('affiliations')}) OR EXISTS (${of('daily_clicks')})) LIMIT 1`,
      [vendor_id, affiliate_id, affiliate_id],
    );
    return related !== undefined;
  }

  /**
   * Returns the sums of one affiliate's sales of each product; parts without a transaction are left
   * out.
   */
  async productSums(reader: Reader, criteria: SumsCriteria): Promise<ItemSums[]> {
    const source = daysSource(criteria.viewer, criteria.filter);
    const key = 'product_id AS item_id';
    const { sql, values } = summed(key, source, criteria, criteria.attribution);
    const rows = await reader.select<SumsRow & Pick<ItemSums, 'item_id'>>(
      `${sql} GROUP BY product_id, kind`,
      values,
    );
    return rows.map((row) => ({ item_id: row.item_id, ...partSums(row, 1) }));
  }
}

function sumsOfKind({ table, where, item, commissions }: SumsSource, kind: string): string {
  return `SELECT '${kind}' AS kind, ${item} AS affiliate_id,
      CAST(SUM(transactions) AS SIGNED) AS transactions, CAST(SUM(amount) AS CHAR) AS amount,
      CAST(SUM(${commissions}) AS CHAR) AS commissions
    FROM ${table} WHERE ${where} AND kind = '${kind}' AND day BETWEEN ? AND ? GROUP BY ${item}`;
}

function partOf(row: SumRow, sign: 1 | -1): PartOfAffiliate {
  return {
    affiliate_id: row.affiliate_id,
    part: PART_OF[row.kind],
    transactions: sign * row.transactions,
    amount: signed(row.amount, sign),
    commissions: signed(row.commissions, sign),
  };
}
