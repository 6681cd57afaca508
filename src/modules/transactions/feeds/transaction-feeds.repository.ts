import { Injectable } from '@nestjs/common';
import { Database, type Reader } from '../../../database/database.js';
import { columnsOf } from '../../../database/named-rows.js';
import { byListOrder, isRowOf, REVISION } from '../transaction-row.model.js';
import type { LedgerPosition } from '../transaction.model.js';
import { FEED_COLUMNS, FEED_SIZE, type FeedTransaction } from './transaction-feed.model.js';

const SELECTED = `SELECT ${REVISION}, ${columnsOf('t', FEED_COLUMNS)},
    COALESCE(a.display_name, a.name) AS affiliate_name,
    COALESCE(t.customer_processor_email, t.customer_email) AS processor_email`;
const AFFILIATE = 'LEFT JOIN users a ON a.id = t.affiliate_id';

const SINGLE = `${SELECTED} FROM transactions t ${AFFILIATE}
  WHERE t.vendor_id = ? AND t.transaction_id = ?`;

const IN_ORDER_OF = {
  vendor_id: 'transactions_by_sale',
  affiliate_id: 'transactions_by_affiliate',
} as const;

/**
 * Two ranges of one index, each read from where the last call ended, so the cost does not grow with the
 * depth: the rest of the second where it ended, then all later sales. Written as one range with an OR,
 * MariaDB reads the index from the user's first sale when it runs the prepared statement again. The
 * index is named because choosing it took over 50 ms in 193 of 3,189 runs of 8 concurrent callers
 * (docs/benchmarks.md, `feed`). To SQLite the hint is a comment. Only the rows of the response are read
 * whole.
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
    ) next JOIN transactions t ON ${isRowOf('next')} ${AFFILIATE}`;
}
const OF_VENDOR = feedOf('vendor_id');
const OF_AFFILIATE = feedOf('affiliate_id');

/** Revision and position from one snapshot. A vendor without a revision has no transactions. */
const POSITION_IN_VENDOR_FEED = `SELECT l.revision, t.sale_date, t.arrival
  FROM ledger_revisions l
    LEFT JOIN transactions t ON t.vendor_id = l.vendor_id AND t.transaction_id = ?
  WHERE l.vendor_id = ?`;

/** Before every possible transaction. */
const BEGINNING: LedgerPosition = { sale_date: '1000-01-01 00:00:00', arrival: 0 };

const NOT_FOUND = { revision: 0, sale_date: null, arrival: null } as const;

/** The reads of the 2.0 summaries and feeds. */
@Injectable()
export class TransactionFeedsRepository {
  constructor(private readonly database: Database) {}

  /** Null if there is no such transaction, or it belongs to another vendor. */
  async transactionOf(
    vendor_id: number,
    paykey: string,
    reader: Reader,
  ): Promise<FeedTransaction | null> {
    const values = [vendor_id, vendor_id, paykey];
    const [transaction = null] = await reader.select<FeedTransaction>(SINGLE, values);
    return transaction;
  }

  /** The vendor's transactions after a position, or from the first on if it is null; oldest first. */
  transactionsOfVendor(
    vendor_id: number,
    after: LedgerPosition | null,
    reader: Reader,
  ): Promise<FeedTransaction[]> {
    return readFeed(reader, OF_VENDOR, vendor_id, after ?? BEGINNING);
  }

  /** The transactions that an affiliate made after a position, oldest first. */
  transactionsOfAffiliate(affiliate_id: number, after: LedgerPosition): Promise<FeedTransaction[]> {
    return readFeed(this.database, OF_AFFILIATE, affiliate_id, after);
  }

  /** The position of a transaction in its vendor's feed, and the revision at which it was read. */
  async positionInVendorFeed(
    vendor_id: number,
    paykey: string,
    reader: Reader,
  ): Promise<{ readonly revision: number; readonly position: LedgerPosition | null }> {
    const [row] = await reader.select<
      { readonly revision: number } & (LedgerPosition | Record<keyof LedgerPosition, null>)
    >(POSITION_IN_VENDOR_FEED, [paykey, vendor_id]);
    const { revision, sale_date, arrival } = row ?? NOT_FOUND;
    return { revision, position: sale_date === null ? null : { sale_date, arrival } };
  }

  /** The position of a transaction in its affiliate's feed. */
  async positionInAffiliateFeed(
    affiliate_id: number,
    paykey: string,
  ): Promise<LedgerPosition | null> {
    const [position = null] = await this.database.select<LedgerPosition>(
      'SELECT sale_date, arrival FROM transactions WHERE transaction_id = ? AND affiliate_id = ?',
      [paykey, affiliate_id],
    );
    return position;
  }
}

async function readFeed(
  reader: Reader,
  sql: string,
  user_id: number,
  { sale_date, arrival }: LedgerPosition,
): Promise<FeedTransaction[]> {
  const values = [user_id, user_id, sale_date, arrival, user_id, sale_date];
  const rows = await reader.select<FeedTransaction>(sql, values);
  // A join guarantees no order: the 100 rows at most are sorted here, oldest first.
  return rows.sort((left, right) => byListOrder(right, left));
}
