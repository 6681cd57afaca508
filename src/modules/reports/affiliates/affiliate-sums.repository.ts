import { Injectable } from '@nestjs/common';
import { NO_DAY } from '../../../ledger/sums/unpaid-commissions.js';
import type { Reader } from '../../../platform/database/database.js';
import { daysAfter } from '../../../platform/values/time.js';
import type { UnpaidOfAffiliate, UnpaidOfProduct } from './affiliate-figures.model.js';

type UnpaidRow = Omit<UnpaidOfAffiliate, 'commission'> & { readonly commission: string };

/** Reads what is known of affiliates apart from the figures of their sales, with hand-written SQL. */
@Injectable()
export class AffiliateSumsRepository {
  /**
   * Returns unpaid commissions by the age of their sales, and those on delayed terms, read from one
   * state of the ledger. Affiliate terms are not part of the ledger's revision.
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
    // MariaDB otherwise reads the terms of all vendors if there are few.
    const index = affiliate_id === undefined ? ' /*! FORCE INDEX (affiliations_by_product) */' : '';
    const onHold = `SELECT 'on_hold' AS age, s.affiliate_id, CAST(SUM(s.commission_unpaid) AS CHAR) AS commission
        FROM products p JOIN affiliations a${index} ON a.product_id = p.id
          JOIN affiliate_sales s ON s.affiliate_id = a.affiliate_id AND s.product_id = a.product_id
        WHERE p.vendor_id = ? ${affiliate_id === undefined ? '' : 'AND a.affiliate_id = ?'}
          AND a.delayed_commission = 1 GROUP BY s.affiliate_id HAVING SUM(s.commission_unpaid) <> 0`;
    const rows = await reader.select<UnpaidRow>([...parts, total, onHold].join(' UNION ALL '), [
      ...younger.flatMap(({ values }) => [...key, ...values]),
      ...key,
      ...key,
    ]);
    return rows.map(({ commission, ...row }) => ({ ...row, commission: BigInt(commission) }));
  }

  /** Returns the products for which an affiliate has unpaid commissions, by id. */
  async unpaidByProduct(
    reader: Reader,
    vendor_id: number,
    affiliate_id: number,
  ): Promise<UnpaidOfProduct[]> {
    const rows = await reader.select<{
      readonly product_id: number;
      readonly unpaid: string;
      readonly is_on_hold: number;
    }>(
      `SELECT s.product_id, CAST(s.commission_unpaid AS CHAR) AS unpaid,
          COALESCE(a.delayed_commission, 0) AS is_on_hold
        FROM products p JOIN affiliate_sales s ON s.product_id = p.id
          LEFT JOIN affiliations a ON a.affiliate_id = s.affiliate_id AND a.product_id = s.product_id
        WHERE p.vendor_id = ? AND s.affiliate_id = ? AND s.commission_unpaid <> 0
        ORDER BY s.product_id`,
      [vendor_id, affiliate_id],
    );
    return rows.map(({ product_id, unpaid, is_on_hold }) => {
      return { product_id, unpaid: BigInt(unpaid), isOnHold: is_on_hold === 1 };
    });
  }

  /** Returns the affiliates that have affiliate terms for a product of the vendor. */
  async related(reader: Reader, vendor_id: number): Promise<number[]> {
    const rows = await reader.select<Pick<UnpaidOfAffiliate, 'affiliate_id'>>(
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
}
