import type { StoredTransaction } from '../transaction.model.js';

/** So many payments of an agreement are shown at once. */
export const MAX_PAYMENTS = 50;
/** Payments that are not shown are counted up to this number. */
export const MAX_COUNTED = 500;

export const PAYMENT_COLUMNS = [
  ...(['transaction_id', 'sale_date', 'vendor_id', 'arrival'] as const),
  ...(['amount', 'status', 'refund_date', 'refund_amount'] as const),
] as const satisfies readonly (keyof StoredTransaction)[];

/** A transaction of an agreement: one with its `pre_key`. Money in cents. */
export type AgreementPayment = Pick<StoredTransaction, (typeof PAYMENT_COLUMNS)[number]>;

/** One payment, and those before and after it. */
export interface AgreementPayments {
  /** At most MAX_PAYMENTS, oldest first. */
  readonly payments: readonly AgreementPayment[];
  /** How many there are before the first of them, and after the last; MAX_COUNTED if there are as many or more. */
  readonly earlier: number;
  readonly later: number;
}

/** Which payments of an agreement: those up to a place and including it, or those after it. */
export interface PaymentsRange {
  readonly vendor_id: number;
  readonly pre_key: string;
  readonly place: Pick<StoredTransaction, 'sale_date' | 'arrival'>;
  readonly side: 'until' | 'after';
}
