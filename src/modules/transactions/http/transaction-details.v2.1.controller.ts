import { Controller, Get, Param } from '@nestjs/common';
import { ApiOperation } from '../../../api/versions/api-operation.js';
import { isMasked, type Principal, CurrentPrincipal } from '../../../api/access/principal.js';
import { TransactionsService } from '../list/transactions.service.js';
import type { AnswerAtRevision } from '../../../api/cache/revision-source.js';
import { TaggedByRevision } from '../../../api/cache/conditional-get.interceptor.js';
import { ShowsPersonalData } from '../../../api/access/personal-reads.js';
import { presentTransactionDetail } from './transaction-detail.v2.1.presenter.js';

/** Handles `GET /v2.1/transaction/details/{paykey}`. */
@Controller({ path: 'transaction/details', version: '2.1' })
export class TransactionDetailsController {
  constructor(private readonly transactions: TransactionsService) {}

  @Get(':paykey')
  @ApiOperation({
    id: 'getTransactionDetail',
    summary: 'Get the details of a transaction',
    failures: ['not_found'],
  })
  @TaggedByRevision()
  @ShowsPersonalData('getTransactionDetail', { record: 'paykey' })
  async get(
    @CurrentPrincipal() principal: Principal,
    @Param('paykey') paykey: string,
  ): Promise<AnswerAtRevision> {
    const { user_id } = principal;
    const detail = await this.transactions.detail(user_id, paykey, isMasked(principal));
    return { revision: detail.revision, results: [presentTransactionDetail(detail)] };
  }
}
