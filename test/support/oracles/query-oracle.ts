/**
 * Computes the results of queries from an export of the same cursor. It shares no code with the
 * service.
 */
import type { TestService } from '../servers/service.js';
import { isRefund, type Listed } from './report-oracle.js';

export type Parameters = Readonly<Record<string, string>>;

/** Returns the transactions of an export, newest sale first, with the cursor of its state. */
export async function exportedBy(service: TestService, key: string, query: Parameters = {}) {
  const path = `/ledger/v1/transactions.ndjson?${new URLSearchParams(query).toString()}`;
  const { text, headers } = await service.get(path, key);
  const lines = text.split('\n').slice(0, -1);
  return {
    rows: lines.map((line) => JSON.parse(line) as Listed),
    cursor: String(headers['x-ledger-cursor']),
    count: Number(headers['x-ledger-count']),
  };
}

/**
 * Returns whether a transaction meets the parameters of a query.
 * @param keys keys of recurring payments, which an export does not have, by transaction
 */
export function meets(wanted: Parameters, keys: ReadonlyMap<string, string>) {
  const isListed = (list: string | undefined, value: string | number | undefined) =>
    list === undefined || list.split(',').includes(String(value));
  return (one: Listed): boolean =>
    isDated(wanted, one) &&
    isListed(wanted.status, one.status) &&
    isListed(wanted.product_id, one.product_id) &&
    isListed(wanted.affiliate_id, one.affiliate?.id) &&
    isListed(wanted.pre_key, keys.get(one.transaction_id)) &&
    (wanted.refunded === undefined || String(isRefund(one)) === wanted.refunded) &&
    (wanted.min_amount === undefined || cents(one.amount) >= cents(wanted.min_amount)) &&
    (wanted.max_amount === undefined || cents(one.amount) <= cents(wanted.max_amount)) &&
    (wanted.email === undefined ||
      one.customer.email?.toLowerCase() === wanted.email.toLowerCase()) &&
    TRACKED.every((field) => (wanted[field] ?? one.tracking[field]) === one.tracking[field]);
}

const TRACKED = ['tid', 'vtid', 'custom', 'utm_term', 'sub_id5', 'yclid', 'other_params'] as const;

function isDated(
  { date = 'either', start_date = '0000', end_date = '9999-99' }: Parameters,
  { sale_date, status, refund }: Listed,
): boolean {
  const isIn = (day: string | undefined) =>
    day !== undefined && day.slice(0, 10) >= start_date && day.slice(0, 10) <= end_date;
  const isUndated = refund === null && (status === 'refunded' || status === 'chargeback');
  const returned = isUndated ? sale_date : refund?.refund_date;
  if (date === 'sale') return isIn(sale_date);
  return date === 'refund' ? isIn(returned) : isIn(sale_date) || isIn(returned);
}

function cents(amount: string): number {
  return Math.round(Number(amount) * 100);
}
