import { refund, transaction } from './ledger-records.js';

/** Id of the affiliate of these sales. */
export const SELLER = 100;

const PAYOUTS = { seller_earnings: '0', agent_payout: '0', jv_payout: '0', service_fee: '0' };

/** Returns a sale of the affiliate with its commission. */
export function sold(
  id: string,
  product_id: number,
  amount: string,
  commission: string,
  changes = {},
) {
  const payouts = { ...PAYOUTS, affiliate_payout: commission };
  return transaction(id, product_id, { affiliate_id: SELLER, amount, payouts, ...changes });
}

export function takenBack(amount: string, impact: string): object {
  return refund('2025-06-20T00:00:00Z', {
    refund_amount: amount,
    affiliate_refund_impact: impact,
  });
}

/** Statistics of an affiliate without clicks and sales. */
export const NOTHING = {
  clicks: 0,
  unique_clicks: 0,
  sales: 0,
  refunds: 0,
  chargebacks: 0,
  revenue: '0.00',
  refund_amount: '0.00',
  commission_earned: '0.00',
  commission_paid: '0.00',
  commission_unpaid: '0.00',
  earnings_per_click: '0.00',
  conversion_rate: '0.0000',
  refund_rate: '0.0000',
  first_sale_date: null,
  last_sale_date: null,
};
