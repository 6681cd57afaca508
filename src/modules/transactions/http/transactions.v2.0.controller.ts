import { Controller, Get, Param, Res } from '@nestjs/common';
import type { Response } from 'express';
import {
  type AnswerWithReads,
  type ShownRecords,
  ShowsPersonalData,
} from '../../../api/access/personal-reads.js';
import { CurrentPrincipal, isMasked, type Principal } from '../../../api/access/principal.js';
import { TaggedByRevision } from '../../../api/cache/conditional-get.interceptor.js';
import type { AnswerAtRevision } from '../../../api/cache/revision-source.js';
import { ApiOperation } from '../../../api/versions/api-operation.js';
import { SuccessorVersion } from '../../../api/versions/successor-version.js';
import { STATUS_OF_2 } from '../../../ledger/reads/transaction.model.js';
import { groupedBy } from '../../../platform/values/grouped-by.js';
import { formatCents } from '../../../platform/values/money.js';
import { formatDateTime } from '../../../platform/values/time.js';
import { UNKNOWN_PAYKEY } from './ledger-revision.source.js';
import type { FeedTransaction } from '../list/transaction-feed.model.js';
import { TransactionFeedsService } from '../list/transaction-feeds.service.js';

/** Handles the summary of a transaction and the two feeds of API 2.0. */
@Controller({ version: '2.0' })
export class TransactionsController {
  constructor(private readonly transactions: TransactionFeedsService) {}

  @Get('transactions/summaries/:paykey')
  @ApiOperation({
    id: 'getTransactionSummary',
    summary: 'Get a transaction summary',
    failures: ['not_found'],
  })
  @TaggedByRevision()
  @ShowsPersonalData('getTransactionSummary', { record: 'paykey' })
  @SuccessorVersion('/v2.1/transaction/details/:paykey')
  async summary(
    @CurrentPrincipal() principal: Principal,
    @Param('paykey') paykey: string,
  ): Promise<AnswerAtRevision> {
    const { user_id } = principal;
    const transaction = await this.transactions.summary(user_id, paykey, isMasked(principal));
    return { revision: transaction.revision, results: [presentSummary(transaction)] };
  }

  @Get('latest-transactions{/:paykey}')
  @ApiOperation({
    id: 'listLatestTransactions',
    summary: 'List latest transactions',
    description:
      'Returns up to 100 of your transactions, oldest first. With a `paykey`, the list starts after that transaction; without one, it starts at your oldest transaction. If the `paykey` is unknown, the response is the same as without one and has the header `X-Paykey: unknown`.',
    answersUnknownPaykey: true,
  })
  @TaggedByRevision()
  @ShowsPersonalData('listLatestTransactions')
  @SuccessorVersion('/v3.0/transactions')
  async latest(
    @CurrentPrincipal() principal: Principal,
    @Param('paykey') paykey: string | undefined,
  ): Promise<AnswerAtRevision> {
    const { revision, transactions, isUnknownPaykey } = await this.transactions.latestOfVendor(
      principal.user_id,
      isMasked(principal),
      paykey,
    );
    const variant = isUnknownPaykey ? UNKNOWN_PAYKEY : null;
    return { revision, variant, results: transactions.map(presentLatestTransaction) };
  }

  @Get('latest-affiliates-transactions{/:paykey}')
  @ApiOperation({
    id: 'listLatestAffiliateTransactions',
    summary: 'List latest affiliate transactions',
    description:
      'Returns up to 100 transactions that you referred as an affiliate, oldest first. With a `paykey`, the list starts after that transaction; without one, it starts 90 days ago. If the `paykey` is unknown, the response is the same as without one and has the header `X-Paykey: unknown`.',
    answersUnknownPaykey: true,
  })
  @ShowsPersonalData('listLatestAffiliateTransactions')
  async latestOfAffiliate(
    @CurrentPrincipal() principal: Principal,
    @Param('paykey') paykey: string | undefined,
    @Res({ passthrough: true }) response: Response,
  ): Promise<AnswerWithReads> {
    const { transactions, isUnknownPaykey } = await this.transactions.latestOfAffiliate(
      principal.user_id,
      isMasked(principal),
      paykey,
    );
    if (isUnknownPaykey) response.setHeader(UNKNOWN_PAYKEY.header, UNKNOWN_PAYKEY.name);
    const results = transactions.map(presentAffiliateTransaction);
    return { results, reads: readsOf(transactions) };
  }
}

/** Returns one read for each vendor, because the customers are those of the vendors. */
function readsOf(transactions: readonly FeedTransaction[]): ShownRecords[] {
  const ofVendors = groupedBy(transactions, ({ vendor_id }) => vendor_id);
  return Array.from(ofVendors, ([vendor_id, { length }]) => ({ vendor_id, records: length }));
}

/** Returns a transaction as the summary of API 2.0. */
export function presentSummary(transaction: FeedTransaction) {
  return {
    transaction_id: transaction.transaction_id,
    date: formatDateTime(transaction.sale_date),
    product_name: transaction.product_name,
    product_id: transaction.product_id,
    status: STATUS_OF_2[transaction.status],
    price: formatCents(transaction.amount),
    first_name: transaction.customer_first_name,
    last_name: transaction.customer_last_name,
    processor_email: transaction.processor_email,
  };
}

/**
 * Returns a transaction of the feed `latest-transactions`. Without an affiliate, the id is 0 and
 * the name is empty.
 */
export function presentLatestTransaction(transaction: FeedTransaction) {
  // The fields are listed one by one, because building the object in a loop is slower, and a
  // response has up to 100 of them.
  return {
    transaction_id: transaction.transaction_id,
    date: formatDateTime(transaction.sale_date),
    product_name: transaction.product_name,
    product_id: transaction.product_id,
    status: STATUS_OF_2[transaction.status],
    price: formatCents(transaction.amount),
    customer_email: transaction.customer_email,
    ip: transaction.customer_ip ?? '',
    first_name: transaction.customer_first_name,
    last_name: transaction.customer_last_name,
    affiliate_id: transaction.affiliate_id ?? 0,
    affiliate_name: transaction.affiliate_name ?? '',
  };
}

/** Returns a transaction of the feed `latest-affiliates-transactions`. */
export function presentAffiliateTransaction(transaction: FeedTransaction) {
  return {
    transaction_id: transaction.transaction_id,
    date: formatDateTime(transaction.sale_date),
    product_name: transaction.product_name,
    product_id: transaction.product_id,
    status: STATUS_OF_2[transaction.status],
    price: formatCents(transaction.amount),
    customer_email: transaction.customer_email,
    ip: transaction.customer_ip ?? '',
    first_name: transaction.customer_first_name,
    last_name: transaction.customer_last_name,
    affiliate_commission: formatCents(transaction.affiliate_payout),
    affiliate_commission_status: transaction.affiliate_commission_status,
    affiliate_id: transaction.affiliate_id ?? 0,
    affiliate_name: transaction.affiliate_name ?? '',
  };
}
