import { columnsOf } from '../../database/named-rows.js';
import {
  PAYOUT_FIELDS,
  REFUND_AMOUNT_FIELDS,
  TRACKING_FIELDS,
  type DeliveryColumn,
  type PayoutField,
  type RefundAmountField,
  type TaxField,
  type TrackingField,
} from '../../ledger-format/transaction-fields.js';
import type {
  CommissionStatus,
  LedgerPosition,
  Refund,
  Transaction,
  TransactionStatus,
} from './transaction.model.js';

/** A row of the table of transactions; see transaction.entity.ts. */
export interface StoredTransaction
  extends
    Readonly<Record<PayoutField, number>>,
    Readonly<Record<RefundAmountField | TaxField, number | null>>,
    Readonly<Record<TrackingField | DeliveryColumn, string | null>> {
  readonly vendor_id: number;
  readonly arrival: number;
  readonly transaction_id: string;
  readonly product_id: number;
  readonly product_name: string;
  readonly sale_date: string;
  readonly amount: number;
  readonly status: TransactionStatus;
  readonly pre_key: string | null;
  readonly customer_email: string;
  readonly customer_first_name: string;
  readonly customer_last_name: string;
  readonly customer_ip: string | null;
  readonly customer_phone: string | null;
  readonly customer_processor_email: string | null;
  readonly affiliate_id: number | null;
  readonly affiliate_commission_status: CommissionStatus;
  readonly refund_date: string | null;
  readonly refunded_sale_date: string | null;
  readonly shipping_fee: number | null;
}

const LISTED = [
  ...(['transaction_id', 'sale_date', 'product_id', 'product_name', 'amount', 'status'] as const),
  ...(['customer_email', 'customer_first_name', 'customer_last_name'] as const),
  ...(['affiliate_id', 'refund_date', 'arrival'] as const),
  ...TRACKING_FIELDS,
  ...PAYOUT_FIELDS,
  ...REFUND_AMOUNT_FIELDS,
] as const satisfies readonly (keyof StoredTransaction)[];

/** A transaction as SELECTED gives it. */
export interface TransactionRow extends Pick<StoredTransaction, (typeof LISTED)[number]> {
  readonly revision: number;
  readonly display_name: string | null;
}

/** Each row tells of which revision it is: the statement sees rows and revision at one moment. */
export const REVISION = '(SELECT revision FROM ledger_revisions WHERE vendor_id = ?) AS revision';

/** With the transaction as `t` and its affiliate as `u`. */
export const SELECTED = `${REVISION}, ${columnsOf('t', LISTED)}, u.display_name`;

/**
 * Joins the whole row to its key. Vendor and arrival are the key; the sale's date tells a table that
 * is partitioned by it which partition holds the row, in place of a look into each.
 */
export function isRowOf(keys: string): string {
  return `t.vendor_id = ${keys}.vendor_id AND t.arrival = ${keys}.arrival
      AND t.sale_date = ${keys}.sale_date`;
}

/** Newest sale first, ties by arrival, newest first. */
export function byListOrder(left: LedgerPosition, right: LedgerPosition): number {
  if (left.sale_date === right.sale_date) return right.arrival - left.arrival;
  return left.sale_date < right.sale_date ? 1 : -1;
}

/** Field by field, because objects of one shape are made, and become JSON, much faster. */
export function transactionOf(row: TransactionRow): Transaction {
  return {
    transaction_id: row.transaction_id,
    sale_date: row.sale_date,
    product_id: row.product_id,
    product_name: row.product_name,
    amount: row.amount,
    status: row.status,
    customer: {
      email: row.customer_email,
      first_name: row.customer_first_name,
      last_name: row.customer_last_name,
    },
    affiliate:
      row.affiliate_id === null ? null : { id: row.affiliate_id, display_name: row.display_name },
    tracking: {
      vtid: row.vtid,
      custom: row.custom,
      tid: row.tid,
      utm_source: row.utm_source,
      utm_medium: row.utm_medium,
      utm_campaign: row.utm_campaign,
      utm_content: row.utm_content,
      utm_term: row.utm_term,
      sub_id1: row.sub_id1,
      sub_id2: row.sub_id2,
      sub_id3: row.sub_id3,
      sub_id4: row.sub_id4,
      sub_id5: row.sub_id5,
      gclid: row.gclid,
      fbclid: row.fbclid,
      msclkid: row.msclkid,
      ttclid: row.ttclid,
      li_fat_id: row.li_fat_id,
      twclid: row.twclid,
      yclid: row.yclid,
      other_params: row.other_params,
    },
    payouts: {
      seller_earnings: row.seller_earnings,
      affiliate_payout: row.affiliate_payout,
      agent_payout: row.agent_payout,
      jv_payout: row.jv_payout,
      service_fee: row.service_fee,
    },
    refund: refundOf(row),
  };
}

function refundOf(row: TransactionRow): Refund | null {
  const { refund_date } = row;
  if (refund_date === null) return null;
  return {
    refund_date,
    amounts: {
      refund_amount: row.refund_amount ?? 0,
      seller_refund_impact: row.seller_refund_impact ?? 0,
      affiliate_refund_impact: row.affiliate_refund_impact ?? 0,
      agent_refund_impact: row.agent_refund_impact ?? 0,
      jv_refund_impact: row.jv_refund_impact ?? 0,
      service_fee_adjustment: row.service_fee_adjustment ?? 0,
    },
  };
}
