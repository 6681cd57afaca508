import { shownValue } from '../../platform/values/shown-text.js';
import {
  columnsWith,
  fieldOf,
  PAYOUT_FIELDS,
  REFUND_IMPACT_FIELDS,
  ruleOf,
  TAX_FIELDS,
  type ColumnName,
  type ColumnWith,
} from '../columns.js';
import { Faults } from './record-fields.js';
import { TEXT, type TextRule, fittedText, textProblem } from '../files/text-rule.js';
import {
  PAYOUT_ITEM_TEXTS,
  type PayoutItemRecord,
  type TransactionRecord,
} from './transaction.record.js';
import { comparableEmail } from '../../platform/values/email.js';
import { CENTS, MILLIONTHS, formatCents } from '../../platform/values/money.js';
import { isErasedAddress } from './personal-data.js';

type TextField = ColumnWith<{ kind: 'text' }>;

const FREE_TEXTS = columnsWith({ kind: 'text' }).map((field) => {
  return { field, path: pathOf(field), rule: ruleOf(field).rule ?? TEXT };
});

/**
 * Makes the texts of a transaction comply with their rules, so that none of them causes its
 * rejection (docs/ledger-file.md#texts-that-break-the-rule). It cleans and cuts free texts. It
 * removes an e-mail address instead, because a changed address would be wrong. Texts that equal the
 * stored ones stay as they are. Ids are never changed: see `preKeyProblem`.
 * @returns the record, and the changes as `field: change`: at most 10, then the number of the
 *   others
 */
export function fittedTransaction(
  record: TransactionRecord,
  stored: TransactionRecord | undefined,
) {
  const changes = new Faults('change');
  const texts: Partial<Record<TextField, string>> = {};
  for (const { field, path, rule } of FREE_TEXTS) {
    const text = record[field];
    if (text === null || text === stored?.[field] || textProblem(text, rule) === null) continue;
    texts[field] = fitted(text, rule, path, changes);
  }
  const emails = fittedEmails(record, stored, changes);
  const payout_items = fittedItems(record, stored, changes);
  const warnings = changes.texts();
  if (warnings.length === 0) return { record, warnings };
  return { record: { ...record, ...texts, ...emails, payout_items }, warnings };
}

/**
 * Returns the reason why the `pre_key` of a transaction is rejected, or null. A `pre_key` is an id,
 * so it is never changed to comply with the rule.
 */
export function preKeyProblem(
  { pre_key }: TransactionRecord,
  stored: TransactionRecord | undefined,
): string | null {
  if (pre_key === null || pre_key === stored?.pre_key) return null;
  const problem = textProblem(pre_key, TEXT);
  return problem === null ? null : `pre_key: must be ${problem}, not ${shownValue(pre_key)}`;
}

type Emails = Pick<TransactionRecord, ColumnWith<{ kind: 'email' }>>;

function fittedEmails(record: Emails, stored: Emails | undefined, changes: Faults): Emails {
  const isUsable = (field: keyof Emails) => {
    const email = record[field];
    if (email === null || email === stored?.[field]) return true;
    const problem = textProblem(email, TEXT);
    if (problem === null) return true;
    changes.add(() => `${pathOf(field)}: left empty, because it must be ${problem}`);
    return false;
  };
  return {
    customer_email: isUsable('customer_email') ? record.customer_email : '',
    customer_processor_email: isUsable('customer_processor_email')
      ? record.customer_processor_email
      : null,
  };
}

function fittedItems(
  { payout_items }: TransactionRecord,
  stored: TransactionRecord | undefined,
  changes: Faults,
): PayoutItemRecord[] {
  return payout_items.map((item, index) => {
    const texts: Partial<Record<(typeof PAYOUT_ITEM_TEXTS)[number], string>> = {};
    for (const field of PAYOUT_ITEM_TEXTS) {
      const text = item[field];
      const isStored = text === stored?.payout_items[index]?.[field];
      if (isStored || textProblem(text, TEXT) === null) continue;
      texts[field] = fitted(text, TEXT, `payout_items[${index}].${field}`, changes);
    }
    return { ...item, ...texts };
  });
}

/** Returns the name of a column in a ledger file, such as `customer.first_name`. */
function pathOf(column: ColumnName): string {
  const { object } = ruleOf(column);
  return object === undefined ? column : `${object}.${fieldOf(column)}`;
}

function fitted(text: string, rule: TextRule, path: string, changes: Faults): string {
  const found = fittedText(text, rule);
  changes.add(() => `${path}: ${found.changes.join(', ')}`);
  return found.text;
}

const MILLIONTHS_IN_A_CENT = 10 ** (MILLIONTHS - CENTS);

