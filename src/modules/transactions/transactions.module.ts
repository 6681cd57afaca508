import { Module } from '@nestjs/common';
import { AnswerMemoryModule } from '../../answer-memory/answer-memory.module.js';
import { AgreementPaymentsRepository } from './agreements/agreement-payments.repository.js';
import { AgreementPaymentsService } from './agreements/agreement-payments.service.js';
import { AffiliateSalesRepository } from './sums/affiliate-sales/affiliate-sales.repository.js';
import { AffiliateSalesService } from './sums/affiliate-sales/affiliate-sales.service.js';
import { TransactionsController as TransactionsControllerV2 } from './http/v2.0/transactions.controller.js';
import { TransactionDetailsController } from './http/v2.1/transaction-details.controller.js';
import { TransactionsController as TransactionsControllerV3 } from './http/v3.0/transactions.controller.js';
import { ChangesModule } from '../changes/changes.module.js';
import { ChangedTransactionsRepository } from './changes/changed-transactions.repository.js';
import { TransactionChangeSource } from './http/transaction-change.source.js';
import { HttpCacheModule } from '../../http-cache/http-cache.module.js';
import { RevisionSource } from '../../http-cache/revision-source.js';
import { RenderingRepository } from './rendered/rendering.repository.js';
import { RenderingService } from './rendered/rendering.service.js';
import { LedgerRevisionSource } from './http/ledger-revision.source.js';
import { LedgerCountsWritesRepository } from './sums/ledger-counts-writes.repository.js';
import { LedgerReadsService } from './revisions/ledger-reads.service.js';
import { LedgerRevisionsRepository } from './revisions/ledger-revisions.repository.js';
import { LedgerRevisionsService } from './revisions/ledger-revisions.service.js';
import { LedgerVerificationRepository } from './sums/verification/ledger-verification.repository.js';
import { ListCountsRepository } from './list/list-counts.repository.js';
import { ListCountsCache } from './list/list-counts.cache.js';
import { RefundCohortsWritesRepository } from './sums/refund-cohorts/refund-cohorts-writes.repository.js';
import { ReportSumsWritesRepository } from './sums/report-sums-writes.repository.js';
import { UnpaidCommissionsWritesRepository } from './sums/unpaid-commissions/unpaid-commissions-writes.repository.js';
import { TrackingBounds } from './sums/tracking/tracking-bounds.model.js';
import { TrackingChecksRepository } from './sums/tracking/tracking-checks.repository.js';
import { TrackingValuesRepository } from './sums/tracking/tracking-values.repository.js';
import { TrackingWritesRepository } from './sums/tracking/tracking-writes.repository.js';
import { TransactionDetailsRepository } from './detail/transaction-details.repository.js';
import { TransactionDetailsService } from './detail/transaction-details.service.js';
import { TransactionFeedsRepository } from './feeds/transaction-feeds.repository.js';
import { TransactionFeedsService } from './feeds/transaction-feeds.service.js';
import { PersonSalesRepository } from './personal-data/person-sales.repository.js';
import { PersonSalesService } from './personal-data/person-sales.service.js';
import { OldTransactionsRepository } from './personal-data/old-transactions.repository.js';
import { OldTransactionsService } from './personal-data/old-transactions.service.js';
import { StoredPersonalDataService } from './personal-data/stored-personal-data.service.js';
import { TransactionWritesRepository } from './writes/transaction-writes.repository.js';
import { PrincipalsModule } from '../accounts/principals.module.js';
import { SalesRemovalService } from './writes/sales-removal.service.js';
import { TransactionWritesService } from './writes/transaction-writes.service.js';
import { TransactionsRepository } from './list/transactions.repository.js';
import { TransactionsService } from './list/transactions.service.js';
import { TransactionWalkService } from './list/transaction-walk.service.js';

@Module({
  imports: [AnswerMemoryModule, ChangesModule, HttpCacheModule, PrincipalsModule],
  controllers: [TransactionsControllerV3, TransactionDetailsController, TransactionsControllerV2],
  providers: [
    TransactionsService,
    TransactionWalkService,
    TransactionsRepository,
    TransactionWritesRepository,
    TransactionWritesService,
    StoredPersonalDataService,
    PersonSalesRepository,
    PersonSalesService,
    OldTransactionsRepository,
    OldTransactionsService,
    LedgerCountsWritesRepository,
    LedgerVerificationRepository,
    LedgerRevisionsRepository,
    LedgerRevisionsService,
    LedgerReadsService,
    { provide: RevisionSource, useClass: LedgerRevisionSource },
    TransactionChangeSource,
    ChangedTransactionsRepository,
    ListCountsCache,
    SalesRemovalService,
    ListCountsRepository,
    AffiliateSalesRepository,
    AffiliateSalesService,
    ReportSumsWritesRepository,
    RefundCohortsWritesRepository,
    UnpaidCommissionsWritesRepository,
    TrackingBounds,
    TrackingWritesRepository,
    TrackingValuesRepository,
    TrackingChecksRepository,
    TransactionFeedsService,
    TransactionFeedsRepository,
    TransactionDetailsRepository,
    TransactionDetailsService,
    AgreementPaymentsRepository,
    AgreementPaymentsService,
    RenderingRepository,
    RenderingService,
  ],
  exports: [
    RenderingService,
    TransactionsService,
    TransactionWalkService,
    TransactionWritesService,
    SalesRemovalService,
    OldTransactionsService,
    PersonSalesService,
    StoredPersonalDataService,
    AffiliateSalesService,
    AgreementPaymentsService,
    LedgerReadsService,
    TrackingBounds,
  ],
})
export class TransactionsModule {}
