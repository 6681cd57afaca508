import { CENTS } from '../../../platform/values/money.js';
import { LONG_TEXT, TEXT, TRACKING_TEXT, type TextRule } from '../../../ledger/files/text-rule.js';
import { objectOf, decimalIn, idIn, SentFields, type ConvertedLine } from './sent-fields.model.js';
import type { FieldWords } from '../upstreams/upstream.model.js';
import { preKeyOf } from './detail-line.js';

const ZERO = '0.00';

/**
 * Converts a subscription of version 2.0 to a line of a ledger file. An unreadable id, product or
 * amount stays as it was sent, so that the check of the line rejects it. No other field prevents
 * the subscription from being stored.
 */
export function paymentLine(item: unknown, { processor }: FieldWords): ConvertedLine {
  const payment = objectOf(item);
  const { id, product_id, price, preKey } = payment;
  const processor_email = payment[`${processor}_email`];
  const fields = new PaymentFields({ ...payment, processor_email });
  const line = {
    type: 'recurring_payment',
    pre_key: preKeyOf({ pre_key: preKey }) ?? preKey,
    id: idIn(id) ?? id,
    product_id: idIn(product_id) ?? product_id,
    status: fields.textOrEmpty('status'),
    current_payments: fields.count('current_payments'),
    max_number_of_payments: fields.count('max_number_of_payments'),
    max_total_of_all_payments: fields.amount('max_total_of_all_payments'),
    max_amount_per_payment: fields.amount('max_amount_per_payment'),
    next_payment: fields.textOrEmpty('next_payment'),
    processor_email: fields.emailOrEmpty('processor_email'),
    contact_email: fields.emailOrEmpty('contact_email'),
    code: fields.textOrNull('code'),
    price: decimalIn(price, CENTS) ?? price,
    payment_period: fields.count('payment_period'),
    payment_count: fields.count('payment_count'),
    payment_first_payout: fields.amount('payment_first_payout'),
    has_payment_trial: fields.flag('has_payment_trial') ?? false,
    payment_trial_price: fields.amount('payment_trial_price'),
    payment_trial_period: fields.count('payment_trial_period'),
    payment_trial_payout: fields.amount('payment_trial_payout'),
    payout: fields.optionalAmount('payout'),
    current_payments_amount: fields.amount('current_payments_amount'),
    created: fields.created(),
    sender_email: fields.emailOrEmpty('sender_email'),
    last_date: fields.date('last_date'),
    next_date: fields.date('next_date'),
    ip: fields.textOrEmpty('ip'),
    referrer: fields.textOrEmpty('referrer', LONG_TEXT),
    tid: fields.textOrNull('tid', TRACKING_TEXT),
    vtid: fields.textOrNull('vtid', TRACKING_TEXT),
  };
  return { line, changes: fields.changes };
}

/** Reads the fields of a subscription. A field that cannot be read is empty, 0, false or null. */
class PaymentFields extends SentFields {
  textOrEmpty(name: string, rule: TextRule = TEXT): string {
    return this.fittedText(name, rule) ?? '';
  }

  textOrNull(name: string, rule: TextRule = TEXT): string | null {
    return this.fittedText(name, rule) ?? null;
  }

  emailOrEmpty(name: string): string {
    return this.email(name, TEXT) ?? '';
  }

  count(name: string): number {
    return this.integer(name, 0, Number.MAX_SAFE_INTEGER) ?? 0;
  }

  /**
   * Returns an amount, which is zero if it is missing. An amount that cannot be read stays as it
   * was sent, so that the check rejects it.
   */
  amount(name: string): unknown {
    const amount = this.optionalAmount(name);
    if (amount === null) this.change(name, `is missing, so it is ${ZERO}`);
    return amount ?? ZERO;
  }

  optionalAmount(name: string): unknown {
    const amount = this.decimal(name);
    return amount === undefined ? this.present(name) : amount;
  }

  override unreadable(name: string): void {
    this.change(name, 'cannot be read, so it is left empty');
  }
}
