import { Feature } from '../../feature.js';
import { TransactionEntity, PayoutItemEntity } from '../../ledger/reads/transaction.entity.js';
import {
  LedgerRevisionEntity,
  LedgerArrivalEntity,
} from '../../ledger/revisions/ledger-revision.entity.js';
import { AnswerMemoryModule } from '../../platform/limits/memory/answer-memory.js';
import { SubscriptionPaymentsRepository } from './subscription-payments.repository.js';
import { SubscriptionPaymentsService } from './subscription-payments.service.js';
import { AffiliateSalesRepository } from '../../ledger/sums/affiliate-sales.js';
import { TransactionsController as TransactionsControllerV2 } from './http/transactions.v2.0.controller.js';
import { TransactionDetailsController } from './http/transaction-details.v2.1.controller.js';
import { TransactionsController as TransactionsControllerV3 } from './http/transactions.v3.0.controller.js';
import { ChangesModule } from '../../ledger/changes/changes.module.js';
import { TransactionChangeSource } from './http/transaction-change.source.js';
import { HttpCacheModule } from '../../api/cache/page-cache.js';
import { RevisionSource } from '../../api/cache/revision-source.js';
import { RenderingRepository } from '../../ledger/reads/rendering.repository.js';
import { LedgerRevisionSource } from './http/ledger-revision.source.js';
import { LedgerSales } from '../../ledger/reads/ledger-sales.repository.js';
import { LedgerLocksRepository } from '../../ledger/revisions/ledger-locks.repository.js';
import { LedgerReadsService } from '../../ledger/revisions/ledger-reads.service.js';
import { ListCache } from './list/list-cache.js';
import { ListCountsRepository } from './list/list-counts.repository.js';
import { KeptSumsRepository, KEPT_SUMS } from '../../ledger/sums/kept-sums.repository.js';
import {
  TrackingBounds,
  TrackingValueEntity,
  TRACKING_SUMS,
} from '../../ledger/sums/tracking-sums.js';
import { TrackingSumsRepository } from '../../ledger/sums/tracking-sums.repository.js';
import { TransactionFeedsRepository } from './list/transaction-feeds.repository.js';
import { TransactionFeedsService } from './list/transaction-feeds.service.js';
import { PersonSalesRepository } from './person-sales.repository.js';
import { PersonSalesService } from './person-sales.service.js';
import { TransactionWritesRepository } from '../../ledger/writes/transaction-writes.repository.js';
import { TransactionWritesService } from '../../ledger/writes/transaction-writes.service.js';
import { TransactionsRepository } from './list/transactions.repository.js';
import { TransactionsService } from './list/transactions.service.js';
import { TransactionWalkService } from './list/transaction-walk.service.js';
import { SaleDaysRepository } from '../../ledger/sums/sale-days.repository.js';
import { CountedRowsRepository } from './query/counted-rows.repository.js';
import { CountedRowsService } from './query/counted-rows.service.js';
import { FigureTotals } from './query/figure-totals.js';
import { QueryKeysRepository } from './query/query-keys.repository.js';
import { TransactionQueriesController } from './http/transaction-queries.controller.js';
import { TransactionQueriesService } from './query/transaction-queries.service.js';
import { QueryWalkService } from './query/query-walk.service.js';
import { QueryPages, QuerySlices } from './query/query-pages.js';

@Feature({
  imports: [AnswerMemoryModule, ChangesModule, HttpCacheModule],
  controllers: [
    TransactionsControllerV3,
    TransactionDetailsController,
    TransactionsControllerV2,
    TransactionQueriesController,
  ],
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
    LedgerSales,
    { provide: RevisionSource, useClass: LedgerRevisionSource },
    ListCache,
    ListCountsRepository,
    AffiliateSalesRepository,
    TrackingBounds,
    TrackingSumsRepository,
    KeptSumsRepository,
    TransactionFeedsService,
    TransactionFeedsRepository,
    SubscriptionPaymentsRepository,
    SubscriptionPaymentsService,
    RenderingRepository,
    SaleDaysRepository,
    CountedRowsRepository,
    CountedRowsService,
    FigureTotals,
    QueryKeysRepository,
    QueryPages,
    QuerySlices,
    TransactionQueriesService,
    QueryWalkService,
  ],
  exports: [
    FigureTotals,
    CountedRowsService,
    QueryKeysRepository,
    QueryPages,
    QueryWalkService,
    RenderingRepository,
    TransactionsRepository,
    TransactionWalkService,
    TransactionWritesService,
    PersonSalesService,
    SubscriptionPaymentsService,
    LedgerReadsService,
    LedgerSales,
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
