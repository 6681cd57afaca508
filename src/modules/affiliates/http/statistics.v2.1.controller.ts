import { Controller, Get, Param } from '@nestjs/common';
import type { Answer } from '../../../api/envelope/envelope.js';
import { ApiOperation } from '../../../api/versions/api-operation.js';
import { type Principal, CurrentPrincipal } from '../../../api/access/principal.js';
import { AffiliatesService } from '../affiliates.service.js';
import { RelationshipParams } from './relationship.params.js';
import { presentStatistics } from './affiliate-statistics.v2.1.presenter.js';

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
