import { Controller, Get, Param } from '@nestjs/common';
import { CurrentPrincipal, type Principal } from '../../../api/access/principal.js';
import type { Answer } from '../../../api/envelope/envelope.js';
import { ApiOperation } from '../../../api/versions/api-operation.js';
import { SuccessorVersion } from '../../../api/versions/successor-version.js';
import { formatDecimal } from '../../../platform/values/money.js';
import { formatDateTime } from '../../../platform/values/time.js';
import type { AffiliateTerms, AffiliateTermsStatus } from '../affiliate-terms.model.js';
import { AffiliatesService } from '../affiliates.service.js';
import { RelationshipParams } from './relationship.params.js';

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

const STATUS_ID = {
  REQUESTED: 1,
  APPROVED: 2,
  DENIED: 3,
} as const satisfies Record<AffiliateTermsStatus, number>;

/** A fraction has the last two digits of the percent as decimals: 75 percent is 0.75. */
const PERCENT_PLACES = 2;

/** Returns affiliate terms as a relationship of API 2.0. */
export function presentAffiliation(affiliation: AffiliateTerms) {
  return {
    created: formatDateTime(affiliation.created),
    product_id: affiliation.product_id,
    affiliate_id: String(affiliation.affiliate_id),
    comments: affiliation.comments ?? '',
    status_id: STATUS_ID[affiliation.status],
    custom_commission: formatDecimal(affiliation.custom_commission ?? 0, PERCENT_PLACES),
    delayed_commission: affiliation.delayed_commission ? ('1' as const) : ('0' as const),
  };
}
