import { type RecurringStatus, recurringStatusOf } from '../../ledger/records/recurring-status.js';
import {
  dateTime,
  flag,
  key,
  longText,
  money,
  optional,
  SHORT_TEXT,
  text,
  wholeNumber,
} from '../../platform/database/entities/columns.js';
import { entityOf, type EntityRow } from '../../platform/database/entities/entity-of.js';
import { formatDateTime, parseDateTime } from '../../platform/values/time.js';
import type { PaymentStatus, RecurringPayment, SavedPayment } from './recurring-payment.model.js';

/**
 * Lists the columns whose e-mail address may identify the customer. Each has a folded column, which
 * the database derives (src/platform/database/entities/spellings.ts).
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
    // The column is one character longer than the text, because `storedNextPayment` may add a mark.
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
    {
      name: 'recurring_payments_by_product_next_date',
      columns: ['vendor_id', 'product_id', 'status', 'next_date', 'pre_key'],
    },
    {
      name: 'recurring_payments_by_product_created',
      columns: ['vendor_id', 'product_id', 'status', 'created', 'pre_key'],
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

const STORED_DATE_TIME = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/;
/**
 * Precedes a stored text that is not a date-time but looks like one, or that begins with this mark.
 */
const TEXT_MARK = "'";

/** Converts a row to a subscription, without the columns that no response shows. */
export function paymentOf({
  overruled: _,
  record_version: __,
  vendor_id: ___,
  status_word,
  ...row
}: RecurringPaymentRow): RecurringPayment {
  return {
    ...row,
    status: status_word ?? row.status,
    next_payment: shownNextPayment(row.next_payment),
    has_payment_trial: row.has_payment_trial === 1,
  };
}

export function rowOf({ content, vendor_id }: SavedPayment) {
  return {
    ...content,
    ...statusColumns(content),
    next_payment: storedNextPayment(content.next_payment),
    has_payment_trial: Number(content.has_payment_trial),
    vendor_id,
  };
}

export function statusColumns({
  status: word,
}: PaymentStatus): Pick<RecurringPaymentRow, 'status' | 'status_word'> {
  const status = recurringStatusOf(word);
  return { status, status_word: word === status ? null : word };
}

/**
 * Converts a date-time to the stored form of all others. It keeps other text as it is, with a mark
 * if the text is ambiguous.
 */
function storedNextPayment(text: string): string {
  const isMarked = STORED_DATE_TIME.test(text) || text.startsWith(TEXT_MARK);
  return parseDateTime(text) ?? (isMarked ? TEXT_MARK + text : text);
}

function shownNextPayment(stored: string): string {
  if (STORED_DATE_TIME.test(stored)) return formatDateTime(stored);
  return stored.startsWith(TEXT_MARK) ? stored.slice(TEXT_MARK.length) : stored;
}

/**
 * Stores a cancellation that the payment processor has neither accepted nor rejected yet. The
 * holder of its lease sends it to the processor. An expired lease has no effect.
 */
export const RecurringCancelEntity = entityOf({
  name: 'RecurringCancel',
  tableName: 'recurring_cancels',
  columns: {
    pre_key: key(text()),
    claim: text(36),
    claim_ends: { ...dateTime(), name: 'ends' },
    /** Key that is identical for each attempt. */
    idempotency_key: { ...text(36), default: '' },
    user_id: { ...wholeNumber(), default: 0 },
    application_id: { ...wholeNumber(), default: 0 },
    /** Time of the request. Null if an instance of the previous version took the lease. */
    asked: optional(dateTime()),
    /** Number of attempts that ended with an unknown outcome. */
    tries: { ...wholeNumber(), default: 0 },
    /** Time of the next attempt; null until the first outcome. */
    next_try: optional(dateTime()),
  },
});

export type RecurringCancelRow = EntityRow<typeof RecurringCancelEntity>;
