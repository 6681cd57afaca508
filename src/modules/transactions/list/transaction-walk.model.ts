import type { ListedTransaction } from '../../../ledger/reads/rendered-transaction.model.js';
import type { ListCriteria, Transaction } from '../../../ledger/reads/transaction.model.js';

/** Selects a vendor's transactions that were sold in a range of whole days. */
export interface WalkCriteria extends Omit<ListCriteria, 'page'> {
  /** True to include transactions that were refunded in the range, as in the list of 3.0. */
  readonly withRefunds: boolean;
}

/**
 * Selects the next rows of one part of a list: those after a transaction, back to the day `from`.
 */
export interface WalkStep {
  readonly vendor_id: number;
  readonly isMasked: boolean;
  readonly from: string;
  readonly after: { readonly sale_date: string; readonly arrival: number };
  /** Includes only refunds of these days; null includes all sales. */
  readonly refunded: { readonly from: string; readonly to: string } | null;
  readonly take: number;
}

/** Provides a whole list, in its order, from one state of the ledger. */
export interface WalkedTransactions {
  /** Yields the transactions in batches. */
  listed(): AsyncGenerator<readonly ListedTransaction[]>;
  columns(): AsyncGenerator<readonly Transaction[]>;
}

export interface TransactionWalk extends WalkedTransactions {
  readonly count: number;
}
