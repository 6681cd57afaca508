import { comparableEmail } from '../common/email.js';
import { CENTS, formatCents, MILLIONTHS } from '../common/money.js';
import { isErasedAddress } from './personal-data.js';
import { PAYOUT_FIELDS, REFUND_IMPACT_FIELDS, TAX_FIELDS, type ColumnWith } from './columns.js';
import type { TransactionRecord } from './transaction.record.js';

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
  const earlier = yearMonthOf(before.refund_date);
  if (record.refund_date === null) {
    return `refund: is no longer there: the figures of ${earlier} change`;
  }
  const month = yearMonthOf(record.refund_date);
  return month === earlier
    ? null
    : `refund.refund_date: moves from ${earlier} to ${month}: the figures of both months change`;
}

/** Returns the month of a date-time in UTC, such as 2025-06. */
function yearMonthOf(dateTime: string): string {
  return dateTime.slice(0, 7);
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
