import { Injectable } from '@nestjs/common';
import { endOfDay, startOfDay } from '../../../platform/values/time.js';
import { isOneOf } from '../../../platform/database/bulk.js';
import type { Reader, SqlValue } from '../../../platform/database/database.js';
import { keysetOf } from '../../../ledger/reads/keyset.js';
import { SEEN_AFFILIATE, seenColumn } from '../../../ledger/reads/seen-user.model.js';
import type { RefundState } from '../../../ledger/changes/reasons/transaction-reasons.js';
import type { ChangesRange } from '../../../ledger/changes/change-source.model.js';
import type { PagePlan } from './page-plan.js';
import { isNear, nearRowsOf } from './near-rows.repository.js';
import type { ShownNames } from './shown-names.js';
import {
  maskTransaction,
  type ListCriteria,
  type Transaction,
} from '../../../ledger/reads/transaction.model.js';
import {
  type ListedTransaction,
  type RenderedTransaction,
  hasCurrentBytes,
  listedOf,
  newestFirst,
} from '../../../ledger/reads/rendered-transaction.model.js';
import {
  byListOrder,
  isRowOf,
  REVISION,
  SELECTED,
} from '../../../ledger/reads/transaction-row.model.js';
import {
  ANY_SIZE,
  areSmall,
  fitTogether,
  joinedIfSmall,
  ROW_SIZE,
  SIZED,
  smallOf,
  type FoundRows,
  type IfSmall,
  type SizedRow,
} from '../../../ledger/reads/row-sizes.model.js';

/** Describes the position of a transaction in the vendor's feed of changes. */
export interface TransactionPosition extends RefundState {
  readonly arrival: number;
  readonly place: number;
  readonly changed_at: string;
  readonly product_id: number;
  readonly reasons: string | null;
}

interface ListedRow extends Omit<ListedTransaction, 'rendered'> {
  readonly rendered: RenderedTransaction | null;
}

/**
 * Selects the keys of a page. It skips rows in the index only, and then the rows of the page are
 * read whole. If the table is partitioned by month, `sale_date` leads to the partition of a row.
 * The SQL is hand-written, because one statement with OR, COUNT and OFFSET is far slower
 * (docs/adr/0001-two-parts-and-kept-counts.md).
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

/** Read the keys of the next rows of a walk. */
const NEXT = { table: 'transactions', where: 'vendor_id = ?', direction: 'DESC' } as const;
const SOLD_AFTER = keysetOf({
  ...NEXT,
  selected: 'vendor_id, arrival, sale_date',
  order: ['sale_date', 'arrival'],
  also: ' AND sale_date >= ?',
});
const REFUNDED_AFTER = keysetOf({
  ...NEXT,
  selected: 'vendor_id, arrival, refunded_sale_date, refunded_sale_date AS sale_date',
  order: ['refunded_sale_date', 'arrival'],
  also: ' AND refunded_sale_date >= ? AND refund_date BETWEEN ? AND ?',
});

type OfVendor = Pick<ListCriteria, 'vendor_id' | 'isMasked'>;

/**
 * Selects the next rows of one part of a list: those after a transaction, back to the day `from`.
 */
export interface WalkStep {
  readonly vendor_id: number;
  readonly isMasked: boolean;
  readonly from: string;
  readonly after: { readonly sale_date: string; readonly arrival: number };
  /** Includes only refunds of these days; null includes all sales. */
  readonly refunded: { readonly from: string; readonly to: string } | null;
  readonly take: number;
}

/** Contains the statements that read a page: its keys, then its rows. */
type PageStatements = ReturnType<typeof pagesOf>;
/**
 * Contains the statements for pages of rows up to a size, for rows by their keys, and for single
 * transactions.
 */
type Statements = ReturnType<typeof statementsOf>;
/** Selects one of the statements of a page, whichever columns it reads. */
type Which = (pages: PageStatements) => string;

const AS_BYTES = statementsOf(`${REVISION}, t.arrival, t.rendered,
    ${seenColumn('display_name')} AS affiliate_display_name`);
