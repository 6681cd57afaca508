import { Body, Controller, Get, Param, Put } from '@nestjs/common';
import type { Answer } from '../../../api/envelope/envelope.js';
import { ApiOperation } from '../../../api/versions/api-operation.js';
import { type Principal, CurrentPrincipal } from '../../../api/access/principal.js';
import { AffiliatesService } from '../affiliates.service.js';
import { RelationshipWritesService } from '../relationship-writes.service.js';
import { RelationshipParams } from './relationship.params.js';
import { AffiliationUpdateBody } from './affiliation-update.v2.1.body.js';
import { presentAffiliation } from './affiliation.v2.1.presenter.js';

/** Handles GET and PUT of `/v2.1/affiliates/{affiliate_id}/products/{product_id}`. */
@Controller({ path: 'affiliates/:affiliate_id/products/:product_id', version: '2.1' })
export class RelationshipsController {
  constructor(
    private readonly affiliates: AffiliatesService,
    private readonly writes: RelationshipWritesService,
  ) {}

  @Get()
  @ApiOperation({
    id: 'getRelationship',
    summary: 'Get the relationship between an affiliate and a product',
    failures: ['foreign_product', 'not_found'],
  })
  async get(
    @CurrentPrincipal() principal: Principal,
    @Param() params: RelationshipParams,
  ): Promise<Answer> {
    const affiliation = await this.affiliates.termsOf(principal.user_id, params.toKey());
    return { results: [presentAffiliation(affiliation)] };
  }

  @Put()
  @ApiOperation({
    id: 'setRelationship',
    summary: 'Set the relationship between an affiliate and a product',
    description:
      'Creates the relationship, or updates it if it exists. Omitted fields keep their values; null, or an empty value in a form, clears a field. Returns the relationship after the change. For a vendor whose ledger mirrors another service, the change is made there first; if it is not taken there, the answer is 402.',
    failures: ['request_failed', 'foreign_product', 'not_found'],
  })
  async set(
    @CurrentPrincipal() principal: Principal,
    @Param() params: RelationshipParams,
    @Body() body: AffiliationUpdateBody,
  ): Promise<Answer> {
    const affiliation = await this.writes.set(principal, params.toKey(), body.toUpdate());
    return { results: [presentAffiliation(affiliation)] };
  }
}
