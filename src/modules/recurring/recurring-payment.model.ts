import { formatCents } from '../../platform/values/money.js';
import { formatDateTime } from '../../platform/values/time.js';
import type { RecordChange } from '../../ledger/records/overruled-fields.js';
import type { RecurringPaymentRecord } from '../../ledger/records/recurring-payment.record.js';

/** Describes a subscription, as a ledger file contains it. */
export type RecurringPayment = RecurringPaymentRecord;

/** Contains the part of a subscription that the API can change. */
export type PaymentStatus = Pick<RecurringPayment, 'status'>;

/** Contains the key of a subscription and its status, which shows whether it has ended. */
export type PaymentState = Pick<RecurringPayment, 'pre_key' | 'status'>;

/** Returns the subject of the audit entries on a subscription. */
export function subscriptionSubject({ id }: Pick<RecurringPayment, 'id'>): string {
  return `recurring payment ${id}`;
}

/** Describes a subscription to be saved, with the vendor of its product. */
export interface SavedPayment extends RecordChange<RecurringPayment> {
  readonly vendor_id: number;
}

/** Returns a subscription as a recurring payment of API 2.0. */
export function presentRecurringPayment(payment: RecurringPayment) {
  return {
    id: payment.id,
    status: payment.status,
    current_payments: payment.current_payments,
    max_number_of_payments: payment.max_number_of_payments,
    max_total_of_all_payments: formatCents(payment.max_total_of_all_payments),
    max_amount_per_payment: formatCents(payment.max_amount_per_payment),
    next_payment: payment.next_payment,
    processor_email: payment.processor_email,
    contact_email: payment.contact_email,
    code: payment.code,
    price: formatCents(payment.price),
    payment_period: payment.payment_period,
    payment_count: payment.payment_count,
    payment_first_payout: formatCents(payment.payment_first_payout),
    has_payment_trial: payment.has_payment_trial,
    payment_trial_price: formatCents(payment.payment_trial_price),
    payment_trial_period: payment.payment_trial_period,
    payment_trial_payout: formatCents(payment.payment_trial_payout),
    payout: payment.payout === null ? null : formatCents(payment.payout),
    current_payments_amount: formatCents(payment.current_payments_amount),
    created: formatDateTime(payment.created),
    preKey: payment.pre_key,
    sender_email: payment.sender_email,
    last_date: payment.last_date === null ? null : formatDateTime(payment.last_date),
    next_date: payment.next_date === null ? null : formatDateTime(payment.next_date),
    ip: payment.ip,
    referrer: payment.referrer,
    tid: payment.tid,
    vtid: payment.vtid,
    product_id: payment.product_id,
  };
}
