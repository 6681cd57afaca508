import { Controller, Get, Param, Query, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import {
  AnswerMemory,
  memoryOfRows,
  PIECES_BYTES,
} from '../../../platform/limits/memory/answer-memory.js';
import { pagedMeta } from '../../../api/validation/paging.js';
import { ApiOperation } from '../../../api/versions/api-operation.js';
import {
  isMasked,
  type Principal,
  CurrentPrincipal,
  Principals,
} from '../../../api/access/principal.js';
import { TransactionsService } from '../list/transactions.service.js';
import type { AnswerAtRevision } from '../../../api/cache/revision-source.js';
import {
  CachedByRevision,
  TaggedByRevision,
} from '../../../api/cache/conditional-get.interceptor.js';
import { ShowsPersonalData } from '../../../api/access/personal-reads.js';
import { ListTransactionsQuery } from './list-transactions.v3.0.query.js';
import {
  RenderedPieces,
  RenderedResults,
} from '../../../ledger/rendered/rendered-results.model.js';

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
