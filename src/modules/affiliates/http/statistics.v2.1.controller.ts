import { Controller, Get, Param } from '@nestjs/common';
import { CurrentPrincipal, type Principal } from '../../../api/access/principal.js';
import type { Answer } from '../../../api/envelope/envelope.js';
import { ApiOperation } from '../../../api/versions/api-operation.js';
import {
  formatCents,
  formatDecimal,
  quotient,
  RATE_PLACES,
  rateOf,
} from '../../../platform/values/money.js';
import { formatDateTime } from '../../../platform/values/time.js';
import type { AffiliateStatistics } from '../affiliate-terms.model.js';
import { AffiliatesService } from '../affiliates.service.js';
import { RelationshipParams } from './relationship.params.js';

/** Handles `GET /v2.1/affiliatestats/{affiliate_id}/products/{product_id}`. */
@Controller({ path: 'affiliatestats/:affiliate_id/products/:product_id', version: '2.1' })
export class StatisticsController {
  constructor(private readonly affiliates: AffiliatesService) {}

  @Get()
  @ApiOperation({
    id: 'getAffiliateStatistics',
    summary: 'Get the statistics of an affiliate for a product',
    failures: ['foreign_product', 'not_found'],
  })
  async get(
    @CurrentPrincipal() principal: Principal,
    @Param() params: RelationshipParams,
  ): Promise<Answer> {
    const statistics = await this.affiliates.statisticsOf(principal.user_id, params.toKey());
    return { results: [presentStatistics(statistics)] };
  }
}

/**
 * Returns the statistics of an affiliate as API 2.1 shows them (docs/api.md#versions-21-and-20).
 */
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
    earnings_per_click: formatCents(
      quotient(sales.commission_earned, BigInt(clicks.unique_clicks)),
    ),
    conversion_rate: formatDecimal(rateOf(sales.sales, BigInt(clicks.unique_clicks)), RATE_PLACES),
    refund_rate: formatDecimal(rateOf(sales.refunds, sales.sales), RATE_PLACES),
    first_sale_date: sales.first_sale_date && formatDateTime(sales.first_sale_date),
    last_sale_date: sales.last_sale_date && formatDateTime(sales.last_sale_date),
  };
}
