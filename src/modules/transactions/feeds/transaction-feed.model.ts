import type { Party } from '../detail/transaction-detail.model.js';
import type { CommissionStatus, TransactionStatus } from '../transaction.model.js';

/** Interface 8: the most items that one call of a feed answers. */
export const FEED_SIZE = 100;

/** Interface 8: how far the affiliate feed reaches back where it is given no starting point. */
export const AFFILIATE_FEED_DAYS = 90;

/** A transaction as the 2.0 operations show it. Money in cents, date-times as moments in UTC. */
export interface FeedTransaction {
  readonly transaction_id: string;
  readonly sale_date: string;
  readonly product_name: string;
  readonly product_id: number;
  readonly status: TransactionStatus;
  readonly amount: number;
  readonly customer_email: string;
  readonly customer_ip: string | null;
  readonly first_name: string;
  readonly last_name: string;
  readonly affiliate: Pick<Party, 'id' | 'name'> | null;
  readonly affiliate_payout: number;
  readonly affiliate_commission_status: CommissionStatus;
  /** The customer's at the payment processor. */
  readonly processor_email: string;
}
