import { Injectable } from '@nestjs/common';
import type { Reader, SqlValue } from '../../../database/database.js';
import { columnsOf } from '../../../database/named-rows.js';
import { byListOrder, isRowOf } from '../transaction-row.model.js';
import {
  PAYMENT_COLUMNS,
  type AgreementPayment,
  type PaymentsRange,
} from './agreement-payments.model.js';

const SIDES = {
  until: { tied: 'arrival <= ?', beyond: 'sale_date < ?', order: 'DESC' },
  after: { tied: 'arrival > ?', beyond: 'sale_date > ?', order: 'ASC' },
} as const;

/**
 * Reads the payments of a subscription. The SQL is hand-written, like that of the feeds
 * (transaction-feeds.repository.ts): it reads two ranges of one index. The index is named, because
 * all transactions without a subscription have the same key, null.
 */
@Injectable()
export class AgreementPaymentsRepository {
  /** Returns the payments nearest to the place, newest first. */
  async payments(reader: Reader, range: PaymentsRange, limit: number): Promise<AgreementPayment[]> {
    const { sql, values } = keysOf(range, limit);
    const { order } = SIDES[range.side];
    const rows = await reader.select<AgreementPayment>(
      `SELECT ${columnsOf('t', PAYMENT_COLUMNS)} FROM (${sql}
          ORDER BY sale_date ${order}, arrival ${order} LIMIT ?) page
        JOIN transactions t ON ${isRowOf('page')}`,
      [...values, limit],
    );
    return rows.sort(byListOrder);
  }

  /**
   * Counts payments.
   * @returns at most `limit`, however many there are
   */
  async count(reader: Reader, range: PaymentsRange, limit: number): Promise<number> {
    const { sql, values } = keysOf(range, limit);
    const [row] = await reader.select<{ readonly count: number }>(
      `SELECT COUNT(*) AS count FROM (${sql}) page`,
      values,
    );
    return Math.min(limit, row?.count ?? 0);
  }
}

/**
 * Selects the keys of the payments in the same second as the place and of those beyond it, up to
 * `limit` of each.
 */
function keysOf(
  { vendor_id, pre_key, place, side }: PaymentsRange,
  limit: number,
): { readonly sql: string; readonly values: readonly SqlValue[] } {
  const { tied, beyond, order } = SIDES[side];
  const keys = (name: string, condition: string) => `SELECT * FROM (
      SELECT vendor_id, arrival, sale_date
        FROM transactions /*! FORCE INDEX (transactions_by_agreement) */
        WHERE vendor_id = ? AND pre_key = ? AND ${condition}
        ORDER BY sale_date ${order}, arrival ${order} LIMIT ?
    ) ${name}`;
  const { sale_date, arrival } = place;
  return {
    sql: `${keys('tied', `sale_date = ? AND ${tied}`)} UNION ALL ${keys('beyond', beyond)}`,
    values: [vendor_id, pre_key, sale_date, arrival, limit, vendor_id, pre_key, sale_date, limit],
  };
}
