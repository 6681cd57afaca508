import { Controller, Get, Query, VERSION_NEUTRAL } from '@nestjs/common';
import { CurrentPrincipal, type Principal } from '../../../api/access/principal.js';
import { NoQuery } from '../../../api/validation/request-inputs.js';
import { ApiOperation } from '../../../api/versions/api-operation.js';
import { LEDGER_PATH } from '../../../api/versions/api-versions.js';
import { formatCents, formatDecimal, RATE_PLACES, rateOf } from '../../../platform/values/money.js';
import { formatDateTime } from '../../../platform/values/time.js';
import type { AffiliateTerms } from '../../affiliates/index.js';
import { conversionOf, type Earned, type ProductEarnings } from './earnings.model.js';
import { EarningsService } from './earnings.service.js';

const DESCRIPTION = [
  'Returns what you earn as an affiliate with the products of others, as of now: one item for each product for which you have a relationship, a sale or a click, by product id. Pending sales are left out.',
  'Commissions are after refunds and chargebacks. `unpaid` has those with the commission status UNPAID: `on_hold` on terms that are delayed today, `due_now` otherwise. `paid` has those with the status PAID, and `earned` all.',
  '`terms` are those that the vendor has set for you; it is null without a relationship. A null commission or payout is that of the product. `meta.totals` has the sums of all products.',
].join('\n\n');

/** Serves what a user earns as an affiliate. See docs/figures.md. */
@Controller({ path: LEDGER_PATH, version: VERSION_NEUTRAL })
export class EarningsController {
  constructor(private readonly earnings: EarningsService) {}

  @Get('earnings')
  @ApiOperation({
    id: 'getEarnings',
    summary: 'Get your earnings as an affiliate',
    description: DESCRIPTION,
  })
  async get(@CurrentPrincipal() principal: Principal, @Query() _query: NoQuery) {
    const { products, total } = await this.earnings.earningsOf(principal.user_id);
    return { results: products.map(presentProduct), meta: { totals: presentEarned(total) } };
  }
}

function presentProduct(product: ProductEarnings) {
  const { product_id, product_name, vendor_id, vendor_name, terms } = product;
  return {
    product_id,
    product_name,
    vendor_id,
    vendor_name,
    terms: terms && presentTerms(terms),
    ...presentEarned(product),
  };
}

/** Presents the terms as their affiliate sees them. Comments are the vendor's. */
function presentTerms(terms: AffiliateTerms) {
  return {
    created: formatDateTime(terms.created),
    status: terms.status,
    delayed_commission: terms.delayed_commission,
    custom_commission: terms.custom_commission,
    custom_sales_page_url: terms.custom_sales_page_url,
    custom_payment_1st_payout: terms.custom_payment_1st_payout,
    custom_payment_trial_payout: terms.custom_payment_trial_payout,
  };
}

function presentEarned(earned: Earned) {
  return {
    clicks: Number(earned.clicks),
    unique_clicks: Number(earned.unique_clicks),
    sales: Number(earned.sales),
    refunds: Number(earned.refunds),
    gross: formatCents(earned.gross),
    earned: formatCents(earned.earned),
    paid: formatCents(earned.paid),
    unpaid: formatCents(earned.unpaid),
    due_now: formatCents(earned.due_now),
    on_hold: formatCents(earned.on_hold),
    conversion_rate: formatDecimal(conversionOf(earned) ?? 0n, RATE_PLACES),
    refund_rate: formatDecimal(rateOf(earned.refunds, earned.sales), RATE_PLACES),
  };
}
