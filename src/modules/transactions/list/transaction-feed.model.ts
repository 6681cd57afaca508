import { columnsWith } from '../../../ledger/columns.js';
import type { PayoutItemRecord } from '../../../ledger/records/transaction.record.js';
import type { StoredTransaction } from '../../../ledger/reads/transaction.model.js';

/** Maximum number of transactions in a response of a feed. */
export const FEED_SIZE = 100;

/** Number of days before now at which the affiliate feed begins without a `paykey`. */
export const AFFILIATE_FEED_DAYS = 90;

/** Lists the columns that the operations of 2.0 read. */
export const FEED_COLUMNS = ['vendor_id', 'arrival', ...columnsWith({ feed: true })] as const;

/**
 * Describes a transaction as the operations of 2.0 read it, at a revision of the caller's own
 * ledger.
 */
export interface FeedTransaction extends Pick<StoredTransaction, (typeof FEED_COLUMNS)[number]> {
  readonly revision: number;
  /** The display name, or the name if there is none. */
  readonly affiliate_name: string | null;
  /** The customer's e-mail address at the payment processor. */
  readonly processor_email: string;
}

export const DETAIL_COLUMNS = ['vendor_id', ...columnsWith({ detail: true })] as const;

/**
 * Describes a transaction as the details of API 2.1 read it, at a revision of its vendor's ledger.
 */
export interface TransactionDetail extends Pick<
  StoredTransaction,
  (typeof DETAIL_COLUMNS)[number]
> {
  readonly revision: number;
  /** The customer's e-mail address at the payment processor. */
  readonly processor_email: string;
  readonly vendor_name: string;
  readonly vendor_email: string;
  readonly affiliate_id: number | null;
  /** The display name, or the name if there is none. */
  readonly affiliate_name: string | null;
  readonly affiliate_email: string | null;
  readonly payout_items: readonly PayoutItemRecord[];
}
