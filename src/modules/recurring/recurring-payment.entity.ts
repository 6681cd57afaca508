import {
  SHORT_TEXT,
  flag,
  key,
  longText,
  dateTime,
  money,
  optional,
  text,
  wholeNumber,
} from '../../platform/database/entities/columns.js';
import { entityOf, type EntityRow } from '../../platform/database/entities/entity-of.js';
import type { RecurringStatus } from '../../ledger/records/recurring-status.js';

/**
 * Lists the columns whose e-mail address may identify the customer. Each has a folded column, which
 * the database derives (database/spellings.ts).
 */
export const EMAIL_COLUMNS = ['processor_email', 'contact_email', 'sender_email'] as const;

/**
 * Stores a subscription. `vendor_id` repeats the vendor of the product, so that an index covers the
 * lists of a vendor. It is null if an instance of the previous version added the row.
 */
export const RecurringPaymentEntity = entityOf({
  name: 'RecurringPayment',
  tableName: 'recurring_payments',
  columns: {
    pre_key: key(text()),
    id: wholeNumber(),
    product_id: wholeNumber(),
    status: text(32),
    current_payments: wholeNumber(),
    max_number_of_payments: wholeNumber(),
    max_total_of_all_payments: money(),
    max_amount_per_payment: money(),
    // The column is one character longer than the text, because recurring-row.ts may add a mark.
    next_payment: text(SHORT_TEXT + 1),
    processor_email: text(),
    contact_email: text(),
    code: optional(text()),
    price: money(),
    payment_period: wholeNumber(),
    payment_count: wholeNumber(),
    payment_first_payout: money(),
    has_payment_trial: flag(),
    payment_trial_price: money(),
    payment_trial_period: wholeNumber(),
    payment_trial_payout: money(),
    payout: optional(money()),
    current_payments_amount: money(),
    created: dateTime(),
    sender_email: text(),
    last_date: optional(dateTime()),
    next_date: optional(dateTime()),
    ip: text(),
    referrer: longText(),
    tid: optional(longText()),
    vtid: optional(longText()),
    overruled: optional(longText()),
    record_version: optional(wholeNumber()),
    vendor_id: optional(wholeNumber()),
    /** Status word of the ledger; null if it equals the status. */
    status_word: optional(text()),
  },
  indices: [
    {
      name: 'recurring_payments_by_next_date',
      columns: ['vendor_id', 'status', 'next_date', 'pre_key'],
    },
    {
      name: 'recurring_payments_by_created',
      columns: ['vendor_id', 'status', 'created', 'pre_key'],
    },
    { name: 'recurring_payments_by_vendor', columns: ['vendor_id', 'pre_key'] },
    ...EMAIL_COLUMNS.map((column) => ({
      name: `recurring_payments_by_${column}`,
      columns: ['vendor_id', column, 'pre_key'],
    })),
  ],
});
export interface RecurringPaymentRow extends EntityRow<typeof RecurringPaymentEntity> {
  readonly status: RecurringStatus;
}
