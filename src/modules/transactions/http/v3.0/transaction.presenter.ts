import { formatCents } from '../../../../common/money.js';
import { formatMoment } from '../../../../common/time.js';
import type { Refund, Transaction } from '../../transaction.model.js';
import { STATUS_OF_3 } from '../../status-words.model.js';

/**
 * Interface 2.2. Spelled out, and not built in a loop over the fields: objects that always have one
 * shape become JSON in half of the time (docs/benchmarks.md).
 */
export function presentTransaction(transaction: Transaction) {
  const { customer, affiliate, tracking, payouts, refund } = transaction;
  return {
    transaction_id: transaction.transaction_id,
    sale_date: formatMoment(transaction.sale_date),
    product_id: transaction.product_id,
    product_name: transaction.product_name,
    amount: formatCents(transaction.amount),
    status: STATUS_OF_3[transaction.status],
    customer: {
      email: customer.email,
      first_name: customer.first_name,
      last_name: customer.last_name,
    },
    affiliate:
      affiliate === null ? null : { id: affiliate.id, display_name: affiliate.display_name },
    tracking,
    payouts: {
      seller_earnings: formatCents(payouts.seller_earnings),
      affiliate_payout: formatCents(payouts.affiliate_payout),
      agent_payout: formatCents(payouts.agent_payout),
      jv_payout: formatCents(payouts.jv_payout),
      service_fee: formatCents(payouts.service_fee),
    },
    refund: refund === null ? null : presentRefund(refund),
  };
}

function presentRefund({ refund_date, amounts }: Refund) {
  return {
    refund_date: formatMoment(refund_date),
    refund_amount: formatCents(amounts.refund_amount),
    seller_refund_impact: formatCents(amounts.seller_refund_impact),
    affiliate_refund_impact: formatCents(amounts.affiliate_refund_impact),
    agent_refund_impact: formatCents(amounts.agent_refund_impact),
    jv_refund_impact: formatCents(amounts.jv_refund_impact),
    service_fee_adjustment: formatCents(amounts.service_fee_adjustment),
  };
}
