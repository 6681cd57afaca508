import { Controller, Get, Param, Res } from '@nestjs/common';
import type { Response } from 'express';
import { CurrentPrincipal } from '../../../accounts/http/current-principal.js';
import type { Answer } from '../../../../common/envelope/envelope.js';
import { ApiOperation } from '../../../../routing/api-operation.js';
import { SuccessorVersion } from '../../../../routing/successor-version.js';
import type { Principal } from '../../../accounts/account.model.js';
import { TransactionFeedsService } from '../../feeds/transaction-feeds.service.js';
import type { AnswerAtRevision } from '../../../../http-cache/answer-at-revision.js';
import { TaggedByRevision } from '../../../../http-cache/tagged-answers.interceptor.js';
import { UNKNOWN_PAYKEY } from '../ledger-revision.source.js';
import {
  presentAffiliateTransaction,
  presentLatestTransaction,
  presentSummary,
} from './transaction.presenter.js';

/** Interface 4.3. */
@Controller({ version: '2.0' })
export class TransactionsController {
  constructor(private readonly transactions: TransactionFeedsService) {}

  @Get('transactions/summaries/:paykey')
  @ApiOperation({
    id: 'getTransactionSummary',
    summary: 'The summary of a transaction',
    failures: ['not_found'],
  })
  @TaggedByRevision()
  @SuccessorVersion('/v2.1/transaction/details/:paykey')
  async summary(
    @CurrentPrincipal() principal: Principal,
    @Param('paykey') paykey: string,
  ): Promise<AnswerAtRevision> {
    const transaction = await this.transactions.summary(principal.user_id, paykey);
    return { revision: transaction.revision, results: [presentSummary(transaction)] };
  }

  @Get('latest-transactions{/:paykey}')
  @ApiOperation({
    id: 'listLatestTransactions',
    summary: 'Your transactions, oldest first, at most 100',
    description:
      'The transactions after `paykey`, or from your first transaction on. If `paykey` is not one of your transactions, it is ignored and the response has the header `X-Paykey: unknown`.',
    answersUnknownPaykey: true,
  })
  @TaggedByRevision()
  @SuccessorVersion('/v3.0/transactions')
  async latest(
    @CurrentPrincipal() principal: Principal,
    @Param('paykey') paykey: string | undefined,
  ): Promise<AnswerAtRevision> {
    const { revision, transactions, isUnknownPaykey } = await this.transactions.latestOfVendor(
      principal.user_id,
      paykey,
    );
    const variant = isUnknownPaykey ? UNKNOWN_PAYKEY : null;
    return { revision, variant, results: transactions.map(presentLatestTransaction) };
  }

  @Get('latest-affiliates-transactions{/:paykey}')
  @ApiOperation({
    id: 'listLatestAffiliateTransactions',
    summary: 'Your sales as an affiliate, oldest first, at most 100',
    description:
      'The sales after `paykey`, or of the last 90 days. If `paykey` is not one of your sales as an affiliate, it is ignored and the response has the header `X-Paykey: unknown`.',
    answersUnknownPaykey: true,
  })
  async latestOfAffiliate(
    @CurrentPrincipal() principal: Principal,
    @Param('paykey') paykey: string | undefined,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Answer> {
    const { transactions, isUnknownPaykey } = await this.transactions.latestOfAffiliate(
      principal.user_id,
      paykey,
    );
    if (isUnknownPaykey) response.setHeader(UNKNOWN_PAYKEY.header, UNKNOWN_PAYKEY.name);
    return { results: transactions.map(presentAffiliateTransaction) };
  }
}
