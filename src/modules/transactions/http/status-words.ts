import type { TransactionStatus } from '../transaction.model.js';

type Words = Readonly<Record<TransactionStatus, string>>;

/** The words of 3.0 for each status (decisions: Values). */
export const STATUS_OF_3: Words = {
  pending: 'pending',
  completed: 'settled',
  refunded: 'refunded',
  charged_back: 'chargeback',
};

/** The words of 2.1 and 2.0. */
export const STATUS_OF_2: Words = {
  pending: 'PENDING',
  completed: 'COMPLETED',
  refunded: 'REFUNDED',
  charged_back: 'CHARGEBACK',
};