/**
 * Finds likely mistakes of the sender in a valid transaction
 * (docs/ledger-file.md#how-it-is-imported).
 * @param before the previous state of the transaction
 * @returns warnings as `field: problem`, without personal data
 */
export function transactionWarnings(
  record: TransactionRecord,
  before: TransactionRecord | undefined,
): string[] {
  const ofChange =
    before === undefined ? [] : [otherSale(record, before), otherRefund(record, before)];
  const warnings = [...sumWarnings(record), statusWarning(record), ...ofChange];
  return warnings.filter((warning) => warning !== null);
}

/**
 * Warns if more was paid out or taken back than the customer paid. If the amount is negative, it
 * only warns about that, because the sums mean nothing then.
 */
function sumWarnings(record: TransactionRecord): string[] {
  if (record.amount < 0) {
    return [
      `amount: is negative (${formatCents(record.amount)}): send a refund as refund of its sale`,
    ];
  }
  const paid = paidOf(record);
  const what = `more than was paid (${formatCents(paid)} with taxes and shipping)`;
  const shared = sumOf(record, PAYOUT_FIELDS);
  const taken = takenBy(record);
  return [
    ...(shared > paid ? [`payouts: add up to ${formatCents(shared)}, ${what}`] : []),
    ...(taken > paid ? [`refund: takes back ${formatCents(taken)}, ${what}`] : []),
  ];
}

/**
 * Warns if the status and the refund contradict each other. Without a refund object, the impacts of
 * a refund are unknown. A pending sale has nothing to take back.
 */
function statusWarning({ status, refund_date }: TransactionRecord): string | null {
  if (status === 'pending' && refund_date !== null) {
    return 'status: is pending, although there is a refund';
  }
  if (refund_date !== null || (status !== 'refunded' && status !== 'charged_back')) return null;
  return `refund: is missing, although the status is ${status}: earnings and unpaid commissions still contain the sale`;
}

/**
 * Warns if a change looks like another sale. Two line items of a receipt are two sales: under one
 * id, the second would replace the first (docs/ledger-file.md#line-items).
 */
function otherSale(record: TransactionRecord, before: TransactionRecord): string | null {
  const others = [
    record.product_id === before.product_id ? [] : ['product_id'],
    isSameCustomer(record.customer_email, before.customer_email) ? [] : ['customer.email'],
    record.sale_date === before.sale_date ? [] : ['sale_date'],
  ].flat();
  return others.length === 0
    ? null
    : `transaction_id: was stored with another ${others.join(' and ')}: give each line item its own id, such as RCPT-1/101`;
}

/**
 * Compares two e-mail addresses. An unknown or erased address may belong to any customer, so it
 * counts as the same.
 */
function isSameCustomer(left: string, right: string): boolean {
  if (left === right) return true;
  const isUnknown = (email: string) => email === '' || isErasedAddress(email);
  if (isUnknown(left) || isUnknown(right)) return true;
  return comparableEmail(left) === comparableEmail(right);
}

/**
 * Warns if a refund moves to another month or is removed, because this changes a month that is over
 * (docs/ledger-file.md#months-that-are-over).
 */
function otherRefund(record: TransactionRecord, before: TransactionRecord): string | null {
  if (before.refund_date === null) return null;
  // Months in UTC, such as 2025-06.
  const earlier = before.refund_date.slice(0, 7);
  if (record.refund_date === null) {
    return `refund: is no longer there: the figures of ${earlier} change`;
  }
  const month = record.refund_date.slice(0, 7);
  return month === earlier
    ? null
    : `refund.refund_date: moves from ${earlier} to ${month}: the figures of both months change`;
}

/**
 * Returns what the customer paid, in cents. The shipping fee is rounded down, because all other
 * amounts are whole cents.
 */
function paidOf(record: TransactionRecord): number {
  const [, ...taxes] = TAX_FIELDS;
  const shipping = Math.floor((record.shipping_fee ?? 0) / MILLIONTHS_IN_A_CENT);
  return record.amount + (record.tax_total ?? sumOf(record, taxes)) + shipping;
}

/** Returns the amount that a refund takes back, in cents; zero without a refund. */
function takenBy(record: TransactionRecord): number {
  const impacts = sumOf(record, REFUND_IMPACT_FIELDS) + (record.service_fee_adjustment ?? 0);
  return Math.max(record.refund_amount ?? 0, -impacts);
}

function sumOf(
  record: TransactionRecord,
  fields: readonly ColumnWith<{ kind: 'money' }>[],
): number {
  return fields.reduce((sum, field) => sum + (record[field] ?? 0), 0);
}
