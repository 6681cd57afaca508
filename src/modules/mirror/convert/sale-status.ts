import type { TransactionStatus } from '../../transactions/transaction.model.js';

/** Maps each status of a sale to its words, with spaces in place of `_` and `-`. */
const WORDS: Readonly<Record<TransactionStatus, readonly string[]>> = {
  completed: ['settled', 'completed', 'complete', 'paid', 'approved', 'partially refunded'],
  pending: ['pending', 'unpaid', 'on hold', 'processing'],
  refunded: ['refunded'],
  charged_back: ['chargeback', 'charged back'],
};
const STATUSES = new Map(
  Object.entries(WORDS).flatMap(([status, words]) => words.map((word) => [word, status] as const)),
);

/**
 * Returns the status that a word of an upstream means, in any letter case, or null if it means
 * none.
 */
export function saleStatusOf(word: unknown): string | null {
  if (typeof word !== 'string') return null;
  return (
    STATUSES.get(
      word
        .trim()
        .toLowerCase()
        .replaceAll(/[\s_-]+/g, ' '),
    ) ?? null
  );
}
