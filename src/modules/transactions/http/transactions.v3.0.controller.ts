import { Controller, Get, Param, Query, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { ShowsPersonalData } from '../../../api/access/personal-reads.js';
import {
  CurrentPrincipal,
  isMasked,
  type Principal,
  Principals,
} from '../../../api/access/principal.js';
import {
  CachedByRevision,
  TaggedByRevision,
} from '../../../api/cache/conditional-get.interceptor.js';
import type { AnswerAtRevision } from '../../../api/cache/revision-source.js';
import { ApiField } from '../../../api/validation/api-field.js';
import { PAGE_INDEX, PAGE_SIZE, pagedMeta } from '../../../api/validation/paging.js';
import { IsCalendarDay, IsInteger, IsOnOrAfter } from '../../../api/validation/validators.js';
import { ApiOperation } from '../../../api/versions/api-operation.js';
import type { ListCriteria } from '../../../ledger/reads/transaction.model.js';
import { RenderedPieces, RenderedResults } from '../../../ledger/reads/rendered-results.model.js';
import {
  AnswerMemory,
  memoryOfRows,
  PIECES_BYTES,
} from '../../../platform/limits/memory/answer-memory.js';
import { TransactionsService } from '../list/transactions.service.js';

/**
 * Validates the query of `GET /v3.0/transactions` (docs/api.md#the-list-of-30). Each field holds
 * the text as sent.
 */
class ListTransactionsQuery {
  @ApiField('First day of the range in UTC, as YYYY-MM-DD.', '2025-06-01')
  @IsCalendarDay()
  start_date!: string;

  @ApiField(
    'Last day of the range in UTC, as YYYY-MM-DD, inclusive. Must be on or after `start_date`.',
    '2025-06-30',
  )
  @IsCalendarDay()
  @IsOnOrAfter('start_date')
  end_date!: string;

  @ApiField('Maximum number of transactions per page.', PAGE_SIZE.default)
  @IsInteger(PAGE_SIZE)
  page_size = String(PAGE_SIZE.default);

  @ApiField('Zero-based page index.', PAGE_INDEX.default)
  @IsInteger(PAGE_INDEX)
  page_index = String(PAGE_INDEX.default);

  toCriteria(vendor_id: number, isMasked: boolean): ListCriteria {
    return {
      vendor_id,
      isMasked,
      start_date: this.start_date,
      end_date: this.end_date,
      page: { page_size: Number(this.page_size), page_index: Number(this.page_index) },
    };
  }
}

/** Handles the list of transactions and the single transaction of API 3.0. */
@Controller({ path: 'transactions', version: '3.0' })
export class TransactionsController {
  constructor(
    private readonly transactions: TransactionsService,
    private readonly memory: AnswerMemory,
    private readonly principals: Principals,
  ) {}

  @Get()
  @ApiOperation({
    id: 'listTransactions',
    summary: 'List transactions',
    description:
      'Returns your transactions that were sold or refunded in the date range, newest sale first. The range covers whole days in UTC and includes both ends. `meta.total_count` is the number of transactions on all pages; a page past the end is empty.',
  })
  @CachedByRevision()
  @ShowsPersonalData('listTransactions', { days: true })
  async list(
    @CurrentPrincipal() principal: Principal,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
    @Query() query: ListTransactionsQuery,
  ): Promise<AnswerAtRevision> {
    const criteria = query.toCriteria(principal.user_id, isMasked(principal));
    const bytes = memoryOfRows(criteria.page.page_size);
    const taken = await this.memory.forResponse(response, principal.user_id, bytes);
    const { revision, content, total_count } = await this.transactions.list(
      criteria,
      request.revision ?? null,
    );
    if (content.isLarge) {
      taken.resize(PIECES_BYTES);
      this.principals.watch(response, principal);
    }
    return {
      revision,
      results: content.isLarge ? new RenderedPieces(content) : new RenderedResults(content.rows),
      meta: pagedMeta(criteria.page, total_count),
    };
  }

  @Get(':transaction_id')
  @ApiOperation({
    id: 'getTransaction',
    summary: 'Get a transaction',
    failures: ['not_found'],
  })
  @TaggedByRevision()
  @ShowsPersonalData('getTransaction', { record: 'transaction_id' })
  async get(
    @CurrentPrincipal() principal: Principal,
    @Param('transaction_id') transaction_id: string,
  ): Promise<AnswerAtRevision> {
    const { user_id } = principal;
    const transaction = await this.transactions.get(user_id, transaction_id, isMasked(principal));
    return { revision: transaction.revision, results: new RenderedResults([transaction]) };
  }
}
