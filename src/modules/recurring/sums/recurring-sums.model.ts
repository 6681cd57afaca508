import type { RecurringPayment } from '../recurring-payment.model.js';

/** Lists the kept sums: the number of subscriptions, and the total of their prices in cents. */
export const RECURRING_SUMS = ['agreements', 'amount'] as const;
export type RecurringSum = (typeof RECURRING_SUMS)[number];

/** Day in the kept sums for payments whose next date is unknown. It is never due. */
export const NO_DAY = '9999-12-31';

/** Contains the fields of a subscription that the kept sums depend on. */
export type CountedPayment = Pick<RecurringPayment, 'status' | 'next_date' | 'price'>;

/** Describes a subscription that leaves a vendor's kept sums (-1) or enters them (1). */
export interface SignedPayment {
  readonly vendor_id: number;
  readonly payment: CountedPayment;
  readonly sign: 1 | -1;
}
