import { Feature } from '../../feature.js';
import { TransactionEntity } from './transaction.entity.js';
import { PayoutItemEntity } from './payout-item.entity.js';
import { LedgerRevisionEntity, LedgerArrivalEntity } from './revisions/ledger-revision.entity.js';
import { AnswerMemoryModule } from '../../answer-memory/answer-memory.module.js';
import { SubscriptionPaymentsRepository } from './subscriptions/subscription-payments.repository.js';
import { SubscriptionPaymentsService } from './subscriptions/subscription-payments.service.js';
import { AffiliateSalesRepository } from './sums/affiliate-sales.js';
import { TransactionsController as TransactionsControllerV2 } from './http/v2.0/transactions.controller.js';
import { TransactionDetailsController } from './http/v2.1/transaction-details.controller.js';
import { TransactionsController as TransactionsControllerV3 } from './http/v3.0/transactions.controller.js';
import { ChangesModule } from '../changes/changes.module.js';
import { TransactionChangeSource } from './http/transaction-change.source.js';
import { HttpCacheModule } from '../../http-cache/page-cache.js';
import { RevisionSource } from '../../http-cache/revision-source.js';
import { RenderingRepository } from './rendered/rendering.repository.js';
import { RenderingService } from './rendered/rendering.service.js';
import { LedgerRevisionSource } from './http/ledger-revision.source.js';
import { LedgerLocksRepository } from './revisions/ledger-locks.repository.js';
import { LedgerReadsService } from './revisions/ledger-reads.service.js';
import { ListCountsRepository } from './list/list-counts.repository.js';
import { ListCountsCache } from './list/list-counts.cache.js';
import { KeptSumsRepository, KEPT_SUMS } from './sums/kept-sums.repository.js';
import {
  TrackingBounds,
  TrackingValueEntity,
  TRACKING_SUMS,
} from './sums/tracking/tracking-sums.js';
import { TrackingSumsRepository } from './sums/tracking/tracking-sums.repository.js';
import { TransactionDetailsRepository } from './detail/transaction-details.repository.js';
import { TransactionFeedsRepository } from './feeds/transaction-feeds.repository.js';
import { TransactionFeedsService } from './feeds/transaction-feeds.service.js';
import { PersonSalesRepository } from './personal-data/person-sales.repository.js';
import { PersonSalesService } from './personal-data/person-sales.service.js';
import { TransactionWritesRepository } from './writes/transaction-writes.repository.js';
import { SalesRemovalService } from './writes/sales-removal.service.js';
import { TransactionWritesService } from './writes/transaction-writes.service.js';
import { TransactionsRepository } from './list/transactions.repository.js';
import { TransactionsService } from './list/transactions.service.js';
import { TransactionWalkService } from './list/transaction-walk.service.js';

@Feature({
  imports: [AnswerMemoryModule, ChangesModule, HttpCacheModule],
  controllers: [TransactionsControllerV3, TransactionDetailsController, TransactionsControllerV2],
  providers: [
    TransactionsService,
    TransactionWalkService,
    TransactionsRepository,
    TransactionWritesRepository,
    TransactionWritesService,
    PersonSalesRepository,
    PersonSalesService,
    LedgerLocksRepository,
    LedgerReadsService,
    { provide: RevisionSource, useClass: LedgerRevisionSource },
    ListCountsCache,
    SalesRemovalService,
    ListCountsRepository,
    AffiliateSalesRepository,
    TrackingBounds,
    TrackingSumsRepository,
    KeptSumsRepository,
    TransactionFeedsService,
    TransactionFeedsRepository,
    TransactionDetailsRepository,
    SubscriptionPaymentsRepository,
    SubscriptionPaymentsService,
    RenderingRepository,
    RenderingService,
  ],
  exports: [
    RenderingService,
    TransactionsService,
    TransactionWalkService,
    TransactionWritesService,
    SalesRemovalService,
    PersonSalesService,
    SubscriptionPaymentsService,
    LedgerReadsService,
    TrackingBounds,
    TrackingSumsRepository,
    AffiliateSalesRepository,
  ],
  entities: [
    TransactionEntity,
    PayoutItemEntity,
    LedgerRevisionEntity,
    LedgerArrivalEntity,
    ...KEPT_SUMS.map(({ entity }) => entity),
    TrackingValueEntity,
    TRACKING_SUMS.entity,
  ],
  changes: [TransactionChangeSource],
})
export class TransactionsModule {}
