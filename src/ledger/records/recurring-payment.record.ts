import { formatDateTime, parseDateTime } from '../../platform/values/time.js';
import type { RecordFields } from './record-fields.js';
import { recurringStatusOf } from './recurring-status.js';
import { LONG_TEXT, TRACKING_TEXT } from '../files/text-rule.js';

/**
 * Describes a subscription, as in a record of type `recurring_payment` (docs/ledger-file.md). Money
 * is in cents, date-times are in UTC. `status` is the word of the file (see recurring-status.ts).
 * `last_date` and `next_date` are null if they are unknown.
 */
export type RecurringPaymentRecord = Readonly<ReturnType<typeof readRecurringPayment>>;

export function readRecurringPayment(fields: RecordFields) {
  const product_id = fields.id('product_id');
  const status = fields.text('status');
  // Some services send an empty or a zero date once a subscription has ended.
  const empty = recurringStatusOf(status) === 'ACTIVE' ? 'fault' : 'null';
  return {
    pre_key: fields.matching('pre_key', /./s, 'text of 1 to 255 characters'),
    id: fields.id('id'),
    product_id,
    status,
    current_payments: fields.integer('current_payments'),
    max_number_of_payments: fields.integer('max_number_of_payments'),
    max_total_of_all_payments: fields.money('max_total_of_all_payments'),
    max_amount_per_payment: fields.money('max_amount_per_payment'),
    next_payment: nextPaymentOf(fields.text('next_payment')),
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
    last_date: fields.optionalDateTime('last_date', empty),
    next_date: fields.optionalDateTime('next_date', empty),
    ip: fields.text('ip'),
    referrer: fields.text('referrer', LONG_TEXT),
    tid: fields.optionalText('tid', TRACKING_TEXT),
    vtid: fields.optionalText('vtid', TRACKING_TEXT),
  };
}

/**
 * Converts a date-time to UTC and leaves any other text as it is. Services send a date-time or an
 * amount in this field.
 */
function nextPaymentOf(text: string): string {
  const at = parseDateTime(text);
  return at === null ? text : formatDateTime(at);
}
