import { Feature } from '../../feature.js';
import { AffiliateTermsEntity, DailyClicksEntity } from './affiliate-terms.entity.js';
import { AccountsModule } from '../accounts/index.js';
import { AuditModule } from '../audit/index.js';
import { ChangesModule } from '../../ledger/changes/changes.module.js';
import { ProductsModule } from '../products/index.js';
import { TransactionsModule } from '../transactions/index.js';
import { UpstreamsModule } from '../mirror/index.js';
import { Audiences } from '../../platform/pages/audiences.js';
import { AffiliateAudiences } from './affiliate-audiences.js';
import { AffiliatesRepository } from './affiliates.repository.js';
import { AffiliatesService } from './affiliates.service.js';
import { RelationshipWritesService } from './relationship-writes.service.js';
import { RelationshipsController as RelationshipsControllerV20 } from './http/relationships.v2.0.controller.js';
import {
  RelationshipChangeSource,
  RelationshipsController as RelationshipsControllerV21,
} from './http/relationships.v2.1.controller.js';
import { AffiliateQueriesController } from './query/affiliate-queries.controller.js';
import { AffiliateQueriesRepository } from './query/affiliate-queries.repository.js';
import { AffiliateQueriesService } from './query/affiliate-queries.service.js';
import { RelationshipQueriesController } from './query/relationship-queries.controller.js';
import { RelationshipQueriesRepository } from './query/relationship-queries.repository.js';
import { RelationshipQueriesService } from './query/relationship-queries.service.js';
import { StatisticsController } from './http/statistics.v2.1.controller.js';

@Feature({
  imports: [
    AccountsModule,
    AuditModule,
    ChangesModule,
    ProductsModule,
    TransactionsModule,
    UpstreamsModule,
  ],
  controllers: [
    RelationshipsControllerV21,
    StatisticsController,
    RelationshipsControllerV20,
    RelationshipQueriesController,
    AffiliateQueriesController,
  ],
  providers: [
    AffiliatesService,
    RelationshipWritesService,
    AffiliatesRepository,
    RelationshipQueriesService,
    RelationshipQueriesRepository,
    AffiliateQueriesService,
    AffiliateQueriesRepository,
    { provide: Audiences, useClass: AffiliateAudiences },
  ],
  exports: [AffiliatesService, RelationshipWritesService, Audiences],
  entities: [AffiliateTermsEntity, DailyClicksEntity],
  changes: [RelationshipChangeSource],
})
export class AffiliatesModule {}
