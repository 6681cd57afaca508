import type { StoredTransaction } from '../../transactions/transaction.model.js';
import type { Viewer } from '../report.model.js';

/** With fewer characters, only a whole transaction id is found. */
export const MIN_SEARCHED = 3;
/** In characters. No id and no e-mail is longer. */
export const MAX_SEARCHED = 255;

export interface SearchRequest {
  readonly viewer: Viewer;
  /** Up to MAX_SEARCHED characters. */
  readonly text: string;
  /** A cursor of another page, or null for the first page. */
  readonly cursor: string | null;
}

export const FOUND_COLUMNS = [
  ...(['vendor_id', 'arrival', 'transaction_id', 'sale_date', 'product_name'] as const),
  ...(['amount', 'status', 'customer_email', 'customer_first_name'] as const),
  'customer_last_name',
] as const satisfies readonly (keyof StoredTransaction)[];

/** A sale that was found. Money in cents. An affiliate must not see the customer. */
export type FoundSale = Pick<StoredTransaction, (typeof FOUND_COLUMNS)[number]>;

/** Where a sale is found: in the order of ids, or in that of e-mails, newest first within each. */
export type SaleKey = Pick<FoundSale, 'vendor_id' | 'arrival'>;
export type EmailKey = SaleKey & Pick<FoundSale, 'customer_email' | 'sale_date'>;

/** One page: what has such an id comes before what has such an e-mail. */
export interface SearchPage {
  readonly byId: readonly FoundSale[];
  readonly byEmail: readonly FoundSale[];
  /** True if so many ids of the ledger begin like this that not all were looked at. */
  readonly hasMoreIds: boolean;
  /** Null on the last page. A page that has looked through enough ends early, perhaps without a sale. */
  readonly next: string | null;
}
