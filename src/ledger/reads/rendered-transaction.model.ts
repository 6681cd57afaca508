import { numberOfDateTime, formatDateTime } from '../../platform/values/time.js';
import { STATUS_OF_3, type Transaction } from './transaction.model.js';
import { compiledPicker } from '../../platform/values/record-of.js';
import { formatCents } from '../../platform/values/money.js';
import { TRACKING_FIELDS } from '../columns.js';

/** Contains the columns of a transaction that its JSON shows, without those that are joined. */
type ShownTransaction = Omit<
  Transaction,
  'vendor_id' | 'arrival' | 'revision' | 'affiliate_display_name' | 'affiliate_name'
>;

const trackingOf = compiledPicker(TRACKING_FIELDS);

/**
 * Returns a transaction as API 3.0 shows it. The fields are listed one by one, because building the
 * objects in a loop over field names is slower.
 */
export function presentTransaction(
  transaction: ShownTransaction,
  affiliate_display_name: string | null,
) {
  const { affiliate_id } = transaction;
  return {
    transaction_id: transaction.transaction_id,
    sale_date: formatDateTime(transaction.sale_date),
    product_id: transaction.product_id,
    product_name: transaction.product_name,
    amount: formatCents(transaction.amount),
    status: STATUS_OF_3[transaction.status],
    customer: {
      email: transaction.customer_email,
      first_name: transaction.customer_first_name,
      last_name: transaction.customer_last_name,
    },
    affiliate:
      affiliate_id === null ? null : { id: affiliate_id, display_name: affiliate_display_name },
    tracking: trackingOf(transaction),
    payouts: {
      seller_earnings: formatCents(transaction.seller_earnings),
      affiliate_payout: formatCents(transaction.affiliate_payout),
      agent_payout: formatCents(transaction.agent_payout),
      jv_payout: formatCents(transaction.jv_payout),
      service_fee: formatCents(transaction.service_fee),
    },
    refund: presentRefund(transaction),
  };
}

function presentRefund(transaction: ShownTransaction) {
  const { refund_date } = transaction;
  if (refund_date === null) return null;
  return {
    refund_date: formatDateTime(refund_date),
    refund_amount: formatCents(transaction.refund_amount ?? 0),
    seller_refund_impact: formatCents(transaction.seller_refund_impact ?? 0),
    affiliate_refund_impact: formatCents(transaction.affiliate_refund_impact ?? 0),
    agent_refund_impact: formatCents(transaction.agent_refund_impact ?? 0),
    jv_refund_impact: formatCents(transaction.jv_refund_impact ?? 0),
    service_fee_adjustment: formatCents(transaction.service_fee_adjustment ?? 0),
  };
}

/**
 * Contains the JSON of a transaction in API 3.0, as it is stored beside the row
 * (docs/adr/0025-stored-json.md). One byte identifies the form, four bytes have the position of the
 * affiliate's display name (0 if there is no affiliate), six bytes have the sale date, and then
 * comes the JSON with `null` for that name. The name is the only part that can change without the
 * transaction.
 */
export type RenderedTransaction = Buffer;

/**
 * Identifies the current form. Raise it with each change of what `renderTransaction` writes, so
 * that reads ignore older bytes and render the columns.
 */
const FORM = 2;
const NAME_AT = 1;
const SALE_AT = 5;
const SALE_BYTES = 6;
export const JSON_AT = SALE_AT + SALE_BYTES;
const NAME = Buffer.from('"display_name":null');
export const NULL_BYTES = Buffer.byteLength('null');

export function isCurrent(rendered: RenderedTransaction | null): rendered is RenderedTransaction {
  return rendered?.[0] === FORM;
}

/** Returns true if the stored bytes of a row have the current form. */
export function hasCurrentBytes<Row extends { readonly rendered: RenderedTransaction | null }>(
  row: Row,
): row is Row & { readonly rendered: RenderedTransaction } {
  return isCurrent(row.rendered);
}

/** Maximum size of the column on MySQL, in bytes. */
const MAX_STORED_BYTES = 65_535;

/**
 * Renders the bytes to store.
 * @returns null if they exceed the column; the transaction is then rendered at each read
 */
export function renderForStorage(transaction: ShownTransaction): RenderedTransaction | null {
  const bytes = renderTransaction(transaction);
  return bytes.length > MAX_STORED_BYTES ? null : bytes;
}

/** Returns the bytes of a transaction, without its affiliate's display name. */
export function renderTransaction(transaction: ShownTransaction): RenderedTransaction {
  const json = JSON.stringify(presentTransaction(transaction, null));
  const bytes = Buffer.allocUnsafe(JSON_AT + Buffer.byteLength(json));
  bytes[0] = FORM;
  bytes.write(json, JSON_AT);
  // JSON escapes quotation marks in texts, so this sequence occurs nowhere else.
  const name = transaction.affiliate_id === null ? 0 : bytes.indexOf(NAME, JSON_AT);
  bytes.writeUInt32LE(name === 0 ? 0 : name + NAME.length - NULL_BYTES, NAME_AT);
  bytes.writeUIntBE(numberOfDateTime(transaction.sale_date), SALE_AT, SALE_BYTES);
  return bytes;
}

/**
 * Returns the position of the `null` for the affiliate's display name, or 0 if there is no
 * affiliate.
 */
export function positionOfName(rendered: RenderedTransaction): number {
  return rendered.readUInt32LE(NAME_AT);
}

/** Returns the sale date, as `numberOfDateTime` returns it. */
export function saleNumberOf(rendered: RenderedTransaction): number {
  return rendered.readUIntBE(SALE_AT, SALE_BYTES);
}

/** Describes a transaction of a list, at a revision of its vendor's ledger. */
export interface ListedTransaction {
  readonly revision: number;
  readonly arrival: number;
  /** Bytes of the current form. */
  readonly rendered: RenderedTransaction;
  readonly affiliate_display_name: string | null;
  /** JSON that replaces the last byte: further fields and the brace. Absent if there are none. */
  readonly added?: string;
}

export function listedOf(row: Transaction): ListedTransaction {
  const { revision, arrival, affiliate_display_name } = row;
  return { revision, arrival, rendered: renderTransaction(row), affiliate_display_name };
}

/**
 * Compares transactions for the order newest sale first; ties are sorted by arrival, newest first.
 */
export function newestFirst(left: ListedTransaction, right: ListedTransaction): number {
  return saleNumberOf(right.rendered) - saleNumberOf(left.rendered) || right.arrival - left.arrival;
}

/** Returns the sale dates, as `numberOfDateTime` returns them. */
export function soldAt(transactions: readonly ListedTransaction[]): number[] {
  return transactions.map(({ rendered }) => saleNumberOf(rendered));
}
