import { Feature } from '../../feature.js';
import { RECURRING_SUMS } from '../../ledger/sums/recurring-sums.js';
import { OutgoingModule } from '../../platform/outgoing/outgoing.module.js';
import { AuditModule } from '../audit/index.js';
import { ChangesModule } from '../../ledger/changes/changes.module.js';
import { ProductsModule } from '../products/index.js';
import { UpstreamsModule } from '../mirror/index.js';
import { CancelLeasesRepository } from './cancel/cancel-leases.repository.js';
import { CancelLeasesService } from './cancel/cancel-leases.service.js';
import { CancelRetriesService, RecurringCancelService } from './cancel/recurring-cancel.service.js';
import { CancelTimesService } from './cancel/cancel-times.service.js';
import { PaymentProcessor } from './cancel/payment-processor.js';
import { RecurringCancelEntity, RecurringPaymentEntity } from './recurring-payment.entity.js';
import {
  RecurringPaymentChangeSource,
  RecurringPaymentsController,
} from './recurring-payments.v2.0.controller.js';
import { AnswerMemoryModule } from '../../platform/limits/memory/answer-memory.js';
import { RecurringQueriesController } from './query/recurring-queries.controller.js';
import { RecurringQueriesRepository } from './query/recurring-queries.repository.js';
import { RecurringQueriesService } from './query/recurring-queries.service.js';
import { NarrowedListsService } from './list/narrowed-lists.service.js';
import { RecurringListsRepository } from './list/recurring-lists.repository.js';
import { RecurringListsService } from './list/recurring-lists.service.js';
import { SubscriptionNamesRepository } from './names/subscription-names.repository.js';
import { NameBounds, SubscriptionNamesService } from './names/subscription-names.service.js';
import { PersonSubscriptionsRepository } from './person-subscriptions.repository.js';
import { PersonSubscriptionsService } from './person-subscriptions.service.js';
import { RecurringRepository } from './recurring.repository.js';
import { RecurringService } from './recurring.service.js';

@Feature({
  imports: [
    AnswerMemoryModule,
    AuditModule,
    ChangesModule,
    OutgoingModule,
    ProductsModule,
    UpstreamsModule,
  ],
  controllers: [RecurringPaymentsController, RecurringQueriesController],
  providers: [
    RecurringService,
    RecurringCancelService,
    CancelLeasesService,
    CancelLeasesRepository,
    CancelTimesService,
    RecurringRepository,
    RecurringListsService,
    RecurringListsRepository,
    NarrowedListsService,
    RecurringQueriesService,
    RecurringQueriesRepository,
    NameBounds,
    SubscriptionNamesRepository,
    SubscriptionNamesService,
    PersonSubscriptionsRepository,
    PersonSubscriptionsService,
    PaymentProcessor,
  ],
  exports: [
    CancelTimesService,
    PersonSubscriptionsService,
    RecurringService,
    RecurringListsService,
    RecurringQueriesService,
    RecurringCancelService,
  ],
  entities: [RecurringPaymentEntity, RECURRING_SUMS.entity, RecurringCancelEntity],
  jobs: [CancelRetriesService],
  changes: [RecurringPaymentChangeSource],
})
export class RecurringModule {}