const AS_COLUMNS = statementsOf(SELECTED);
const AS_SIZES = pagesOf(SIZED, `JOIN transactions t ON ${isRowOf('page')}`);

function statementsOf(selected: string) {
  return {
    pages: pagesOf(selected, `${joinedIfSmall('page')} ${SEEN_AFFILIATE}`),
    ofVendor: `SELECT ${selected} FROM transactions t ${SEEN_AFFILIATE} WHERE t.vendor_id = ?`,
    single: `SELECT ${selected} FROM transactions t ${SEEN_AFFILIATE}
      WHERE t.vendor_id = ? AND t.transaction_id = ?`,
  };
}

function pagesOf(selected: string, joined: string) {
  const pageOf = (keys: string) => `SELECT ${selected} FROM (${keys}) page ${joined}`;
  return {
    sold: pageOf(SOLD),
    refunded: pageOf(REFUNDED),
    both: pageOf(`SELECT * FROM (${SOLD}) sold UNION ALL SELECT * FROM (${REFUNDED}) refunded`),
    soldAfter: pageOf(SOLD_AFTER.sql),
    refundedAfter: pageOf(REFUNDED_AFTER.sql),
    of: pageOf,
  };
}

/**
 * Names the index of the feed of changes, because otherwise MariaDB may walk through the primary
 * key.
 */
const BY_SEQUENCE = '/*! FORCE INDEX (transactions_by_sequence) */';
/** Selects the product of a transaction, its stored reasons, and the state that shows others. */
const WHY = 'product_id, reasons, status, refund_date';
/**
 * Selects transactions that were last written before the feed of changes existed. They come before
 * all others, in the order of arrival.
 */
const EARLY = `SELECT arrival, arrival AS place, COALESCE(refund_date, sale_date) AS changed_at, ${WHY}
  FROM transactions ${BY_SEQUENCE}
  WHERE vendor_id = ? AND sequence IS NULL AND arrival > ? ORDER BY arrival LIMIT ?`;
const LATE = `SELECT arrival, sequence AS place, changed_at, ${WHY}
  FROM transactions ${BY_SEQUENCE}
  WHERE vendor_id = ? AND sequence > ? ORDER BY sequence LIMIT ?`;
const AFTER = `SELECT * FROM (${EARLY}) early UNION ALL SELECT * FROM (${LATE}) late`;

/** Reads the list of 3.0 and single transactions. */
@Injectable()
export class TransactionsRepository {
  /**
   * Reads the rows of a plan, newest sale first.
   * @param plan a plan with at least one slice
   * @param names names that the page probably needs; null if none are known
   */
  async transactionsOn(
    { vendor_id, start_date, end_date, isMasked }: Omit<ListCriteria, 'page'>,
    { sold, refunded }: Pick<PagePlan, 'sold' | 'refunded'>,
    reader: Reader,
    names: ShownNames | null,
  ): Promise<FoundRows<ListedTransaction>> {
    const values: SqlValue[] = [];
    if (sold !== null) {
      const upTo = sold.upTo ?? endOfDay(sold.to);
      values.push(vendor_id, startOfDay(sold.from), upTo, sold.take, sold.skip);
    }
    if (refunded !== null) {
      values.push(vendor_id, startOfDay(refunded.from), endOfDay(refunded.to));
      values.push(startOfDay(start_date), endOfDay(end_date), refunded.take, refunded.skip);
    }
    const part = sold === null ? 'refunded' : refunded === null ? 'sold' : 'both';
    const take = (sold?.take ?? 0) + (refunded?.take ?? 0);
    const page: Page = { vendor_id, which: (pages) => pages[part], values, take, isMasked };
    if (!isMasked && sold !== null && refunded === null && isNear(sold)) {
      const near = await nearRowsOf(reader, page, names);
      if (near !== null) return { isLarge: false, rows: near };
    }
    return foundRows(reader, page, listedUpTo);
  }

