import { Controller, Get, Query, Res, VERSION_NEUTRAL } from '@nestjs/common';
import { IsOptional } from 'class-validator';
import type { Response } from 'express';
import { ShowsPersonalData } from '../../../api/access/personal-reads.js';
import {
  CurrentPrincipal,
  isMasked,
  type Principal,
  Principals,
} from '../../../api/access/principal.js';
import { ApiField } from '../../../api/validation/api-field.js';
import { RefusesUnknown } from '../../../api/validation/request-inputs.js';
import { IsCalendarDay, IsOneOf, IsOnOrAfter } from '../../../api/validation/validators.js';
import { ApiOperation } from '../../../api/versions/api-operation.js';
import { LEDGER_PATH } from '../../../api/versions/api-versions.js';
import { QUERY_LIMIT } from '../../../ledger/reads/key-search.js';
import { PageAfter, PageLimit } from '../../../ledger/reads/query-page.params.js';
import { checkFields } from '../../../ledger/reads/masked-filters.js';
import { RenderedPieces, RenderedResults } from '../../../ledger/reads/rendered-results.model.js';
import {
  AnswerMemory,
  memoryOfRows,
  PIECES_BYTES,
} from '../../../platform/limits/memory/answer-memory.js';
import { countedIn, queryIn, TransactionFilters } from '../query/transaction-filters.js';
import {
  QUERY_ORDERS,
  type QueryOrder,
  TransactionQueriesService,
} from '../query/transaction-queries.service.js';

/** Describes the query of `GET /ledger/v1/transactions`. Each field holds the text as sent. */
@RefusesUnknown()
class QueryTransactionsQuery extends TransactionFilters {
  @ApiField('First day of the range in UTC, as YYYY-MM-DD.', '2025-06-01')
  @IsOptional()
  @IsCalendarDay()
  start_date?: string;

  @ApiField(
    'Last day of the range in UTC, as YYYY-MM-DD, inclusive. Must be on or after `start_date`.',
    '2025-06-30',
  )
  @IsOptional()
  @IsCalendarDay()
  @IsOnOrAfter('start_date')
  end_date?: string;

  @ApiField('`newest` for the newest sale first, `oldest` for the oldest.', 'newest')
  @IsOneOf(QUERY_ORDERS)
  order: QueryOrder = 'newest';

  @PageLimit()
  limit = String(QUERY_LIMIT.default);

  @PageAfter()
  after?: string;
}

const DESCRIPTION = [
  'Returns your transactions that meet all filters, as 3.0 shows them. Without filters, it returns all.',
  'Walk through the pages with `after` set to `meta.next_cursor`, until that is null. Cursors never expire; keep the filters and the order, because a cursor belongs to its query.',
  '`meta.total_count` is exact, or null if counting would read more than 10,000 transactions. If few transactions match and no index serves the filter, a page can end early: `meta.searched_to` is then the day that the search has reached, and `next_cursor` continues from there, even if the page is empty.',
  '`meta.cursor` is the state of the ledger that the page shows, as a cursor of `GET /ledger/v1/changes`. A parameter that this operation does not know is an error, so that a mistyped filter does not return everything.',
].join('\n\n');

/** Handles the query of transactions (docs/queries.md). */
@Controller({ path: LEDGER_PATH, version: VERSION_NEUTRAL })
export class TransactionQueriesController {
  constructor(
    private readonly queries: TransactionQueriesService,
    private readonly memory: AnswerMemory,
    private readonly principals: Principals,
  ) {}

  @Get('transactions')
  @ApiOperation({
    id: 'queryTransactions',
    summary: 'Query transactions',
    description: DESCRIPTION,
  })
  @ShowsPersonalData('queryTransactions', { days: true })
  async query(
    @CurrentPrincipal() principal: Principal,
    @Res({ passthrough: true }) response: Response,
    @Query() query: QueryTransactionsQuery,
  ) {
    checkFields(principal, query.used);
    const { user_id } = principal;
    const limit = Number(query.limit);
    const taken = await this.memory.forResponse(response, user_id, memoryOfRows(limit));
    const wanted = queryIn(query, user_id);
    const { content, meta } = await this.queries.page({
      query: wanted,
      counted: countedIn(query, wanted),
      order: query.order,
      limit,
      after: query.after ?? null,
      isMasked: isMasked(principal),
    });
    if (!content.isLarge) return { results: new RenderedResults(content.rows), meta };
    taken.resize(PIECES_BYTES);
    this.principals.watch(response, principal);
    return { results: new RenderedPieces(content), meta };
  }
}
