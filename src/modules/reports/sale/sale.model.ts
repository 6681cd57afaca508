import { COLUMN_NAMES } from '../../../ledger/columns.js';
import type { PayoutItemRecord } from '../../../ledger/records/transaction.record.js';
import type { SubscriptionPayments } from '../../transactions/index.js';
import type { StoredTransaction } from '../../../ledger/reads/transaction.model.js';
import type { AffiliateTransaction } from '../lists/report-list.model.js';

/** Maximum number of payout items of a sale that are shown. */
export const MAX_ITEMS = 100;

/** All columns that a ledger record fills, and the key. */
export const SALE_COLUMNS = ['vendor_id', 'arrival', ...COLUMN_NAMES] as const;

/** A transaction as its vendor sees it. Money is in cents. */
export interface VendorSale extends Pick<StoredTransaction, (typeof SALE_COLUMNS)[number]> {
  /** Display name of the affiliate, or the name if there is none. */
  readonly affiliate_name: string | null;
  /** First MAX_ITEMS payout items. */
  readonly payout_items: readonly PayoutItemRecord[];
  readonly payout_item_count: number;
  /** Payments of the sale's subscription; null if it belongs to none. */
  readonly subscription: SubscriptionPayments | null;
}

/** One transaction of a user: a sale of their product, or one that they made as an affiliate. */
export type ShownSale =
  | { readonly role: 'vendor'; readonly sale: VendorSale }
  | { readonly role: 'affiliate'; readonly sale: AffiliateTransaction };
