import { Injectable } from '@nestjs/common';
import { Database, type Reader, type SqlValue } from '../../../database/database.js';
import { columnsOf } from '../../../database/named-rows.js';
import {
  byListOrder,
  isRowOf,
  REVISION,
  type StoredTransaction,
} from '../transaction-row.model.js';
import type { LedgerPosition } from '../transaction.model.js';
import { FEED_SIZE, type FeedTransaction } from './transaction-feed.model.js';

const SHOWN = [
  ...(['arrival', 'transaction_id', 'sale_date', 'product_name', 'product_id', 'status'] as const),
  ...(['amount', 'customer_email', 'customer_ip', 'customer_first_name'] as const),
  ...(['customer_last_name', 'affiliate_id', 'affiliate_payout'] as const),
  'affiliate_commission_status',
] as const satisfies readonly (keyof StoredTransaction)[];

interface Row extends Pick<StoredTransaction, (typeof SHOWN)[number]> {
  readonly revision: number;
  readonly affiliate_name: string | null;
  readonly processor_email: string;
}

const SELECTED = `SELECT ${REVISION}, ${columnsOf('t', SHOWN)},
    COALESCE(a.display_name, a.name) AS affiliate_name,
    COALESCE(t.customer_processor_email, t.customer_email) AS processor_email`;
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
const BEGINNING: LedgerPosition = { sale_date: '1000-01-01 00:00:00', arrival: 0 };

const NOWHERE = { revision: 0, sale_date: null, arrival: null } as const;

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

  /** One transaction of this vendor; null where there is none, or it is another vendor's. */
  async transactionOf(
    vendor_id: number,
    paykey: string,
    reader: Reader,
  ): Promise<FeedAtRevision | null> {
    const found = await readFeed(reader, SINGLE, [vendor_id, vendor_id, paykey]);
    return found.transactions.length === 0 ? null : found;
  }

  /** The vendor's transactions after a position, oldest first; from the oldest on where it is null. */
  transactionsOfVendor(
    vendor_id: number,
    after: LedgerPosition | null,
    reader: Reader,
  ): Promise<FeedAtRevision> {
    return readFeed(reader, OF_VENDOR, valuesOf(vendor_id, after ?? BEGINNING));
  }

  /** The transactions that a user made as an affiliate after a position, oldest first. */
  transactionsOfAffiliate(affiliate_id: number, after: LedgerPosition): Promise<FeedAtRevision> {
    return readFeed(this.database, OF_AFFILIATE, valuesOf(affiliate_id, after));
  }

  /** Where a transaction stands in the feed of its vendor, and at which revision that was so. */
  async positionInVendorFeed(
    vendor_id: number,
    paykey: string,
    reader: Reader,
  ): Promise<{ readonly revision: number; readonly position: LedgerPosition | null }> {
    const [row] = await reader.select<
      { readonly revision: number } & (LedgerPosition | Record<keyof LedgerPosition, null>)
    >(POSITION_IN_VENDOR_FEED, [paykey, vendor_id]);
    const { revision, sale_date, arrival } = row ?? NOWHERE;
    return { revision, position: sale_date === null ? null : { sale_date, arrival } };
  }

  /** Where a transaction stands in the feed of its affiliate. */
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
  values: readonly SqlValue[],
): Promise<FeedAtRevision> {
  const rows = await reader.select<Row>(sql, values);
  // A join promises no order: 100 rows at most are put in theirs here, the oldest first.
  rows.sort((left, right) => byListOrder(right, left));
  return { revision: rows[0]?.revision ?? 0, transactions: rows.map(feedTransactionOf) };
}

function valuesOf(user_id: number, { sale_date, arrival }: LedgerPosition): SqlValue[] {
  return [user_id, user_id, sale_date, arrival, user_id, sale_date];
}

function feedTransactionOf(row: Row): FeedTransaction {
  return {
    transaction_id: row.transaction_id,
    sale_date: row.sale_date,
    product_name: row.product_name,
    product_id: row.product_id,
    status: row.status,
    amount: row.amount,
    customer_email: row.customer_email,
    customer_ip: row.customer_ip,
    first_name: row.customer_first_name,
    last_name: row.customer_last_name,
    affiliate:
      row.affiliate_id === null ? null : { id: row.affiliate_id, name: row.affiliate_name ?? '' },
    affiliate_payout: row.affiliate_payout,
    affiliate_commission_status: row.affiliate_commission_status,
    processor_email: row.processor_email,
  };
}
