import type { ListedTransaction } from '../rendered/listed-transaction.model.js';
import type { ListCriteria, Transaction } from '../transaction.model.js';

/** A vendor's transactions that were sold in a range of whole days. */
export interface WalkCriteria extends Omit<ListCriteria, 'page'> {
  /** True for those, too, that were refunded in it, as in the list of 3.0. */
  readonly withRefunds: boolean;
}

/** The next rows of one part of a list: after a transaction, back to the day `from`. */
export interface WalkStep {
  readonly vendor_id: number;
  readonly isMasked: boolean;
  readonly from: string;
  readonly after: { readonly sale_date: string; readonly arrival: number };
  /** Only what was refunded on these days; null for all sales. */
  readonly refunded: { readonly from: string; readonly to: string } | null;
  readonly take: number;
}

/** A whole list, in its order, as of one state of the ledger. */
export interface WalkedTransactions {
  /** In batches. */
  listed(): AsyncGenerator<readonly ListedTransaction[]>;
  columns(): AsyncGenerator<readonly Transaction[]>;
}

export interface TransactionWalk extends WalkedTransactions {
  readonly count: number;
}