  /** Returns a transaction, or null if it does not exist or belongs to another vendor. */
  async transactionOf(
    { vendor_id, transaction_id, isMasked }: OfVendor & { readonly transaction_id: string },
    reader: Reader,
  ): Promise<ListedTransaction | null> {
    const values = [vendor_id, vendor_id, transaction_id];
    const [found = null] = await listedRows(reader, ({ single }) => single, values, isMasked);
    return found;
  }

  /** Returns transactions of a vendor by arrival, in no particular order. */
  transactionsByArrivals(
    { vendor_id, isMasked }: OfVendor,
    arrivals: readonly number[],
    reader: Reader,
  ): Promise<ListedTransaction[]> {
    const wanted = isOneOf('t.arrival', arrivals);
    const values = [vendor_id, vendor_id, ...wanted.values];
    const sqlOf = ({ ofVendor }: Statements) => `${ofVendor} AND ${wanted.sql}`;
    return listedRows(reader, sqlOf, values, isMasked);
  }

  /** Reads transactions of a vendor by arrival, as columns. */
  async columnsByArrivals(
    { vendor_id, isMasked }: OfVendor,
    arrivals: readonly number[],
    reader: Reader,
  ): Promise<Transaction[]> {
    const wanted = isOneOf('t.arrival', arrivals);
    const values = [vendor_id, vendor_id, ...wanted.values];
    const rows = await reader.select<Transaction>(
      `${AS_COLUMNS.ofVendor} AND ${wanted.sql}`,
      values,
    );
    return rows.sort(byListOrder).map((row) => (isMasked ? maskTransaction(row) : row));
  }

  /** Reads the rows of a page by arrival, newest sale first. */
  listedOn(
    reader: Reader,
    of: OfVendor,
    arrivals: readonly number[],
  ): Promise<FoundRows<ListedTransaction>> {
    return foundRows(reader, pageOfArrivals(of, arrivals), listedUpTo);
  }

  /** Reads the rows of a page by arrival as columns, newest sale first. */
  columnsOn(
    reader: Reader,
    of: OfVendor,
    arrivals: readonly number[],
  ): Promise<FoundRows<Transaction>> {
    return foundRows(reader, pageOfArrivals(of, arrivals), columnsUpTo);
  }

  /** Estimates the size of each of these transactions as JSON, in bytes, by arrival. */
  async sizesOf(
    vendor_id: number,
    arrivals: readonly number[],
    reader: Reader,
  ): Promise<ReadonlyMap<number, number>> {
    const wanted = isOneOf('t.arrival', arrivals);
    const rows = await reader.select<Pick<SizedRow, 'arrival' | 'bytes'>>(
      `SELECT t.arrival, ${ROW_SIZE} AS bytes FROM transactions t
        WHERE t.vendor_id = ? AND ${wanted.sql}`,
      [vendor_id, ...wanted.values],
    );
    return new Map(rows.map(({ arrival, bytes }) => [arrival, bytes]));
  }

  /** Reads the next rows of a walk, newest sale first. */
  listedAfter(reader: Reader, step: WalkStep): Promise<FoundRows<ListedTransaction>> {
    return foundRows(reader, pageOfStep(step), listedUpTo);
  }

  /** Reads the next rows of a walk as columns, newest sale first. */
  columnsAfter(reader: Reader, step: WalkStep): Promise<FoundRows<Transaction>> {
    return foundRows(reader, pageOfStep(step), columnsUpTo);
  }

  /**
   * Returns the positions of the next transactions in the feed of changes, in no particular order,
   * up to twice the limit. It reads two ranges of one index, so that each page costs the same.
   */
  positionsAfter({
    reader,
    vendor_id,
    after,
    limit,
  }: ChangesRange): Promise<TransactionPosition[]> {
    const range = [vendor_id, after, limit];
    return reader.select<TransactionPosition>(AFTER, [...range, ...range]);
  }
}

/** Defines a page to read. */
interface Page {
  readonly vendor_id: number;
  readonly which: Which;
  /** Parameters of the keys. */
  readonly values: readonly SqlValue[];
  readonly take: number;
  readonly isMasked: boolean;
}

