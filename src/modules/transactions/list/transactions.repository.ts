import { Injectable } from '@nestjs/common';
import { endOfDay, startOfDay } from '../../../common/time.js';
import { isOneOf } from '../../../database/bulk.js';
import { Database, type Reader, type SqlValue } from '../../../database/database.js';
import { SEEN_AFFILIATE, seenColumn } from '../../accounts/seen/seen-user.model.js';
import type { PagePlan } from './page-plan.js';
import type { WalkStep } from './transaction-walk.model.js';
import { maskTransaction, type ListCriteria, type Transaction } from '../transaction.model.js';
import {
  listedOf,
  newestFirst,
  type ListedTransaction,
} from '../rendered/listed-transaction.model.js';
import { isCurrent, type RenderedTransaction } from '../rendered/rendered-transaction.model.js';
import { byListOrder, isRowOf, REVISION, SELECTED } from '../transaction-row.model.js';

interface ListedRow extends Omit<ListedTransaction, 'rendered'> {
  readonly rendered: RenderedTransaction | null;
}

/**
 * Skips rows in the index only; then the rows of the page are read whole. `sale_date` leads to the
 * partition of a row if the table is partitioned by month. By hand for its cost: a month's page takes
 * 854 requests/s, the obvious OR, COUNT and OFFSET 1.95 (docs/benchmarks.md, "Older figures").
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

/** The next rows of a walk, whatever a second has of them: by two ranges of an index. */
function keysAfter(where: string, order: string): string {
  const part = (name: string, range: string) => `SELECT * FROM (
      SELECT vendor_id, arrival, ${order} AS sale_date FROM transactions
      WHERE vendor_id = ? AND ${range}${where} ORDER BY ${order} DESC, arrival DESC LIMIT ?) ${name}`;
  return `${part('same_second', `${order} = ? AND arrival < ?`)}
    UNION ALL ${part('earlier', `${order} >= ? AND ${order} < ?`)}
    ORDER BY sale_date DESC, arrival DESC LIMIT ?`;
}
const SOLD_AFTER = keysAfter('', 'sale_date');
const REFUNDED_AFTER = keysAfter(' AND refund_date BETWEEN ? AND ?', 'refunded_sale_date');

/** One transaction of a vendor. */
interface SingleCriteria extends Pick<ListCriteria, 'vendor_id' | 'isMasked'> {
  readonly transaction_id: string;
}

/** Pages and single transactions. */
interface Statements {
  readonly sold: string;
  readonly refunded: string;
  readonly both: string;
  readonly single: string;
  readonly ofVendor: string;
  readonly soldAfter: string;
  readonly refundedAfter: string;
}
/** One of the statements, whichever columns it selects. */
type Which = (statements: Statements) => string;

const AS_BYTES = statementsOf(`${REVISION}, t.arrival, t.rendered,
    ${seenColumn('display_name')} AS affiliate_display_name`);
const AS_COLUMNS = statementsOf(SELECTED);

function statementsOf(selected: string): Statements {
  const pageOf = (keys: string) => `SELECT ${selected} FROM (${keys}) page
    JOIN transactions t ON ${isRowOf('page')} ${SEEN_AFFILIATE}`;
  return {
    sold: pageOf(SOLD),
    refunded: pageOf(REFUNDED),
    both: pageOf(`SELECT * FROM (${SOLD}) sold UNION ALL SELECT * FROM (${REFUNDED}) refunded`),
    soldAfter: pageOf(SOLD_AFTER),
    refundedAfter: pageOf(REFUNDED_AFTER),
    ofVendor: `SELECT ${selected} FROM transactions t ${SEEN_AFFILIATE} WHERE t.vendor_id = ?`,
    single: `SELECT ${selected} FROM transactions t ${SEEN_AFFILIATE}
      WHERE t.vendor_id = ? AND t.transaction_id = ?`,
  };
}

/** The reads of the 3.0 list and of a single transaction. */
@Injectable()
export class TransactionsRepository {
  constructor(private readonly database: Database) {}

