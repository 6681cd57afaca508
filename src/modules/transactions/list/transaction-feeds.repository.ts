import { Injectable } from '@nestjs/common';
import { Database, type Reader, type SqlValue } from '../../../platform/database/database.js';
import { keysetOf } from '../../../ledger/reads/keyset.js';
import { columnsOf } from '../../../platform/database/named-rows.js';
import { SEEN_AFFILIATE, SEEN_NAME, seenColumn } from '../../../ledger/reads/seen-user.model.js';
import { byListOrder, isRowOf, REVISION } from '../../../ledger/reads/transaction-row.model.js';
import type { StoredPayoutItem } from '../../../ledger/reads/transaction.entity.js';
import type { LedgerPosition } from '../../../ledger/reads/transaction.model.js';
import { PAYOUT_ITEM_COLUMNS } from '../../../ledger/records/transaction.record.js';
import {
  DETAIL_COLUMNS,
  FEED_COLUMNS,
  FEED_SIZE,
  type FeedTransaction,
  type TransactionDetail,
} from './transaction-feed.model.js';

const SELECTED = `SELECT ${REVISION}, ${columnsOf('t', FEED_COLUMNS)},
    COALESCE(t.customer_processor_email, t.customer_email) AS processor_email`;
/** A vendor sees only the names of affiliates that it may see; an affiliate sees its own name. */
const TO_VENDOR = { name: SEEN_NAME, joined: SEEN_AFFILIATE };
const TO_AFFILIATE = {
  name: 'COALESCE(u.display_name, u.name)',
  joined: 'LEFT JOIN users u ON u.id = t.affiliate_id',
};

const SINGLE = `${SELECTED}, ${TO_VENDOR.name} AS affiliate_name FROM transactions t ${TO_VENDOR.joined}
  WHERE t.vendor_id = ? AND t.transaction_id = ?`;

/**
 * Reads the keys of the sales of a user after a position. The index is named, because choosing it
 * sometimes takes long under load. SQLite reads the hint as a comment.
 */
const KEYS = { selected: 'vendor_id, arrival, sale_date', direction: 'ASC' } as const;
const KEYS_OF_VENDOR = keysetOf({
  ...KEYS,
  table: 'transactions /*! FORCE INDEX (transactions_by_sale) */',
  where: 'vendor_id = ?',
  order: ['sale_date', 'arrival'],
});
const KEYS_OF_AFFILIATE = keysetOf({
  ...KEYS,
  table: 'transactions /*! FORCE INDEX (transactions_by_affiliate) */',
  where: 'affiliate_id = ?',
  order: ['sale_date', 'vendor_id', 'arrival'],
});
const OF_VENDOR = feedOf(KEYS_OF_VENDOR.sql, TO_VENDOR);
const OF_AFFILIATE = feedOf(KEYS_OF_AFFILIATE.sql, TO_AFFILIATE);

/** Returns the statement of a feed. Only the rows of the response are read whole. */
function feedOf(keys: string, shown: typeof TO_VENDOR): string {
  return `${SELECTED}, ${shown.name} AS affiliate_name FROM (${keys}) next
    JOIN transactions t ON ${isRowOf('next')} ${shown.joined}`;
}

/**
 * Selects the revision and the position from one snapshot. A vendor without a revision has no
 * transactions.
 */
const POSITION_IN_VENDOR_FEED = `SELECT l.revision, t.sale_date, t.vendor_id, t.arrival
  FROM ledger_revisions l
    LEFT JOIN transactions t ON t.vendor_id = l.vendor_id AND t.transaction_id = ?
  WHERE l.vendor_id = ?`;

/** Precedes every possible transaction. */
const BEGINNING: LedgerPosition = { sale_date: '1000-01-01 00:00:00', vendor_id: 0, arrival: 0 };

const ITEM_COLUMNS = ['position', ...PAYOUT_ITEM_COLUMNS] as const;
type ItemRow = Pick<StoredPayoutItem, (typeof ITEM_COLUMNS)[number]>;
type NoItem = Readonly<Record<keyof ItemRow, null>>;
type DetailWithItem = Omit<TransactionDetail, 'payout_items'> & (ItemRow | NoItem);

/**
 * Selects one row for each payout item, or one row without an item, so that all come from one
 * snapshot. The SQL is hand-written: one statement instead of the five reads of TypeORM
 * (docs/adr/0003-own-statements.md).
 */
