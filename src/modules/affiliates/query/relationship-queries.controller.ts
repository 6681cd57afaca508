import { Controller, Get, Query, VERSION_NEUTRAL } from '@nestjs/common';
import { IsOptional } from 'class-validator';
import { CurrentPrincipal, type Principal } from '../../../api/access/principal.js';
import { ApiField } from '../../../api/validation/api-field.js';
import { RefusesUnknown } from '../../../api/validation/request-inputs.js';
import { IsIdList, IsListOf } from '../../../api/validation/validators.js';
import { ApiOperation } from '../../../api/versions/api-operation.js';
import { LEDGER_PATH } from '../../../api/versions/api-versions.js';
import { QueryPageParams } from '../../../ledger/reads/query-page.params.js';
import { presentAffiliation } from '../http/relationships.v2.1.controller.js';
import { RelationshipQueriesService } from './relationship-queries.service.js';

const STATUSES = ['REQUESTED', 'APPROVED', 'DENIED'] as const;

/** Describes the query of `GET /ledger/v1/relationships`. Each field holds the text as sent. */
@RefusesUnknown()
class QueryRelationshipsQuery extends QueryPageParams {
  @ApiField('Only those of these affiliates: up to 100 ids with commas between them.', '2004')
  @IsOptional()
  @IsIdList()
  affiliate_id?: string;

  @ApiField('Only those of these products: up to 100 ids with commas between them.', '101')
  @IsOptional()
  @IsIdList()
  product_id?: string;

  @ApiField('Only those with one of these statuses, with commas between them.', 'APPROVED')
  @IsOptional()
  @IsListOf(STATUSES)
  status?: string;
}

/** Handles the query of relationships (docs/queries.md). */
@Controller({ path: LEDGER_PATH, version: VERSION_NEUTRAL })
export class RelationshipQueriesController {
  constructor(private readonly queries: RelationshipQueriesService) {}

  @Get('relationships')
  @ApiOperation({
    id: 'queryRelationships',
    summary: 'Query relationships',
    description:
      'Returns the relationships of affiliates with your products that meet all filters, as 2.1 shows them, in the order of product and affiliate. Pages and their metadata are those of `GET /ledger/v1/transactions`; `meta.searched_to` is a product and an affiliate.',
  })
  async query(@CurrentPrincipal() principal: Principal, @Query() query: QueryRelationshipsQuery) {
    const { terms, meta } = await this.queries.page({
      scope: {
        vendor_id: principal.user_id,
        product_ids: idsIn(query.product_id),
        affiliate_ids: idsIn(query.affiliate_id),
      },
      statuses: query.status?.split(',') ?? null,
      limit: Number(query.limit),
      after: query.after ?? null,
    });
    return { results: terms.map(presentAffiliation), meta };
  }
}

function idsIn(list: string | undefined): number[] | null {
  return list?.split(',').map(Number) ?? null;
}
