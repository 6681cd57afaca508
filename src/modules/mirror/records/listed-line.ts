import { CENTS, formatDecimal, parseDecimal } from '../../../platform/values/money.js';
import { recordOf } from '../../../platform/values/record-of.js';
import { shownValue } from '../../../platform/values/shown-text.js';
import { parseDateTime } from '../../../platform/values/time.js';
import { isRecord } from '../../../platform/values/is-record.js';
import { PAYOUT_FIELDS, REFUND_IMPACT_FIELDS, TRACKING_FIELDS } from '../../../ledger/columns.js';
import type { TransactionRecord } from '../../../ledger/records/transaction.record.js';
import {
  type WrittenRecord,
  writtenTransaction,
} from '../../../ledger/records/written-transaction.js';
import {
  type ConvertedLine,
  SentFields,
  decimalIn,
  idIn,
  transactionIdIn,
} from './sent-fields.model.js';
import type { FieldWords } from '../upstreams/upstream.model.js';
import type { TransactionStatus } from '../../../ledger/reads/transaction.model.js';
import { NAME_TEXT } from '../../../ledger/files/text-rule.js';

const ZERO = '0.00';
const CUSTOMER_FIELDS = ['email', 'first_name', 'last_name'] as const;

/** Describes the refund of a sale in the form of a ledger file. */
type WrittenRefund = ReturnType<typeof writtenTransaction>['refund'];

/**
 * Converts a sale of the list of version 3.0 to a line of a ledger file. Fields that version 3.0
 * does not show, or that cannot be read, stay as they are stored. An unreadable id, date, product
 * or amount stays as it was sent, so that the check of the line rejects it.
 */
export function listedLine(
  sale: WrittenRecord,
  stored: TransactionRecord | undefined,
  words: FieldWords,
): ConvertedLine {
  const fields = new SentFields(sale);
  const before = stored === undefined ? null : writtenTransaction(stored);
  const { transaction_id, sale_date, product_id, amount } = sale;
  const line = {
    ...before,
    type: 'transaction',
    transaction_id: transactionIdIn(sale) ?? transaction_id,
    sale_date: typeof sale_date === 'string' ? sale_date.trim() : sale_date,
    product_id: idIn(product_id) ?? product_id,
    amount: decimalIn(amount, CENTS) ?? amount,
    product_name: textIn(fields, 'product_name', before?.product_name),
    status: statusIn(fields, before?.status),
    affiliate_id: affiliateIn(fields, sale, before?.affiliate_id),
    customer: { ...before?.customer, ...customerIn(fields, before?.customer) },
    tracking: trackingIn(fields, before?.tracking),
    payouts: payoutsIn(fields, before?.payouts, words),
    refund: refundAfter(fields, sale, refundIn(fields, before?.refund ?? null, words)),
  };
  return { line, changes: fields.changes };
}

/** Returns the id of the affiliate, null if there is none, or undefined if it cannot be read. */
export function affiliateIdIn({ affiliate }: WrittenRecord): number | null | undefined {
  if (affiliate === null || affiliate === undefined || affiliate === '') return null;
  if (!isRecord(affiliate)) return undefined;
  const { id = null, display_name = null } = affiliate;
  const isEmpty = [null, '', 0, '0'].includes(id as null) && (display_name ?? '') === '';
  return isEmpty ? null : (idIn(id) ?? undefined);
}

/** Returns a text, which is empty if it is missing. */
function textIn(fields: SentFields, name: string, before = ''): string {
  const text = fields.text(name);
  return text === undefined ? before : (text ?? '');
}

function statusIn(fields: SentFields, before: string | undefined): string {
  const word = fields.present('status');
  const status = saleStatusOf(word);
  if (status !== null) return status;
  const what = before === undefined ? 'the sale is stored as pending' : 'the sale keeps its status';
  fields.change('status', `${shownValue(word)} is not a known status, so ${what}`);
  return before ?? 'pending';
}

function affiliateIn(fields: SentFields, sale: WrittenRecord, before: number | null = null) {
  const id = affiliateIdIn(sale);
  if (id === undefined) fields.unreadable('affiliate.id');
  return id === undefined ? before : id;
}

type Texts<Field extends string> = Readonly<Record<Field, string | null>>;

function customerIn(
  fields: SentFields,
  before: Readonly<Record<(typeof CUSTOMER_FIELDS)[number], string>> | undefined,
) {
  const customer = fields.within('customer');
  return recordOf(CUSTOMER_FIELDS, (field) =>
    customer ? textIn(customer, field, before?.[field]) : keptOr(customer, before?.[field], ''),
  );
}

function trackingIn(
  fields: SentFields,
  before: Texts<(typeof TRACKING_FIELDS)[number]> | undefined,
) {
  const tracking = fields.within('tracking');
  return recordOf(TRACKING_FIELDS, (field) => {
    const text = tracking ? tracking.text(field) : tracking;
    return keptOr(text, before?.[field], null);
  });
}

