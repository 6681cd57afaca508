import type { Transaction } from '../transaction.model.js';
import {
  renderTransaction,
  saleNumberOf,
  type RenderedTransaction,
} from './rendered-transaction.model.js';

/** Describes a transaction of a list, at a revision of its vendor's ledger. */
export interface ListedTransaction {
  readonly revision: number;
  readonly arrival: number;
  /** Bytes of the current form. */
  readonly rendered: RenderedTransaction;
  readonly affiliate_display_name: string | null;
}

export function listedOf(row: Transaction): ListedTransaction {
  const { revision, arrival, affiliate_display_name } = row;
  return { revision, arrival, rendered: renderTransaction(row), affiliate_display_name };
}

/**
 * Compares transactions for the order newest sale first; ties are sorted by arrival, newest first.
 */
export function newestFirst(left: ListedTransaction, right: ListedTransaction): number {
  return saleNumberOf(right.rendered) - saleNumberOf(left.rendered) || right.arrival - left.arrival;
}

/** Returns the sale dates, as `numberOfDateTime` returns them. */
export function soldAt(transactions: readonly ListedTransaction[]): number[] {
  return transactions.map(({ rendered }) => saleNumberOf(rendered));
}