function pageOfArrivals({ vendor_id, isMasked }: OfVendor, arrivals: readonly number[]): Page {
  const wanted = isOneOf('arrival', arrivals);
  const keys = `SELECT vendor_id, arrival, sale_date FROM transactions
    WHERE vendor_id = ? AND ${wanted.sql}`;
  const values = [vendor_id, ...wanted.values];
  return { vendor_id, isMasked, values, which: ({ of }) => of(keys), take: arrivals.length };
}

function pageOfStep(step: WalkStep): Page {
  const { vendor_id, refunded, take, isMasked } = step;
  const which: Which = ({ soldAfter, refundedAfter }) =>
    refunded === null ? soldAfter : refundedAfter;
  return { vendor_id, which, values: valuesOf(step), take, isMasked };
}

function valuesOf({ vendor_id, from, after, refunded, take }: WalkStep): SqlValue[] {
  const refunds = refunded === null ? [] : [startOfDay(refunded.from), endOfDay(refunded.to)];
  const keys = refunded === null ? SOLD_AFTER : REFUNDED_AFTER;
  const position = [after.sale_date, after.arrival];
  const also = [startOfDay(from), ...refunds];
  return keys.values({ where: [vendor_id], position, also, take });
}

/**
 * Reads rows of up to a number of bytes each.
 * @returns null if one is larger
 */
type ReadUpTo<Row> = (reader: Reader, page: Page, most: number) => Promise<readonly Row[] | null>;

async function foundRows<Row>(
  reader: Reader,
  page: Page,
  readUpTo: ReadUpTo<Row>,
): Promise<FoundRows<Row>> {
  const small = await readUpTo(reader, page, smallOf(page.take));
  if (small !== null) return { isLarge: false, rows: small };
  const sized = await reader.select<SizedRow>(page.which(AS_SIZES), [
    page.vendor_id,
    ...page.values,
  ]);
  if (!fitTogether(sized)) return { isLarge: true, rows: sized.sort(byListOrder) };
  const rows = await readUpTo(reader, page, ANY_SIZE);
  if (rows === null) throw new Error('a key of a page has no row');
  return { isLarge: false, rows };
}

/**
 * Reads the stored bytes of the rows. If a row has none of the current form, it reads all rows
 * again as columns and renders them, because only rows of one statement have the same revision.
 */
const listedUpTo: ReadUpTo<ListedTransaction> = async (reader, page, most) => {
  if (!page.isMasked) {
    const listed = await rowsByKeys<ListedRow>(reader, page, AS_BYTES, most);
    if (!areSmall(listed)) return null;
    // A join guarantees no order.
    if (listed.every(hasCurrentBytes)) return listed.sort(newestFirst);
  }
  const rows = await columnsUpTo(reader, page, most);
  return rows === null ? null : rows.map(listedOf);
};

const columnsUpTo: ReadUpTo<Transaction> = async (reader, page, most) => {
  const rows = await rowsByKeys<Transaction>(reader, page, AS_COLUMNS, most);
  if (!areSmall(rows)) return null;
  return rows.sort(byListOrder).map((row) => (page.isMasked ? maskTransaction(row) : row));
};

function rowsByKeys<Row extends { readonly arrival: number }>(
  reader: Reader,
  { vendor_id, which, values }: Page,
  { pages }: Statements,
  most: number,
): Promise<IfSmall<Row>[]> {
  return reader.select<IfSmall<Row>>(which(pages), [vendor_id, ...values, most]);
}

/**
 * Reads the stored bytes. It renders the columns instead if the bytes have another form or personal
 * data is left out.
 */
async function listedRows(
  reader: Reader,
  sqlOf: (statements: Statements) => string,
  values: readonly SqlValue[],
  isMasked: boolean,
): Promise<ListedTransaction[]> {
  if (!isMasked) {
    const listed = await reader.select<ListedRow>(sqlOf(AS_BYTES), values);
    if (listed.every(hasCurrentBytes)) return listed;
  }
  const rows = await reader.select<Transaction>(sqlOf(AS_COLUMNS), values);
  return rows.map((row) => listedOf(isMasked ? maskTransaction(row) : row));
}
