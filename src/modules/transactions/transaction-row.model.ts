import {
  PAYOUT_FIELDS,
  REFUND_AMOUNT_FIELDS,
  TRACKING_FIELDS,
  type Refund,
  type Transaction,
  type TransactionStatus,
} from './transaction.model.js';

type OptionalText = string | null;
type OptionalNumber = number | null;

/** A transaction as SELECTED gives it, beginning with the revision of its ledger. */
export type TransactionRow = readonly [
  number,
  ...[string, string, number, string, number, TransactionStatus, string, string, string],
  ...[OptionalNumber, OptionalText, OptionalText, number],
  // TRACKING_FIELDS
  ...[OptionalText, OptionalText, OptionalText, OptionalText, OptionalText, OptionalText],
  ...[OptionalText, OptionalText, OptionalText, OptionalText, OptionalText, OptionalText],
  ...[OptionalText, OptionalText, OptionalText, OptionalText, OptionalText, OptionalText],
  ...[OptionalText, OptionalText, OptionalText],
  // PAYOUT_FIELDS
  ...[number, number, number, number, number],
  // REFUND_AMOUNT_FIELDS
  ...[OptionalNumber, OptionalNumber, OptionalNumber],
  ...[OptionalNumber, OptionalNumber, OptionalNumber],
];

/** Each row tells of which revision it is: the statement sees rows and revision at one moment. */
export const SELECTED = [
  '(SELECT revision FROM ledger_revisions WHERE vendor_id = ?)',
  't.transaction_id',
  't.sale_date',
  't.product_id',
  't.product_name',
  't.amount',
  't.status',
  't.customer_email',
  't.customer_first_name',
  't.customer_last_name',
  't.affiliate_id',
  'u.display_name',
  't.refund_date',
  't.arrival',
  ...[...TRACKING_FIELDS, ...PAYOUT_FIELDS, ...REFUND_AMOUNT_FIELDS].map((column) => `t.${column}`),
].join(', ');

/**
 * Joins the whole row to its key. Vendor and arrival are the key; the sale's date tells a table that
 * is partitioned by it which partition holds the row, in place of a look into each.
 */
export function isRowOf(keys: string): string {
  return `t.vendor_id = ${keys}.vendor_id AND t.arrival = ${keys}.arrival
      AND t.sale_date = ${keys}.sale_date`;
}

/** Newest sale first, ties by arrival, newest first. */
export function byListOrder(left: TransactionRow, right: TransactionRow): number {
  if (left[2] === right[2]) return right[13] - left[13];
  return left[2] < right[2] ? 1 : -1;
}

/** Field by field, because objects of one shape are made, and become JSON, much faster. */
export function transactionOf(row: TransactionRow): Transaction {
  return {
    transaction_id: row[1],
    sale_date: row[2],
    product_id: row[3],
    product_name: row[4],
    amount: row[5],
    status: row[6],
    customer: { email: row[7], first_name: row[8], last_name: row[9] },
    affiliate: row[10] === null ? null : { id: row[10], display_name: row[11] },
    tracking: {
      vtid: row[14],
      custom: row[15],
      tid: row[16],
      utm_source: row[17],
      utm_medium: row[18],
      utm_campaign: row[19],
      utm_content: row[20],
      utm_term: row[21],
      sub_id1: row[22],
      sub_id2: row[23],
      sub_id3: row[24],
      sub_id4: row[25],
      sub_id5: row[26],
      gclid: row[27],
      fbclid: row[28],
      msclkid: row[29],
      ttclid: row[30],
      li_fat_id: row[31],
      twclid: row[32],
      yclid: row[33],
      other_params: row[34],
    },
    payouts: {
      seller_earnings: row[35],
      affiliate_payout: row[36],
      agent_payout: row[37],
      jv_payout: row[38],
      service_fee: row[39],
    },
    refund: refundOf(row),
  };
}

function refundOf(row: TransactionRow): Refund | null {
  const refund_date = row[12];
  if (refund_date === null) return null;
  return {
    refund_date,
    amounts: {
      refund_amount: row[40] ?? 0,
      seller_refund_impact: row[41] ?? 0,
      affiliate_refund_impact: row[42] ?? 0,
      agent_refund_impact: row[43] ?? 0,
      jv_refund_impact: row[44] ?? 0,
      service_fee_adjustment: row[45] ?? 0,
    },
  };
}
