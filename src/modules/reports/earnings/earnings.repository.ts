import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database.js';
import type { EarnedSums } from './earnings.model.js';

type Sold = Omit<EarnedSums, 'clicks' | 'unique_clicks'> & { readonly product_id: number };
type Clicked = Pick<EarnedSums, 'clicks' | 'unique_clicks'> & { readonly product_id: number };
type Texts<Row> = { readonly [Name in keyof Row]: Row[Name] extends bigint ? string : Row[Name] };

/** Reads the kept sums of an affiliate with all vendors, with hand-written SQL. */
@Injectable()
export class EarningsRepository {
  constructor(private readonly database: Database) {}

  /** Returns the sums of the products that the affiliate has sold, by id. */
  async soldBy(affiliate_id: number, limit: number): Promise<Sold[]> {
    const rows = await this.database.select<Texts<Sold>>(
      `SELECT product_id, CAST(sales AS CHAR) AS sales, CAST(refunds AS CHAR) AS refunds,
          CAST(revenue AS CHAR) AS gross, CAST(commission_earned AS CHAR) AS earned,
          CAST(commission_paid AS CHAR) AS paid, CAST(commission_unpaid AS CHAR) AS unpaid
        FROM affiliate_sales WHERE affiliate_id = ? AND sales > 0 ORDER BY product_id LIMIT ?`,
      [affiliate_id, limit],
    );
    return rows.map(({ product_id, ...row }) => ({
      product_id,
      sales: BigInt(row.sales),
      refunds: BigInt(row.refunds),
      gross: BigInt(row.gross),
      earned: BigInt(row.earned),
      paid: BigInt(row.paid),
      unpaid: BigInt(row.unpaid),
    }));
  }

  /** Returns the clicks on the affiliate's links by product. */
  async clicksOf(affiliate_id: number, limit: number): Promise<Clicked[]> {
    const rows = await this.database.select<Texts<Clicked>>(
      `SELECT product_id, CAST(SUM(clicks) AS CHAR) AS clicks,
          CAST(SUM(unique_clicks) AS CHAR) AS unique_clicks
        FROM daily_clicks WHERE affiliate_id = ? GROUP BY product_id ORDER BY product_id LIMIT ?`,
      [affiliate_id, limit],
    );
    return rows.map(({ product_id, clicks, unique_clicks }) => {
      return { product_id, clicks: BigInt(clicks), unique_clicks: BigInt(unique_clicks) };
    });
  }
}
