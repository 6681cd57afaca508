import type { FigureClicks, FigureSale } from '../oracles/figures-oracle.js';
import { clicks, transaction } from './ledger-records.js';

const text = (units: number) => (units / 100).toFixed(2);

/** Returns a sale as a line of a ledger file. */
export function lineOf(sold: FigureSale, place: number): object {
  const { money: paid, refund } = sold;
  return transaction(`figure-${place}`, sold.product_id, {
    sale_date: `${sold.day}T12:00:00Z`,
    status: sold.status,
    amount: text(paid.amount),
    affiliate_id: sold.affiliate_id,
    tracking: sold.tracking,
    taxes: paid.taxes === null ? null : { tax_total: text(paid.taxes) },
    payouts: {
      seller_earnings: text(paid.earnings),
      service_fee: text(paid.fees),
      affiliate_payout: text(paid.affiliate),
      agent_payout: text(paid.agent),
      jv_payout: text(paid.jv),
    },
    refund:
      refund === null
        ? null
        : {
            refund_date: `${refund.day}T13:00:00Z`,
            refund_amount: text(refund.money.amount),
            seller_refund_impact: text(refund.money.earnings),
            service_fee_adjustment: text(refund.money.fees),
            affiliate_refund_impact: text(refund.money.affiliate),
            agent_refund_impact: text(refund.money.agent),
            jv_refund_impact: text(refund.money.jv),
          },
  });
}

export function lineOfClicks({ day: date, ...each }: FigureClicks): object {
  const { affiliate_id, product_id, clicks: all, unique_clicks } = each;
  return clicks(affiliate_id, product_id, { date, clicks: all, unique_clicks });
}
