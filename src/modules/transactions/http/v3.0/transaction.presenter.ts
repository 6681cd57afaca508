import { JsonTexts } from '../../../../common/envelope/envelope.js';
import { jsonOfText, objectWriter } from '../../../../common/json-text.js';
import { formatCents } from '../../../../common/money.js';
import { formatMoment } from '../../../../common/time.js';
import {
  PAYOUT_FIELDS,
  REFUND_AMOUNT_FIELDS,
  TRACKING_FIELDS,
  type Refund,
  type Transaction,
} from '../../transaction.model.js';
import { STATUS_OF_3 } from '../status-words.js';

const writeTracking = objectWriter(TRACKING_FIELDS);
const writePayouts = objectWriter(PAYOUT_FIELDS);
const writeRefund = objectWriter(['refund_date', ...REFUND_AMOUNT_FIELDS]);

/**
 * Interface 2.2. Written as JSON straight away: a page has up to 200 transactions of 40 fields, and
 * objects that only live until they are text cost more than the text (docs/benchmarks.md).
 */
export function presentTransactions(transactions: readonly Transaction[]): JsonTexts {
  return new JsonTexts(transactions.map(presentTransaction));
}

function presentTransaction(transaction: Transaction): string {
  const { customer, tracking, payouts, refund } = transaction;
  return `{"transaction_id":${jsonOfText(transaction.transaction_id)}\
,"sale_date":${presentMoment(transaction.sale_date)}\
,"product_id":${transaction.product_id}\
,"product_name":${jsonOfText(transaction.product_name)}\
,"amount":${presentCents(transaction.amount)}\
,"status":"${STATUS_OF_3[transaction.status]}"\
,"customer":{"email":${jsonOfText(customer.email)}\
,"first_name":${jsonOfText(customer.first_name)}\
,"last_name":${jsonOfText(customer.last_name)}}\
,"affiliate":${presentAffiliate(transaction)}\
,"tracking":${writeTracking((index) => jsonOfText(tracking[index] ?? null))}\
,"payouts":${writePayouts((index) => presentCents(payouts[index] ?? 0))}\
,"refund":${refund === null ? 'null' : presentRefund(refund)}}`;
}

function presentAffiliate({ affiliate }: Transaction): string {
  if (affiliate === null) return 'null';
  return `{"id":${affiliate.id},"display_name":${jsonOfText(affiliate.display_name)}}`;
}

function presentRefund({ refund_date, amounts }: Refund): string {
  return writeRefund((index) =>
    index === 0 ? presentMoment(refund_date) : presentCents(amounts[index - 1] ?? 0),
  );
}

function presentMoment(moment: string): string {
  return `"${formatMoment(moment)}"`;
}

function presentCents(cents: number): string {
  return `"${formatCents(cents)}"`;
}
