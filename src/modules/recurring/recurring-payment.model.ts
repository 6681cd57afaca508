export const RECURRING_STATUSES = ['ACTIVE', 'CANCELED', 'COMPLETED'] as const;
export type RecurringStatus = (typeof RECURRING_STATUSES)[number];

/** A recurring payment (interface 2.8). Money in cents, date-times as moments in UTC. */
export interface RecurringPayment {
  readonly pre_key: string;
  readonly id: number;
  readonly product_id: number;
  readonly status: RecurringStatus;
  readonly current_payments: number;
  readonly max_number_of_payments: number;
  readonly max_total_of_all_payments: number;
  readonly max_amount_per_payment: number;
  readonly next_payment: string;
  readonly processor_email: string;
  readonly contact_email: string;
  readonly code: string | null;
  readonly price: number;
  readonly payment_period: number;
  readonly payment_count: number;
  readonly payment_first_payout: number;
  readonly has_payment_trial: boolean;
  readonly payment_trial_price: number;
  readonly payment_trial_period: number;
  readonly payment_trial_payout: number;
  readonly payout: number | null;
  readonly current_payments_amount: number;
  readonly created: string;
  readonly sender_email: string;
  readonly last_date: string;
  readonly next_date: string;
  readonly ip: string;
  readonly referrer: string;
  readonly tid: string | null;
  readonly vtid: string | null;
}

/** What the interface can change of a recurring payment. */
export type PaymentStatus = Pick<RecurringPayment, 'status'>;
