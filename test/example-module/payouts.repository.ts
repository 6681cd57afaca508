import { Injectable } from '@nestjs/common';
import { Database } from '../../src/database/database.js';
import type { MonthlyPayout } from './payout.model.js';

/** SUBSTR of a moment is its month on every database: `2025-06-01 18:03:11` lies in `2025-06`. */
const BY_MONTH = `
  SELECT sold.month, sold.seller_earnings, g.goal
  FROM (
    SELECT vendor_id, SUBSTR(sale_date, 1, 7) AS month,
      CAST(SUM(seller_earnings) AS SIGNED) AS seller_earnings
    FROM transactions WHERE vendor_id = ? AND sale_date BETWEEN ? AND ?
    GROUP BY vendor_id, SUBSTR(sale_date, 1, 7)
  ) sold
  LEFT JOIN payout_goals g ON g.vendor_id = sold.vendor_id AND g.month = sold.month
  ORDER BY sold.month`;

@Injectable()
export class PayoutsRepository {
  constructor(private readonly database: Database) {}

  /** What the vendor's sales of a year brought it, month by month; months without sales are left out. */
  async payoutsByMonth(vendor_id: number, year: string): Promise<MonthlyPayout[]> {
    const rows = await this.database.rows<[string, number, number | null]>(BY_MONTH, [
      vendor_id,
      `${year}-01-01 00:00:00`,
      `${year}-12-31 23:59:59`,
    ]);
    return rows.map(([month, seller_earnings, goal]) => ({ month, seller_earnings, goal }));
  }
}
