import { Injectable } from '@nestjs/common';
import { endOfDay, startOfDay } from '../../../common/time.js';
import { Database, type Reader, type SqlValue } from '../../../database/database.js';
import type { Dialect } from '../../../database/dialect.js';
import type { DayCount, PagePlan } from './page-plan.js';
import type { ListCriteria, Transaction } from '../transaction.model.js';
import { byListOrder, isRowOf, SELECTED } from '../transaction-row.model.js';

/** Whole days of one vendor's ledger. */
export type Range = Omit<ListCriteria, 'page'>;

/** The number of listed transactions of each day, at one revision of the vendor's ledger. */
export interface ListCounts {
  readonly revision: number;
  readonly sold: readonly DayCount[];
  readonly refunded: readonly DayCount[];
}

const AFFILIATE = 'LEFT JOIN users u ON u.id = t.affiliate_id';

const PART = { sold: 0, refunded: 1, revision: 2 } as const;
const LONGEST = '(SELECT longest_refund_days FROM ledger_revisions WHERE vendor_id = ?)';

/**
 * No refund came later than `longest_refund_days`, so a long range reads no more refund counts than a
 * short one. Integers below 2^53 are exact as floating-point numbers, and adding those instead of
 * MariaDB's decimals saves 0.07 ms for 900 counts (docs/benchmarks.md, "What misses its target").
 */
function countsOn(dialect: Dialect): string {
  return `SELECT ${PART.sold} AS part, sale_day AS day, sales AS count FROM sale_counts
      WHERE vendor_id = ? AND sale_day BETWEEN ? AND ?
    UNION ALL
    SELECT ${PART.refunded}, sale_day, SUM(refunds + 0e0) FROM refund_counts
      WHERE vendor_id = ? AND refund_day BETWEEN ? AND ? AND refund_day <= ${dialect.daysAfter('?', LONGEST)}
        AND sale_day < ? GROUP BY sale_day
    UNION ALL
    SELECT ${PART.revision}, NULL, revision FROM ledger_revisions WHERE vendor_id = ?`;
}

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
  private readonly counts: string;

  constructor(private readonly database: Database) {
    this.counts = countsOn(database.dialect);
  }

  /** The list's counts by day, newest first. */
  async listCounts(criteria: Range, reader: Reader = this.database): Promise<ListCounts> {
    const { vendor_id, start_date, end_date } = criteria;
    const rows = await reader.select<DayCount & { readonly part: number }>(this.counts, [
      ...[vendor_id, start_date, end_date],
      ...[vendor_id, start_date, end_date, start_date, vendor_id, start_date],
      vendor_id,
    ]);
    const daysOf = (part: number) =>
      rows
        .filter((row) => row.part === part)
        .map(({ day, count }) => ({ day, count }))
        .sort((left, right) => (left.day < right.day ? 1 : -1));
    const revision = rows.find(({ part }) => part === PART.revision)?.count ?? 0;
    return { revision, sold: daysOf(PART.sold), refunded: daysOf(PART.refunded) };
  }

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
