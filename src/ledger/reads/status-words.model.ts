import type { TransactionStatus } from './transaction.model.js';

type Words = Readonly<Record<TransactionStatus, string>>;

/** Maps the statuses to the words of API 3.0. */
export const STATUS_OF_3 = {
  pending: 'pending',
  completed: 'settled',
  refunded: 'refunded',
  charged_back: 'chargeback',
} as const satisfies Words;

/** Maps the statuses to the words of API 2.1 and 2.0. */
export const STATUS_OF_2 = {
  pending: 'PENDING',
  completed: 'COMPLETED',
  refunded: 'REFUNDED',
  charged_back: 'CHARGEBACK',
} as const satisfies Words;
