import { Controller, Get, Query, VERSION_NEUTRAL } from '@nestjs/common';
import { CurrentPrincipal, type Principal } from '../../../api/access/principal.js';
import { RefusesUnknown } from '../../../api/validation/request-inputs.js';
import { ApiOperation } from '../../../api/versions/api-operation.js';
import { LEDGER_PATH } from '../../../api/versions/api-versions.js';
import { QueryPageParams } from '../../../ledger/reads/query-page.params.js';
import { formatDateTime } from '../../../platform/values/time.js';
import { AffiliateQueriesService, type QueriedAffiliate } from './affiliate-queries.service.js';

/** Describes the query of `GET /ledger/v1/affiliates`. Each field holds the text as sent. */
@RefusesUnknown()
class QueryAffiliatesQuery extends QueryPageParams {}

/** Handles the query of affiliates (docs/queries.md). */
@Controller({ path: LEDGER_PATH, version: VERSION_NEUTRAL })
export class AffiliateQueriesController {
  constructor(private readonly queries: AffiliateQueriesService) {}

  @Get('affiliates')
  @ApiOperation({
    id: 'queryAffiliates',
    summary: 'List affiliates',
    description:
      'Returns the affiliates that have a relationship, a sale or a click with you, in the order of their ids. Pending transactions are no sales. `display_name` is null if you may not see a name. Pages and their metadata are those of `GET /ledger/v1/transactions`; no page ends early.',
  })
  async query(@CurrentPrincipal() principal: Principal, @Query() query: QueryAffiliatesQuery) {
    const { affiliates, meta } = await this.queries.page({
      vendor_id: principal.user_id,
      limit: Number(query.limit),
      after: query.after ?? null,
    });
    return { results: affiliates.map(presentAffiliate), meta };
  }
}

function presentAffiliate({ first_sale_date, last_sale_date, ...affiliate }: QueriedAffiliate) {
  return {
    id: affiliate.id,
    display_name: affiliate.display_name,
    first_sale_date: first_sale_date && formatDateTime(first_sale_date),
    last_sale_date: last_sale_date && formatDateTime(last_sale_date),
    sales: affiliate.sales,
  };
}
