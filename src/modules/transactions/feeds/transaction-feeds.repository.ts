import { Injectable } from '@nestjs/common';
import { Database, type Reader, type SqlValue } from '../../../database/database.js';
import {
  FEED_SIZE,
  type FeedPosition,
  type FeedTransaction,
} from '../detail/transaction-detail.model.js';
import { isRowOf } from '../transaction-row.model.js';
import type { CommissionStatus, TransactionStatus } from '../transaction.model.js';

type Row = [
  number,
  ...[string, string, string, number, TransactionStatus, number, string, string | null],
  ...[string, string, number | null, string | null, number, CommissionStatus, string, number],
];

const SELECTED = `SELECT t.arrival, t.transaction_id, t.sale_date, t.product_name, t.product_id,
    t.status, t.amount, t.customer_email, t.customer_ip, t.customer_first_name,
    t.customer_last_name, t.affiliate_id, COALESCE(a.display_name, a.name), t.affiliate_payout,
    t.affiliate_commission_status, COALESCE(t.customer_processor_email, t.customer_email),
    (SELECT revision FROM ledger_revisions WHERE vendor_id = ?)`;
const PARTIES = 'LEFT JOIN users a ON a.id = t.affiliate_id';

const SINGLE = `${SELECTED} FROM transactions t ${PARTIES}
  WHERE t.vendor_id = ? AND t.transaction_id = ?`;

const IN_ORDER_OF = {
  vendor_id: 'transactions_by_sale',
  affiliate_id: 'transactions_by_affiliate',
} as const;

/**
 * Two ranges of one index, of what was sold at the same second and of what was sold later, each read
 * from where the last call ended, so that the depth costs nothing. Written as one range with an OR,
 * MariaDB reads the index from the user's first sale when it runs the prepared statement again. Left
 * the choice of an index it reads the same rows, but with several callers at once it now and then takes
 * 150 ms over the choice. To SQLite the hint is a comment. Only the rows of the answer are fetched whole.
 */
function feedOf(user: keyof typeof IN_ORDER_OF): string {
  const read = `SELECT vendor_id, arrival, sale_date FROM transactions
          /*! FORCE INDEX (${IN_ORDER_OF[user]}) */`;
  return `${SELECTED} FROM (
      SELECT * FROM (
        ${read}
        WHERE ${user} = ? AND sale_date = ? AND arrival > ? ORDER BY arrival LIMIT ${FEED_SIZE}
      ) tied UNION ALL SELECT * FROM (
        ${read}
        WHERE ${user} = ? AND sale_date > ? ORDER BY sale_date, arrival LIMIT ${FEED_SIZE}
      ) later ORDER BY sale_date, arrival LIMIT ${FEED_SIZE}
    ) next JOIN transactions t ON ${isRowOf('next')} ${PARTIES}`;
}
const OF_VENDOR = feedOf('vendor_id');
const OF_AFFILIATE = feedOf('affiliate_id');

/** Both of one moment. Who has no revision has no transaction. */
const POSITION_IN_VENDOR_FEED = `SELECT l.revision, t.sale_date, t.arrival
  FROM ledger_revisions l
    LEFT JOIN transactions t ON t.vendor_id = l.vendor_id AND t.transaction_id = ?
  WHERE l.vendor_id = ?`;

/** Before everything that a ledger can hold. */
const BEGINNING: FeedPosition = { sale_date: '1000-01-01 00:00:00', arrival: 0 };

/** What a paykey that is given is told to be, where the caller has no such transaction in the feed. */
export interface FromPaykey {
  readonly isUnknownPaykey: boolean;
}

export interface FeedAtRevision {
  /** Of the caller's own ledger; 0 where there is no transaction to tell it. */
  readonly revision: number;
  readonly transactions: readonly FeedTransaction[];
}

/** The reads of the 2.0 summaries and feeds. */
@Injectable()
export class TransactionFeedsRepository {
  constructor(private readonly database: Database) {}

  /** One transaction of this vendor; another vendor's is as little found as none. */
  async transactionOf(vendor_id: number, paykey: string, reader: Reader): Promise<FeedAtRevision> {
    return readFeed(reader, SINGLE, [vendor_id, vendor_id, paykey]);
  }

  /** The vendor's transactions after a position, oldest first; from the oldest on where it is null. */
  transactionsOfVendor(
    vendor_id: number,
    after: FeedPosition | null,
    reader: Reader,
  ): Promise<FeedAtRevision> {
    return readFeed(reader, OF_VENDOR, valuesOf(vendor_id, after ?? BEGINNING));
  }

  /** The transactions that a user made as an affiliate after a position, oldest first. */
  transactionsOfAffiliate(affiliate_id: number, after: FeedPosition): Promise<FeedAtRevision> {
    return readFeed(this.database, OF_AFFILIATE, valuesOf(affiliate_id, after));
  }

  /** Where a transaction stands in the feed of its vendor, and at which revision that was so. */
  async positionInVendorFeed(
    vendor_id: number,
    paykey: string,
    reader: Reader,
  ): Promise<{ readonly revision: number; readonly position: FeedPosition | null }> {
    const [row] = await reader.rows<[number, string | null, number | null]>(
      POSITION_IN_VENDOR_FEED,
      [paykey, vendor_id],
    );
    const [revision, sale_date, arrival] = row ?? [0, null, null];
    const isThere = sale_date !== null && arrival !== null;
    return { revision, position: isThere ? { sale_date, arrival } : null };
  }

  /** Where a transaction stands in the feed of its affiliate. */
  async positionInAffiliateFeed(
    affiliate_id: number,
    paykey: string,
  ): Promise<FeedPosition | null> {
    const [row] = await this.database.rows<[string, number]>(
      'SELECT sale_date, arrival FROM transactions WHERE transaction_id = ? AND affiliate_id = ?',
      [paykey, affiliate_id],
    );
    return row === undefined ? null : { sale_date: row[0], arrival: row[1] };
  }
}

async function readFeed(
  reader: Reader,
  sql: string,
  values: readonly SqlValue[],
): Promise<FeedAtRevision> {
  const rows = await reader.rows<Row>(sql, values);
  // A join promises no order: 100 rows at most are put in theirs here.
  rows.sort((left, right) =>
    left[2] === right[2] ? left[0] - right[0] : left[2] < right[2] ? -1 : 1,
  );
  return { revision: rows[0]?.[16] ?? 0, transactions: rows.map(feedTransactionOf) };
}

function valuesOf(user_id: number, { sale_date, arrival }: FeedPosition): SqlValue[] {
  return [user_id, user_id, sale_date, arrival, user_id, sale_date];
}

function feedTransactionOf(row: Row): FeedTransaction {
  return {
    transaction_id: row[1],
    sale_date: row[2],
    product_name: row[3],
    product_id: row[4],
    status: row[5],
    amount: row[6],
    customer_email: row[7],
    customer_ip: row[8],
    first_name: row[9],
    last_name: row[10],
    affiliate: row[11] === null ? null : { id: row[11], name: row[12] ?? '' },
    affiliate_payout: row[13],
    affiliate_commission_status: row[14],
    processor_email: row[15],
  };
}
