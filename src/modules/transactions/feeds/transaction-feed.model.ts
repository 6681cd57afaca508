import type { StoredTransaction } from '../transaction.model.js';

/** Interface 8: the most transactions in one feed response. */
export const FEED_SIZE = 100;

/** Interface 8: how many days back the affiliate feed begins without a paykey. */
export const AFFILIATE_FEED_DAYS = 90;

/** The columns that the 2.0 operations read. */
export const FEED_COLUMNS = [
  ...([
    'vendor_id',
    'arrival',
    'transaction_id',
    'sale_date',
    'product_name',
    'product_id',
    'status',
  ] as const),
  ...(['amount', 'customer_email', 'customer_ip', 'customer_first_name'] as const),
  ...(['customer_last_name', 'affiliate_id', 'affiliate_payout'] as const),
  'affiliate_commission_status',
] as const satisfies readonly (keyof StoredTransaction)[];

/** A transaction as the 2.0 operations read it, at a revision of the caller's own ledger. */
export interface FeedTransaction extends Pick<StoredTransaction, (typeof FEED_COLUMNS)[number]> {
  readonly revision: number;
  /** The display name, or the name if there is none (decisions: Values). */
  readonly affiliate_name: string | null;
  /** The customer's e-mail address at the payment processor. */
  readonly processor_email: string;
}
