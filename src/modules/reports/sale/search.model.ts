import { columnsWith } from '../../../ledger/columns.js';
import type { StoredTransaction } from '../../../ledger/reads/transaction.model.js';
import type { Viewer } from '../report.model.js';

/**
 * Minimum number of characters for a search by beginning; a shorter text finds only a whole
 * transaction id.
 */
export const MIN_SEARCHED = 3;
/** In characters. No transaction id or e-mail address is longer. */
export const MAX_SEARCHED = 255;

export interface SearchRequest {
  readonly viewer: Viewer;
  /** Up to MAX_SEARCHED characters. */
  readonly text: string;
  /** A cursor of another page, or null for the first page. */
  readonly cursor: string | null;
}

export const FOUND_COLUMNS = ['vendor_id', 'arrival', ...columnsWith({ search: true })] as const;

/** A sale that was found. Money is in cents. An affiliate must not see the customer. */
export type FoundSale = Pick<StoredTransaction, (typeof FOUND_COLUMNS)[number]>;

/**
 * Position of a sale in the order of transaction ids, or in that of e-mail addresses, newest first
 * within each.
 */
export type SaleKey = Pick<FoundSale, 'vendor_id' | 'arrival'>;
export type EmailKey = SaleKey & Pick<FoundSale, 'customer_email' | 'sale_date'>;

/** One page. Sales found by transaction id come before those found by e-mail address. */
export interface SearchPage {
  readonly byId: readonly FoundSale[];
  readonly byEmail: readonly FoundSale[];
  /** True if so many ids of the ledger begin with the text that not all were read. */
  readonly hasMoreIds: boolean;
  /**
   * Null on the last page. A page ends early, perhaps without a sale, if the search reaches its
   * limit of reads.
   */
  readonly next: string | null;
}
