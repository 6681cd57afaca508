import { Injectable } from '@nestjs/common';
import { endOfDay, startOfDay } from '../../common/time.js';
import { Database, type Reader, type SqlValue } from '../../database/database.js';
import type { Dialect } from '../../database/dialect.js';
import { numbersAt, optionalTextsAt } from '../../database/values.js';
import type { DayCount, PagePlan } from './page-plan.js';
import {
  PAYOUT_FIELDS,
  REFUND_AMOUNT_FIELDS,
  TRACKING_FIELDS,
  type ListCriteria,
  type Refund,
  type Transaction,
  type TransactionStatus,
} from './transaction.model.js';

/** Whole days of one vendor's ledger. */
export type Range = Omit<ListCriteria, 'page'>;

/** How many transactions of each day a list holds, at one revision of the vendor's ledger. */
export interface ListCounts {
  readonly revision: number;
  readonly sold: readonly DayCount[];
  readonly refunded: readonly DayCount[];
}

export interface TransactionsAtRevision {
  readonly revision: number;
  readonly transactions: readonly Transaction[];
}

const LEADING = [
  't.transaction_id',
  't.sale_date',
  't.product_id',
  't.product_name',
  't.amount',
  't.status',
  't.customer_email',
  't.customer_first_name',
  't.customer_last_name',
  't.affiliate_id',
  'u.display_name',
  't.refund_date',
  't.arrival',
] as const;
type Row = [
  number,
  ...[string, string, number, string, number, TransactionStatus, string, string, string],
  ...[number | null, string | null, string | null, number],
  ...SqlValue[],
];
const TRACKING_AT = 1 + LEADING.length;
const PAYOUTS_AT = TRACKING_AT + TRACKING_FIELDS.length;
const REFUND_AT = PAYOUTS_AT + PAYOUT_FIELDS.length;

/** Each row tells of which revision it is: the statement sees rows and revision at one moment. */
const SELECTED = [
  '(SELECT revision FROM ledger_revisions WHERE vendor_id = ?)',
  ...LEADING,
  ...[...TRACKING_FIELDS, ...PAYOUT_FIELDS, ...REFUND_AMOUNT_FIELDS].map((column) => `t.${column}`),
].join(', ');
const DISPLAY_NAME = 'LEFT JOIN users u ON u.id = t.affiliate_id';

const PART = { sold: 0, refunded: 1, revision: 2 } as const;
const LONGEST = '(SELECT longest_refund_days FROM ledger_revisions WHERE vendor_id = ?)';

/**
 * What was sold before the range can't have been refunded in it later than any refund ever came: a
 * long range reads no more counts of refunds than a short one.
 */
function countsOn(dialect: Dialect): string {
  return `SELECT ${PART.sold}, sale_day, sales FROM sale_counts
      WHERE vendor_id = ? AND sale_day BETWEEN ? AND ?
    UNION ALL
    SELECT ${PART.refunded}, sale_day, CAST(SUM(refunds) AS SIGNED) FROM refund_counts
      WHERE vendor_id = ? AND refund_day BETWEEN ? AND ? AND refund_day <= ${dialect.daysAfter('?', LONGEST)}
        AND sale_day < ? GROUP BY sale_day
    UNION ALL
    SELECT ${PART.revision}, NULL, revision FROM ledger_revisions WHERE vendor_id = ?`;
}

/** Passes rows over within the index alone; only the rows of the page are then fetched whole. */
function keysOf(where: string, order: string): string {
  return `SELECT vendor_id, arrival FROM transactions WHERE vendor_id = ? AND ${where}
    ORDER BY ${order} DESC, arrival DESC LIMIT ? OFFSET ?`;
}
const SOLD = keysOf('sale_date BETWEEN ? AND ?', 'sale_date');
const REFUNDED = keysOf(
  'refunded_sale_date BETWEEN ? AND ? AND refund_date BETWEEN ? AND ?',
  'refunded_sale_date',
);
function pageOf(keys: string): string {
  return `SELECT ${SELECTED} FROM (${keys}) page
    JOIN transactions t ON t.vendor_id = page.vendor_id AND t.arrival = page.arrival ${DISPLAY_NAME}`;
}
const PAGE = {
  sold: pageOf(SOLD),
  refunded: pageOf(REFUNDED),
  both: pageOf(`SELECT * FROM (${SOLD}) sold UNION ALL SELECT * FROM (${REFUNDED}) refunded`),
};
const SINGLE = `SELECT ${SELECTED} FROM transactions t ${DISPLAY_NAME}
  WHERE t.vendor_id = ? AND t.transaction_id = ?`;

/** The reads of transactions; what writes them is in transaction-writes.repository.ts. */
@Injectable()
export class TransactionsRepository {
  private readonly counts: string;

  constructor(private readonly database: Database) {
    this.counts = countsOn(database.dialect);
  }

  /** Counts the list of a range day by day, newest first, from the kept counts. */
  async listCounts(criteria: Range, reader: Reader = this.database): Promise<ListCounts> {
    const { vendor_id, start_date, end_date } = criteria;
    const rows = await reader.rows<[number, string, number]>(this.counts, [
      ...[vendor_id, start_date, end_date],
      ...[vendor_id, start_date, end_date, start_date, vendor_id, start_date],
      vendor_id,
    ]);
    const daysOf = (part: number) =>
      rows
        .filter(([kind]) => kind === part)
        .map(([, day, count]) => ({ day, count }))
        .sort((left, right) => (left.day < right.day ? 1 : -1));
    const revision = rows.find(([kind]) => kind === PART.revision)?.[2] ?? 0;
    return { revision, sold: daysOf(PART.sold), refunded: daysOf(PART.refunded) };
  }

  /**
   * What stands on the stretches of a range's list, newest sale first.
   * @param plan at least one stretch of it is there
   */
  async transactionsOn(
    { vendor_id, start_date, end_date }: Range,
    { sold, refunded }: Pick<PagePlan, 'sold' | 'refunded'>,
    reader: Reader = this.database,
  ): Promise<TransactionsAtRevision> {
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
    const rows = await reader.rows<Row>(PAGE[part], values);
    // A join promises no order: 200 rows at most are put in theirs here.
    rows.sort((left, right) =>
      left[2] === right[2] ? right[13] - left[13] : left[2] < right[2] ? 1 : -1,
    );
    return { revision: rows[0]?.[0] ?? 0, transactions: rows.map(transactionOf) };
  }

  /** One transaction of this vendor; another vendor's is as little found as none. */
  async transactionOf(vendor_id: number, transaction_id: string): Promise<TransactionsAtRevision> {
    const rows = await this.database.rows<Row>(SINGLE, [vendor_id, vendor_id, transaction_id]);
    return { revision: rows[0]?.[0] ?? 0, transactions: rows.map(transactionOf) };
  }
}

function transactionOf(row: Row): Transaction {
  return {
    transaction_id: row[1],
    sale_date: row[2],
    product_id: row[3],
    product_name: row[4],
    amount: row[5],
    status: row[6],
    customer: { email: row[7], first_name: row[8], last_name: row[9] },
    affiliate: row[10] === null ? null : { id: row[10], display_name: row[11] },
    tracking: optionalTextsAt(row, TRACKING_AT, PAYOUTS_AT),
    payouts: numbersAt(row, PAYOUTS_AT, REFUND_AT),
    refund: refundOf(row),
  };
}

function refundOf(row: Row): Refund | null {
  const refund_date = row[12];
  if (refund_date === null) return null;
  return { refund_date, amounts: numbersAt(row, REFUND_AT, row.length) };
}
