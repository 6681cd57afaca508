import { Injectable } from '@nestjs/common';
import { recordOf } from '../../common/record-of.js';
import { endOfDay, startOfDay } from '../../common/time.js';
import { Database, type Reader, type SqlValue } from '../../database/database.js';
import { numberAt, optionalTextAt } from '../../database/values.js';
import type { DayCount, Stretch } from './page-plan.js';
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
type Range = Omit<ListCriteria, 'page'>;

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
  'r.revision',
  't.arrival',
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
] as const;
type Row = [
  ...[number, number, string, string, number, string, number, TransactionStatus],
  ...[string, string, string, number | null, string | null, string | null],
  ...SqlValue[],
];
const TRACKING_AT = LEADING.length;
const PAYOUTS_AT = TRACKING_AT + TRACKING_FIELDS.length;
const REFUND_AT = PAYOUTS_AT + PAYOUT_FIELDS.length;

const SELECTED = [
  ...LEADING,
  ...[...TRACKING_FIELDS, ...PAYOUT_FIELDS, ...REFUND_AMOUNT_FIELDS].map((column) => `t.${column}`),
].join(', ');
const JOINED = `JOIN ledger_revisions r ON r.vendor_id = t.vendor_id
  LEFT JOIN users u ON u.id = t.affiliate_id`;

const COUNTS = `
  SELECT 'sold', sale_day, sales FROM sale_counts
    WHERE vendor_id = ? AND sale_day BETWEEN ? AND ?
  UNION ALL
  SELECT 'refunded', sale_day, CAST(SUM(refunds) AS SIGNED) FROM refund_counts
    WHERE vendor_id = ? AND refund_day BETWEEN ? AND ? AND sale_day < ? GROUP BY sale_day
  UNION ALL
  SELECT 'revision', NULL, revision FROM ledger_revisions WHERE vendor_id = ?`;

/** Passes rows over within the index alone; only the rows of the page are then fetched whole. */
function pageOf(where: string, order: string): string {
  return `SELECT ${SELECTED} FROM (
      SELECT vendor_id, arrival FROM transactions WHERE vendor_id = ? AND ${where}
      ORDER BY ${order} DESC, arrival DESC LIMIT ? OFFSET ?
    ) page JOIN transactions t ON t.vendor_id = page.vendor_id AND t.arrival = page.arrival ${JOINED}`;
}
const SOLD_PAGE = pageOf('sale_date BETWEEN ? AND ?', 'sale_date');
const REFUNDED_PAGE = pageOf(
  'refunded_sale_date BETWEEN ? AND ? AND refund_date BETWEEN ? AND ?',
  'refunded_sale_date',
);
const SINGLE = `SELECT ${SELECTED} FROM transactions t ${JOINED}
  WHERE t.vendor_id = ? AND t.transaction_id = ?`;

/** The reads of transactions; what writes them is in transaction-writes.repository.ts. */
@Injectable()
export class TransactionsRepository {
  constructor(private readonly database: Database) {}

  /** Counts the list of a range day by day, newest first, from the kept counts. */
  async listCounts(criteria: Range, reader: Reader = this.database): Promise<ListCounts> {
    const { vendor_id, start_date, end_date } = criteria;
    const rows = await reader.rows<['sold' | 'refunded' | 'revision', string, number]>(COUNTS, [
      ...[vendor_id, start_date, end_date],
      ...[vendor_id, start_date, end_date, start_date],
      vendor_id,
    ]);
    const daysOf = (part: 'sold' | 'refunded') =>
      rows
        .filter(([kind]) => kind === part)
        .map(([, day, count]) => ({ day, count }))
        .sort((left, right) => (left.day < right.day ? 1 : -1));
    const revision = rows.find(([kind]) => kind === 'revision')?.[2] ?? 0;
    return { revision, sold: daysOf('sold'), refunded: daysOf('refunded') };
  }

  /** Sold on the days of the stretch, newest sale first. */
  async soldIn(
    criteria: Range,
    stretch: Stretch,
    reader: Reader = this.database,
  ): Promise<TransactionsAtRevision> {
    const sold = [startOfDay(stretch.from), endOfDay(stretch.to)];
    return this.page(reader, SOLD_PAGE, [criteria.vendor_id, ...sold], stretch);
  }

  /** Sold on the days of the stretch and refunded in the list's range, newest sale first. */
  async refundedIn(
    criteria: Range,
    stretch: Stretch,
    reader: Reader = this.database,
  ): Promise<TransactionsAtRevision> {
    const sold = [startOfDay(stretch.from), endOfDay(stretch.to)];
    const refunded = [startOfDay(criteria.start_date), endOfDay(criteria.end_date)];
    return this.page(reader, REFUNDED_PAGE, [criteria.vendor_id, ...sold, ...refunded], stretch);
  }

  /** One transaction of this vendor; another vendor's is as little found as none. */
  async transactionOf(vendor_id: number, transaction_id: string): Promise<Transaction | null> {
    const [row] = await this.database.rows<Row>(SINGLE, [vendor_id, transaction_id]);
    return row === undefined ? null : transactionOf(row);
  }

  private async page(
    reader: Reader,
    sql: string,
    values: readonly SqlValue[],
    { take, skip }: Stretch,
  ): Promise<TransactionsAtRevision> {
    const rows = await reader.rows<Row>(sql, [...values, take, skip]);
    // A join promises no order: 200 rows at most are put in theirs here.
    rows.sort((left, right) =>
      left[3] === right[3] ? right[1] - left[1] : left[3] < right[3] ? 1 : -1,
    );
    return { revision: rows[0]?.[0] ?? 0, transactions: rows.map(transactionOf) };
  }
}

function transactionOf(row: Row): Transaction {
  const [, , transaction_id, sale_date, product_id, product_name, amount, status] = row;
  return {
    transaction_id,
    sale_date,
    product_id,
    product_name,
    amount,
    status,
    customer: { email: row[8], first_name: row[9], last_name: row[10] },
    affiliate: row[11] === null ? null : { id: row[11], display_name: row[12] },
    tracking: recordOf(TRACKING_FIELDS, (_, index) => optionalTextAt(row, TRACKING_AT + index)),
    payouts: recordOf(PAYOUT_FIELDS, (_, index) => numberAt(row, PAYOUTS_AT + index)),
    refund: refundOf(row),
  };
}

function refundOf(row: Row): Refund | null {
  const refund_date = row[13];
  if (refund_date === null) return null;
  const amounts = recordOf(REFUND_AMOUNT_FIELDS, (_, index) => numberAt(row, REFUND_AT + index));
  return { refund_date, amounts };
}
