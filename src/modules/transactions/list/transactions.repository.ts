import { Injectable } from '@nestjs/common';
import { endOfDay, startOfDay } from '../../../common/time.js';
import { Database, type Reader, type SqlValue } from '../../../database/database.js';
import type { Range } from './list-counts.repository.js';
import type { PagePlan } from './page-plan.js';
import type { Transaction } from '../transaction.model.js';
import { byListOrder, isRowOf, SELECTED } from '../transaction-row.model.js';

const AFFILIATE = 'LEFT JOIN users u ON u.id = t.affiliate_id';

/**
 * Skips rows in the index only; then the rows of the page are read whole. `sale_date` leads to the
 * partition of a row if the table is partitioned by month. By hand for its cost: a month's page takes
 * 854 requests/s, the obvious OR, COUNT and OFFSET 1.95 (docs/benchmarks.md, "Targets").
 */
function keysOf(where: string, order: string): string {
  return `SELECT vendor_id, arrival, ${order} AS sale_date FROM transactions
    WHERE vendor_id = ? AND ${where}
    ORDER BY ${order} DESC, arrival DESC LIMIT ? OFFSET ?`;
}
const SOLD = keysOf('sale_date BETWEEN ? AND ?', 'sale_date');
const REFUNDED = keysOf(
  'refunded_sale_date BETWEEN ? AND ? AND refund_date BETWEEN ? AND ?',
  'refunded_sale_date',
);
function pageOf(keys: string): string {
  return `SELECT ${SELECTED} FROM (${keys}) page
    JOIN transactions t ON ${isRowOf('page')} ${AFFILIATE}`;
}
const PAGE = {
  sold: pageOf(SOLD),
  refunded: pageOf(REFUNDED),
  both: pageOf(`SELECT * FROM (${SOLD}) sold UNION ALL SELECT * FROM (${REFUNDED}) refunded`),
};
const SINGLE = `SELECT ${SELECTED} FROM transactions t ${AFFILIATE}
  WHERE t.vendor_id = ? AND t.transaction_id = ?`;

/** The reads of the 3.0 list and of a single transaction. */
@Injectable()
export class TransactionsRepository {
  constructor(private readonly database: Database) {}

  /**
   * The rows of a plan, newest sale first.
   * @param plan with at least one slice
   */
  async transactionsOn(
    { vendor_id, start_date, end_date }: Range,
    { sold, refunded }: Pick<PagePlan, 'sold' | 'refunded'>,
    reader: Reader = this.database,
  ): Promise<Transaction[]> {
    const values: SqlValue[] = [vendor_id];
    if (sold !== null) {
      const upTo = sold.upTo ?? endOfDay(sold.to);
      values.push(vendor_id, startOfDay(sold.from), upTo, sold.take, sold.skip);
    }
    if (refunded !== null) {
      values.push(vendor_id, startOfDay(refunded.from), endOfDay(refunded.to));
      values.push(startOfDay(start_date), endOfDay(end_date), refunded.take, refunded.skip);
    }
    const part = sold === null ? 'refunded' : refunded === null ? 'sold' : 'both';
    const rows = await reader.select<Transaction>(PAGE[part], values);
    // A join guarantees no order: the 200 rows at most are sorted here.
    return rows.sort(byListOrder);
  }

  /** Null if there is no such transaction, or it belongs to another vendor. */
  async transactionOf(
    vendor_id: number,
    transaction_id: string,
    reader: Reader,
  ): Promise<Transaction | null> {
    const values = [vendor_id, vendor_id, transaction_id];
    const [transaction = null] = await reader.select<Transaction>(SINGLE, values);
    return transaction;
  }
}
