import type { RecordFields } from './record-fields.js';
import { LONG_TEXT, TRACKING_TEXT } from './text-rule.js';

const RECURRING_STATUSES = ['ACTIVE', 'CANCELED', 'COMPLETED'] as const;

/** Ledger format: recurring_payment. Money in cents, date-times in UTC. */
export type RecurringPaymentRecord = Readonly<ReturnType<typeof readRecurringPayment>>;

export function readRecurringPayment(fields: RecordFields) {
  const product_id = fields.id('product_id');
  return {
    pre_key: fields.matching('pre_key', /./s, 'text of 1 to 255 characters'),
    id: fields.id('id'),
    product_id,
    status: fields.choice('status', RECURRING_STATUSES),
    current_payments: fields.integer('current_payments'),
    max_number_of_payments: fields.integer('max_number_of_payments'),
    max_total_of_all_payments: fields.money('max_total_of_all_payments'),
    max_amount_per_payment: fields.money('max_amount_per_payment'),
    next_payment: fields.dateTime('next_payment'),
    processor_email: fields.text('processor_email'),
    contact_email: fields.text('contact_email'),
    code: fields.optionalText('code'),
    price: fields.money('price'),
    payment_period: fields.integer('payment_period'),
    payment_count: fields.integer('payment_count'),
    payment_first_payout: fields.money('payment_first_payout'),
    has_payment_trial: fields.flag('has_payment_trial'),
    payment_trial_price: fields.money('payment_trial_price'),
    payment_trial_period: fields.integer('payment_trial_period'),
    payment_trial_payout: fields.money('payment_trial_payout'),
    payout: fields.optionalMoney('payout'),
    current_payments_amount: fields.money('current_payments_amount'),
    created: fields.dateTime('created'),
    sender_email: fields.text('sender_email'),
    last_date: fields.dateTime('last_date'),
    next_date: fields.dateTime('next_date'),
    ip: fields.text('ip'),
    referrer: fields.text('referrer', LONG_TEXT),
    tid: fields.optionalText('tid', TRACKING_TEXT),
    vtid: fields.optionalText('vtid', TRACKING_TEXT),
  };
}