  /**
   * The rows of a plan, newest sale first.
   * @param plan with at least one slice
   */
  async transactionsOn(
    { vendor_id, start_date, end_date, isMasked }: Omit<ListCriteria, 'page'>,
    { sold, refunded }: Pick<PagePlan, 'sold' | 'refunded'>,
    reader: Reader = this.database,
  ): Promise<ListedTransaction[]> {
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
    const read = isMasked ? readMasked : readListed;
    const rows = await read(reader, (statements) => statements[part], values);
    // A join guarantees no order: the 200 rows at most are sorted here.
    return rows.sort(newestFirst);
  }

  /** Null if there is no such transaction, or it belongs to another vendor. */
  async transactionOf(
    { vendor_id, transaction_id, isMasked }: SingleCriteria,
    reader: Reader,
  ): Promise<ListedTransaction | null> {
    const values = [vendor_id, vendor_id, transaction_id];
    const read = isMasked ? readMasked : readListed;
    const [transaction = null] = await read(reader, ({ single }) => single, values);
    return transaction;
  }

  /** Those of a vendor, in no particular order. */
  transactionsByArrivals(
    { vendor_id, isMasked }: Pick<ListCriteria, 'vendor_id' | 'isMasked'>,
    arrivals: readonly number[],
    reader: Reader,
  ): Promise<ListedTransaction[]> {
    const wanted = isOneOf('t.arrival', arrivals);
    const values = [vendor_id, vendor_id, ...wanted.values];
    const read = isMasked ? readMasked : readListed;
    return read(reader, ({ ofVendor }) => `${ofVendor} AND ${wanted.sql}`, values);
  }

  /** The next rows of a walk, newest sale first. */
  async listedAfter(reader: Reader, step: WalkStep): Promise<ListedTransaction[]> {
    const read = step.isMasked ? readMasked : readListed;
    return (await read(reader, partOf(step), valuesOf(step))).sort(newestFirst);
  }

  /** The same as columns. */
  async columnsAfter(reader: Reader, step: WalkStep): Promise<Transaction[]> {
    const rows = await readColumns(reader, partOf(step), valuesOf(step));
    return rows.sort(byListOrder).map((row) => (step.isMasked ? maskTransaction(row) : row));
  }
}

function partOf({ refunded }: WalkStep): Which {
  return ({ soldAfter, refundedAfter }) => (refunded === null ? soldAfter : refundedAfter);
}

function valuesOf({ vendor_id, from, after, refunded, take }: WalkStep): SqlValue[] {
  const refunds = refunded === null ? [] : [startOfDay(refunded.from), endOfDay(refunded.to)];
  const { sale_date, arrival } = after;
  return [
    ...[vendor_id, vendor_id, sale_date, arrival, ...refunds, take],
    ...[vendor_id, startOfDay(from), sale_date, ...refunds, take],
    take,
  ];
}

/**
 * Reads the bytes; if one row has none of the current form, reads all rows again as columns and renders
 * them, because only rows of one statement are of one revision.
 */
async function readListed(
  reader: Reader,
  which: Which,
  values: readonly SqlValue[],
): Promise<ListedTransaction[]> {
  const listed = await reader.select<ListedRow>(which(AS_BYTES), values);
  if (listed.every(hasCurrentBytes)) return listed;
  return (await readColumns(reader, which, values)).map(listedOf);
}

/** The same without personal data, which the stored bytes have: rendered from the columns. */
async function readMasked(
  reader: Reader,
  which: Which,
  values: readonly SqlValue[],
): Promise<ListedTransaction[]> {
  const rows = await readColumns(reader, which, values);
  return rows.map((row) => listedOf(maskTransaction(row)));
}

function readColumns(
  reader: Reader,
  which: Which,
  values: readonly SqlValue[],
): Promise<Transaction[]> {
  return reader.select<Transaction>(which(AS_COLUMNS), values);
}

function hasCurrentBytes(row: ListedRow): row is ListedTransaction {
  return isCurrent(row.rendered);
}