const DETAIL = `SELECT ${REVISION}, ${columnsOf('t', DETAIL_COLUMNS)}, ${columnsOf('i', ITEM_COLUMNS)},
    COALESCE(t.customer_processor_email, t.customer_email) AS processor_email,
    v.name AS vendor_name, v.email AS vendor_email, u.id AS affiliate_id,
    ${SEEN_NAME} AS affiliate_name, ${seenColumn('email')} AS affiliate_email
  FROM transactions t JOIN users v ON v.id = t.vendor_id ${SEEN_AFFILIATE}
    LEFT JOIN payout_items i ON i.vendor_id = t.vendor_id AND i.arrival = t.arrival
  WHERE t.vendor_id = ? AND t.transaction_id = ? ORDER BY i.position`;

/** Reads the details of API 2.1, and the summaries and feeds of API 2.0. */
@Injectable()
export class TransactionFeedsRepository {
  constructor(private readonly database: Database) {}

  /** Returns a transaction, or null if it does not exist or belongs to another vendor. */
  async transactionOf(
    vendor_id: number,
    paykey: string,
    reader: Reader,
  ): Promise<FeedTransaction | null> {
    const values = [vendor_id, vendor_id, paykey];
    const [transaction = null] = await reader.select<FeedTransaction>(SINGLE, values);
    return transaction;
  }

  /**
   * Returns the details, or null if the transaction does not exist or belongs to another vendor.
   */
  async detailOf(
    vendor_id: number,
    paykey: string,
    reader: Reader,
  ): Promise<TransactionDetail | null> {
    const rows = await reader.select<DetailWithItem>(DETAIL, [vendor_id, vendor_id, paykey]);
    const [row] = rows;
    if (row === undefined) return null;
    return { ...row, payout_items: rows.flatMap((each) => (each.position === null ? [] : [each])) };
  }

  /**
   * Returns the vendor's transactions after a position, oldest first. Null begins with the first
   * transaction.
   */
  transactionsOfVendor(
    vendor_id: number,
    after: LedgerPosition | null,
    reader: Reader,
  ): Promise<FeedTransaction[]> {
    const { sale_date, arrival } = after ?? BEGINNING;
    const keys = { where: [vendor_id], position: [sale_date, arrival], take: FEED_SIZE };
    return readFeed(reader, OF_VENDOR, [vendor_id, ...KEYS_OF_VENDOR.values(keys)]);
  }

  /** Returns the transactions of an affiliate after a position, oldest first. */
  transactionsOfAffiliate(affiliate_id: number, after: LedgerPosition): Promise<FeedTransaction[]> {
    const position = [after.sale_date, after.vendor_id, after.arrival];
    const keys = { where: [affiliate_id], position, take: FEED_SIZE };
    const values = [affiliate_id, ...KEYS_OF_AFFILIATE.values(keys)];
    return readFeed(this.database, OF_AFFILIATE, values);
  }

  /**
   * Returns the position of a transaction in its vendor's feed, and the revision at which it was
   * read.
   */
  async positionInVendorFeed(
    vendor_id: number,
    paykey: string,
    reader: Reader,
  ): Promise<{ readonly revision: number; readonly position: LedgerPosition | null }> {
    const [row] = await reader.select<
      { readonly revision: number } & (LedgerPosition | Record<keyof LedgerPosition, null>)
    >(POSITION_IN_VENDOR_FEED, [paykey, vendor_id]);
    if (row === undefined) return { revision: 0, position: null };
    const { revision, ...found } = row;
    return { revision, position: found.sale_date === null ? null : found };
  }

  /** Returns the position of a transaction in its affiliate's feed, or null if it is not there. */
  async positionInAffiliateFeed(
    affiliate_id: number,
    paykey: string,
  ): Promise<LedgerPosition | null> {
    const [position = null] = await this.database.select<LedgerPosition>(
      'SELECT sale_date, vendor_id, arrival FROM transactions WHERE transaction_id = ? AND affiliate_id = ?',
      [paykey, affiliate_id],
    );
    return position;
  }
}

/** Reads a feed. The first value is the user, whose revision comes with the rows. */
async function readFeed(
  reader: Reader,
  sql: string,
  values: readonly SqlValue[],
): Promise<FeedTransaction[]> {
  const rows = await reader.select<FeedTransaction>(sql, values);
  // A join guarantees no order, so the rows, at most 100, are sorted here, oldest first.
  return rows.sort((left, right) => byListOrder(right, left));
}
