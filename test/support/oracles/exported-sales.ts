/** Reads the sales of an export as the oracle of figures has them. */
import type { FigureSale } from './figures-oracle.js';
import type { Listed } from './report-oracle.js';

const STATUSES = {
  pending: 'pending',
  settled: 'completed',
  refunded: 'refunded',
  chargeback: 'charged_back',
} as const;

/** Returns a transaction as a sale. An export has no taxes. */
export function saleOf(one: Listed): FigureSale {
  const { refund, payouts, affiliate } = one;
  return {
    day: one.sale_date.slice(0, 10),
    status: STATUSES[one.status],
    product_id: one.product_id,
    affiliate_id: affiliate?.id ?? null,
    tracking: one.tracking,
    money: {
      amount: cents(one.amount),
      earnings: cents(payouts.seller_earnings),
      fees: cents(payouts.service_fee),
      affiliate: cents(payouts.affiliate_payout),
      agent: cents(payouts.agent_payout),
      jv: cents(payouts.jv_payout),
      taxes: null,
    },
    refund: refund && {
      day: refund.refund_date.slice(0, 10),
      money: {
        amount: cents(refund.refund_amount),
        earnings: cents(refund.seller_refund_impact),
        fees: cents(refund.service_fee_adjustment),
        affiliate: cents(refund.affiliate_refund_impact),
        agent: cents(refund.agent_refund_impact),
        jv: cents(refund.jv_refund_impact),
      },
    },
  };
}

function cents(text: string | undefined): number {
  return Number((text ?? '0').replace('.', ''));
}
