import type { RecurringPayment } from '../recurring-payment.model.js';

/** The number of recurring payments, and the total of their prices in cents. */
export const RECURRING_SUMS = ['agreements', 'amount'] as const;
export type RecurringSum = (typeof RECURRING_SUMS)[number];

/** The day in the sums of payments whose next date is unknown. It is never due. */
export const NO_DAY = '9999-12-31';

/** What the sums count of a recurring payment. */
export type CountedPayment = Pick<RecurringPayment, 'status' | 'next_date' | 'price'>;

/** A recurring payment that leaves a vendor's sums (-1) or enters them (1). */
export interface SignedPayment {
  readonly vendor_id: number;
  readonly payment: CountedPayment;
  readonly sign: 1 | -1;
}
