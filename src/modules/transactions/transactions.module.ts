import { Module } from '@nestjs/common';
import { Metrics } from '../../common/metrics.js';
import { AffiliateSalesRepository } from './affiliate-sales.repository.js';
import { AffiliateSalesService } from './affiliate-sales.service.js';
import { TransactionsController as TransactionsControllerV2 } from './http/v2.0/transactions.controller.js';
import { TransactionDetailsController } from './http/v2.1/transaction-details.controller.js';
import { TransactionsController as TransactionsControllerV3 } from './http/v3.0/transactions.controller.js';
import { PageCache } from './http/page-cache.js';
import { LedgerCountsRepository } from './ledger-counts.repository.js';
import { LedgerReadsService } from './ledger-reads.service.js';
import { LedgerRevisionsRepository } from './ledger-revisions.repository.js';
import { LedgerRevisionsService } from './ledger-revisions.service.js';
import { LedgerVerificationRepository } from './ledger-verification.repository.js';
import { ListCountsCache } from './list-counts.cache.js';
import { ReportSumsWritesRepository } from './report-sums-writes.repository.js';
import { ReportSumsRepository } from './report-sums.repository.js';
import { ReportSumsService } from './report-sums.service.js';
import { ReportTransactionsRepository } from './report-transactions.repository.js';
import { ReportTransactionsService } from './report-transactions.service.js';
import { TransactionDetailsRepository } from './transaction-details.repository.js';
import { TransactionFeedsRepository } from './transaction-feeds.repository.js';
import { TransactionFeedsService } from './transaction-feeds.service.js';
import { TransactionWritesRepository } from './transaction-writes.repository.js';
import { TransactionsRepository } from './transactions.repository.js';
import { TransactionsService } from './transactions.service.js';

@Module({
  controllers: [TransactionsControllerV3, TransactionDetailsController, TransactionsControllerV2],
  providers: [
    TransactionsService,
    TransactionsRepository,
    TransactionWritesRepository,
    LedgerCountsRepository,
    LedgerVerificationRepository,
    LedgerRevisionsRepository,
    LedgerRevisionsService,
    LedgerReadsService,
    ListCountsCache,
    PageCache,
    AffiliateSalesRepository,
    AffiliateSalesService,
    ReportSumsWritesRepository,
    ReportSumsRepository,
    ReportSumsService,
    ReportTransactionsRepository,
    ReportTransactionsService,
    TransactionFeedsService,
    TransactionFeedsRepository,
    TransactionDetailsRepository,
  ],
  exports: [
    TransactionsService,
    AffiliateSalesService,
    ReportSumsService,
    ReportTransactionsService,
  ],
})
export class TransactionsModule {
  constructor(metrics: Metrics, pages: PageCache) {
    const { counts } = pages;
    metrics.counter(
      'page_cache_pages_total',
      'Pages sent from and put into the page cache.',
      'event',
      () => counts,
    );
    metrics.gauge('page_cache_bytes', 'Memory of the page cache.', 'state', () => ({
      taken: pages.bytes,
    }));
  }
}
