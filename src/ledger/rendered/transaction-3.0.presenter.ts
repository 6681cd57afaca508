import { compiledPicker } from '../../platform/values/compiled-record.js';
import { formatCents } from '../../platform/values/money.js';
import { formatDateTime } from '../../platform/values/time.js';
import { TRACKING_FIELDS } from '../columns.js';
import { STATUS_OF_3 } from '../reads/status-words.model.js';
import type { Transaction } from '../reads/transaction.model.js';

/** Contains the columns of a transaction that its JSON shows, without those that are joined. */
export type ShownTransaction = Omit<
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
