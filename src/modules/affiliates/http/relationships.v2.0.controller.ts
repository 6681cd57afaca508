import { Controller, Get, Param } from '@nestjs/common';
import type { Answer } from '../../../api/envelope/envelope.js';
import { ApiOperation } from '../../../api/versions/api-operation.js';
import { SuccessorVersion } from '../../../api/versions/successor-version.js';
import { type Principal, CurrentPrincipal } from '../../../api/access/principal.js';
import { AffiliatesService } from '../affiliates.service.js';
import { RelationshipParams } from './relationship.params.js';
import { presentAffiliation } from './affiliation.v2.0.presenter.js';

/** Handles `GET /v2.0/products/{product_id}/affiliates/{affiliate_id}`. */
@Controller({ path: 'products/:product_id/affiliates/:affiliate_id', version: '2.0' })
export class RelationshipsController {
  constructor(private readonly affiliates: AffiliatesService) {}

  @Get()
  @ApiOperation({
    id: 'getRelationship',
    summary: 'Get the relationship between an affiliate and a product',
    description: '`custom_commission` is a fraction: `0.75` means 75 percent.',
    failures: ['foreign_product', 'not_found'],
  })
  @SuccessorVersion('/v2.1/affiliates/:affiliate_id/products/:product_id')
  async get(
    @CurrentPrincipal() principal: Principal,
    @Param() params: RelationshipParams,
  ): Promise<Answer> {
    const affiliation = await this.affiliates.termsOf(principal.user_id, params.toKey());
    return { results: [presentAffiliation(affiliation)] };
  }
}
