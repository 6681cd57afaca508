import { DELIVERY_COLUMNS, fieldOf, TAX_FIELDS } from '../../../ledger/columns.js';
import {
  LONG_TEXT,
  TEXT,
  textProblem,
  type TextRule,
  TRACKING_TEXT,
} from '../../../ledger/files/text-rule.js';
import {
  MAX_PAYOUT_ITEMS,
  PAYOUT_ITEM_TEXTS,
  type TransactionRecord,
} from '../../../ledger/records/transaction.record.js';
import {
  type WrittenRecord,
  writtenTransaction,
} from '../../../ledger/records/written-transaction.js';
import { isRecord } from '../../../platform/values/is-record.js';
import { CENTS, MILLIONTHS } from '../../../platform/values/money.js';
import { recordOf } from '../../../platform/values/record-of.js';
import { anotherThing } from '../client/upstream-answer.js';
import type { FieldWords } from '../upstreams/upstream.model.js';
import {
  type ConvertedLine,
  decimalIn,
  type FieldChange,
  idIn,
  knownText,
  objectOf,
  SentFields,
} from './sent-fields.model.js';

const ZERO = '0.00';

/**
 * Converts a stored sale and its details of version 2.1 to a line of a ledger file. Fields that
 * cannot be read stay as they are stored.
 * @param pre_keys keys of the stored subscriptions, because the sale can name no other
 */
export function detailedLine(
  stored: TransactionRecord,
  detail: WrittenRecord,
  { processor }: FieldWords,
  pre_keys: ReadonlySet<string>,
): ConvertedLine {
  const fields = new SentFields(detail);
  const { customer, taxes, shipping_fee, delivery, payout_items, ...sale } =
    writtenTransaction(stored);
  const ofProcessor = fields.text(`${processor}_email`);
  const line = {
    ...sale,
    pre_key: preKeyIn(fields, pre_keys),
    customer: {
      ...customer,
      ip: textOf(fields, 'customer_ip', customer.ip),
      phone: textOf(fields, 'customer_phone', customer.phone),
      processor_email: processorEmail(ofProcessor, customer),
    },
    taxes: recordOf(TAX_FIELDS, (field) => amountUnlessZero(fields, field, CENTS, taxes[field])),
    shipping_fee: amountUnlessZero(fields, 'shipping_fee', MILLIONTHS, shipping_fee),
    delivery: Object.fromEntries(
      DELIVERY_COLUMNS.map((column) => {
        const name = fieldOf(column);
        return [name, textOf(fields, column, delivery[name] ?? null)];
      }),
    ),
    payout_items: payoutItemsIn(fields, payout_items),
  };
  return { line, changes: fields.changes };
}

/**
 * Returns the details of a sale after checking that it belongs to this vendor. Some services do not
 * name the vendor; then the details count as this vendor's, whose key requested them.
 * @throws UpstreamError if they name another vendor
 */
export function ownDetail(found: unknown, vendor: number): WrittenRecord {
  const detail = objectOf(found);
  const named = idIn(detail.vendor_id);
  if (named === null || named === vendor) return detail;
  throw anotherThing("vendor's sale");
}

/**
 * Returns the key of the subscription that a sale names, or null if the key cannot be stored. A key
 * is never changed.
 */
export function preKeyOf({ pre_key }: WrittenRecord): string | null {
  const text = typeof pre_key === 'number' ? String(pre_key) : pre_key;
  const isKey = typeof text === 'string' && text !== '' && textProblem(text, TEXT) === null;
  return isKey ? text : null;
}

function preKeyIn(fields: SentFields, known: ReadonlySet<string>): string | null {
  const sent = fields.present('pre_key');
  const pre_key = preKeyOf({ pre_key: sent });
  if (pre_key !== null && known.has(pre_key)) return pre_key;
  if (sent !== null && sent !== '') {
    fields.change(
      'pre_key',
      'its recurring payment is not stored, so the sale is stored without it',
    );
  }
  return null;
}

function textOf(fields: SentFields, name: string, before: string | null): string | null {
  const text = fields.text(name);
  return text === undefined ? before : knownText(text);
}

type CustomerEmails = ReturnType<typeof writtenTransaction>['customer'];

/**
 * Returns the customer's e-mail at the payment processor. The API shows the customer's own e-mail
 * if no other is known, so an equal one becomes null. An empty one is known to be empty.
 */
function processorEmail(
  sent: string | null | undefined,
  { email, processor_email }: CustomerEmails,
): string | null {
  if (sent === undefined) return processor_email;
  return sent === email ? null : sent;
}

/** Returns the amount, or null if it is zero: the API shows zero if the amount is unknown. */
function amountUnlessZero(
  fields: SentFields,
  name: string,
  places: number,
  before: string | null,
): string | null {
  const amount = fields.decimal(name, places);
  if (amount === undefined) return before;
  return amount === null || Number(amount) === 0 ? null : amount;
}

function payoutItemsIn(fields: SentFields, before: readonly object[]): readonly object[] {
  const items = fields.present('transactionPayouts');
  if (items === null || items === '') return [];
  if (!Array.isArray(items) || items.length > MAX_PAYOUT_ITEMS) {
    fields.unreadable('payout_items');
    return before;
  }
  return items.flatMap((item: unknown) => {
    if (isRecord(item)) return payoutItemIn(item, fields.changes);
    fields.change('payout_items', 'an item cannot be read and is left out');
    return [];
  });
}

/** Converts a payout item. An item whose amount or payee cannot be read is left out. */
function payoutItemIn(item: WrittenRecord, changes: FieldChange[]): object[] {
  const fields = new SentFields(item, changes, 'payout_items.');
  const payee_amount = fields.decimal('payee_amount');
  const payee_user_id = fields.integer('payee_user_id', 0, Number.MAX_SAFE_INTEGER);
  if (payee_amount === undefined || payee_user_id === undefined) return [];
  const texts = recordOf(PAYOUT_ITEM_TEXTS, (name) => fields.text(name) ?? '');
  if (payee_amount === null) fields.change('payee_amount', `is missing, so it is ${ZERO}`);
  return [{ ...texts, payee_amount: payee_amount ?? ZERO, payee_user_id: payee_user_id ?? 0 }];
}

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