function payoutsIn(
  fields: SentFields,
  before: Readonly<Record<(typeof PAYOUT_FIELDS)[number], string>> | undefined,
  { service }: FieldWords,
) {
  const payouts = fields.within('payouts');
  if (payouts === null) fields.change('payouts', `is missing, so each one is ${ZERO}`);
  return recordOf(PAYOUT_FIELDS, (field) => {
    if (!payouts) return keptOr(payouts, before?.[field], ZERO);
    const name = field === 'service_fee' ? `${service}_fee` : field;
    const isMissing = field === 'service_fee' && payouts.isAbsent(name);
    const hint = isMissing ? `. Is ${service} the word of the upstream for service?` : '';
    return amountIn(payouts, name, { before: before?.[field], at: field, hint });
  });
}

interface AmountOptions {
  readonly before: string | undefined;
  /** The name of the field in a ledger file. */
  readonly at: string;
  readonly hint?: string;
}

/** Returns an amount, which is zero if it is missing. */
function amountIn(fields: SentFields, name: string, { before, at, hint = '' }: AmountOptions) {
  const amount = fields.decimal(name, CENTS, at);
  if (amount === undefined) return before ?? ZERO;
  if (amount === null) fields.change(at, `is missing, so it is ${ZERO}${hint}`);
  return amount ?? ZERO;
}

function refundIn(fields: SentFields, before: WrittenRefund, { service }: FieldWords) {
  const refund = fields.within('refund');
  if (!refund) return keptOr(refund, before, null);
  const refund_date = refund.present('refund_date');
  if (typeof refund_date !== 'string' || parseDateTime(refund_date.trim()) === null) {
    refund.unreadable('refund_date');
    return before;
  }
  const amountOf = (at: keyof NonNullable<WrittenRefund>, name: string = at) =>
    amountIn(refund, name, { before: before?.[at], at });
  return {
    refund_date: refund_date.trim(),
    refund_amount: signed(refund, 'refund_amount', amountOf('refund_amount'), 1),
    ...recordOf(REFUND_IMPACT_FIELDS, (field) => signed(refund, field, amountOf(field), -1)),
    service_fee_adjustment: amountOf('service_fee_adjustment', `${service}_fee_adjustment`),
  };
}

/** Corrects the sign of an amount: a refunded amount is positive, an impact is negative. */
function signed(fields: SentFields, field: string, amount: string, sign: 1 | -1): string {
  const cents = parseDecimal(amount, CENTS) ?? 0;
  if (cents * sign >= 0) return amount;
  fields.change(
    field,
    `has the wrong sign, so it is stored as its ${sign > 0 ? 'positive' : 'negative'}`,
  );
  return formatDecimal(-cents, CENTS);
}

/** Returns the refund, or null if it is dated before its sale. */
function refundAfter<Refund extends NonNullable<WrittenRefund>>(
  fields: SentFields,
  { sale_date }: WrittenRecord,
  refund: Refund | null,
): Refund | null {
  if (refund === null || typeof sale_date !== 'string') return refund;
  const [sold, refunded] = [sale_date.trim(), refund.refund_date].map(parseDateTime);
  if (!sold || !refunded || sold <= refunded) return refund;
  fields.change(
    'refund.refund_date',
    'is before the sale, so the sale is stored without its refund',
  );
  return null;
}

/** Returns the value, or the stored one if the value cannot be read. */
function keptOr<Value, Empty>(
  value: Value | null | undefined,
  before: Value | undefined,
  empty: Empty,
): Value | Empty {
  if (value === undefined) return before ?? empty;
  return value ?? empty;
}

/** Maps each status of a sale to its words, with spaces in place of `_` and `-`. */
const WORDS: Readonly<Record<TransactionStatus, readonly string[]>> = {
  completed: ['settled', 'completed', 'complete', 'paid', 'approved', 'partially refunded'],
  pending: ['pending', 'unpaid', 'on hold', 'processing'],
  refunded: ['refunded'],
  charged_back: ['chargeback', 'charged back'],
};
const STATUSES = new Map(
  Object.entries(WORDS).flatMap(([status, words]) => words.map((word) => [word, status] as const)),
);

/**
 * Returns the status that a word of an upstream means, in any letter case, or null if it means
 * none.
 */
function saleStatusOf(word: unknown): string | null {
  if (typeof word !== 'string') return null;
  return (
    STATUSES.get(
      word
        .trim()
        .toLowerCase()
        .replaceAll(/[\s_-]+/g, ' '),
    ) ?? null
  );
}

/** Converts a product of version 2.1, or of a sale of version 3.0, to a line of a ledger file. */
export function productLine(item: unknown, vendor_id: number): ConvertedLine {
  const fields = new SentFields(item);
  const id = fields.present('product_id');
  const name = fields.fittedText('product_name', NAME_TEXT) ?? '';
  const line = { type: 'product', id: idIn(id) ?? id, vendor_id, name };
  return { line, changes: fields.changes };
}
