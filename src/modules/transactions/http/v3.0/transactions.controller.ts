import { Controller, Get, Param, Query } from '@nestjs/common';
import { CurrentPrincipal } from '../../../../access/current-principal.js';
import type { Answer } from '../../../../common/envelope/envelope.js';
import { pagedMeta } from '../../../../common/paging/paging.js';
import type { Principal } from '../../../accounts/account.model.js';
import { TransactionsService } from '../../transactions.service.js';
import { ListTransactionsQuery } from './list-transactions.query.js';
import { presentTransaction } from './transaction.presenter.js';

/** Interface 4.1. */
@Controller({ path: 'transactions', version: '3.0' })
export class TransactionsController {
  constructor(private readonly transactions: TransactionsService) {}

  @Get()
  async list(
    @CurrentPrincipal() principal: Principal,
    @Query() query: ListTransactionsQuery,
  ): Promise<Answer> {
    const criteria = query.toCriteria(principal.user_id);
    const { transactions, total_count } = await this.transactions.list(criteria);
    return {
      results: transactions.map(presentTransaction),
      meta: pagedMeta(criteria.page, total_count),
    };
  }

  @Get(':transaction_id')
  async get(
    @CurrentPrincipal() principal: Principal,
    @Param('transaction_id') transaction_id: string,
  ): Promise<Answer> {
    const transaction = await this.transactions.get(principal.user_id, transaction_id);
    return { results: [presentTransaction(transaction)] };
  }
}
