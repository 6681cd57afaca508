import { formatCents, formatDecimal } from '../../../../common/money.js';
import { formatMoment } from '../../../../common/time.js';
import type { AffiliateStatistics } from '../../affiliate-statistics.model.js';

const RATE_PLACES = 4;

/** Decisions: Affiliate statistics. */
export function presentStatistics(statistics: AffiliateStatistics) {
  const { sales, clicks, affiliate, product } = statistics;
  return {
    affiliate_id: affiliate.id,
    affiliate_name: affiliate.name,
    product_id: product.id,
    product_name: product.name,
    clicks: clicks.clicks,
    unique_clicks: clicks.unique_clicks,
    sales: Number(sales.sales),
    refunds: Number(sales.refunds),
    chargebacks: Number(sales.chargebacks),
    revenue: formatCents(sales.revenue),
    refund_amount: formatCents(sales.refund_amount),
    commission_earned: formatCents(sales.commission_earned),
    commission_paid: formatCents(sales.commission_paid),
    commission_unpaid: formatCents(sales.commission_earned - sales.commission_paid),
    earnings_per_click: formatCents(quotient(sales.commission_earned, clicks.unique_clicks)),
    conversion_rate: rate(sales.sales, clicks.unique_clicks),
    refund_rate: rate(sales.refunds, Number(sales.sales)),
    first_sale_date: sales.first_sale_date && formatMoment(sales.first_sale_date),
    last_sale_date: sales.last_sale_date && formatMoment(sales.last_sale_date),
  };
}

function rate(part: bigint, whole: number): string {
  return formatDecimal(quotient(part * 10n ** BigInt(RATE_PLACES), whole), RATE_PLACES);
}

/** Rounded to the nearest whole, a half away from zero; a division by nothing is zero. */
function quotient(dividend: bigint, divisor: number): bigint {
  if (divisor === 0) return 0n;
  const by = BigInt(divisor);
  return (2n * dividend + (dividend < 0n ? -by : by)) / (2n * by);
}
