import type { StoredTransaction } from '../../ledger/reads/transaction.model.js';

/** Maximum number of payments of a subscription that are shown at once. */
export const MAX_PAYMENTS = 50;
/** Payments that are not shown are counted up to this number. */
export const MAX_COUNTED = 500;

export const PAYMENT_COLUMNS = [
  'transaction_id',
  'sale_date',
  'vendor_id',
  'arrival',
  'amount',
  'status',
  'refund_date',
  'refund_amount',
] as const satisfies readonly (keyof StoredTransaction)[];

/** Describes a payment of a subscription: a transaction with its `pre_key`. Money is in cents. */
export type SubscriptionPayment = Pick<StoredTransaction, (typeof PAYMENT_COLUMNS)[number]>;

/** Contains payments of a subscription around one of them. */
export interface SubscriptionPayments {
  /** At most MAX_PAYMENTS payments, oldest first. */
  readonly payments: readonly SubscriptionPayment[];
  /**
   * The numbers of payments before the first and after the last of them. MAX_COUNTED means that
   * many or more.
   */
  readonly earlier: number;
  readonly later: number;
}

/** Selects payments of a subscription: those up to and including a place, or those after it. */
export interface PaymentsRange {
  readonly vendor_id: number;
  readonly pre_key: string;
  readonly place: Pick<StoredTransaction, 'sale_date' | 'arrival'>;
  readonly side: 'until' | 'after';
}
