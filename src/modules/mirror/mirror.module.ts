import { Feature } from '../../feature.js';
import { AccountsModule } from '../accounts/index.js';
import { RecordsInModule } from '../records-in/index.js';
import { ProductsModule } from '../products/index.js';
import { RecurringModule } from '../recurring/index.js';
import { TransactionsModule } from '../transactions/index.js';
import { UpstreamsService } from './upstreams/upstreams.service.js';
import { UpstreamsModule } from './upstreams.module.js';
import { MirroredRecordsService } from './records/mirrored-records.service.js';
import { MirroredSalesService } from './records/mirrored-sales.service.js';
import { ListRangeService } from './runs/list-range.service.js';
import { MirrorLoopService } from './runs/mirror.job.js';
import { MirrorReaderService } from './runs/mirror-reader.service.js';
import { MirrorRunService, PaymentRoundsService } from './runs/mirror-run.service.js';
import {
  UpstreamEntity,
  UpstreamProblemEntity,
  UpstreamReadEntity,
} from './upstreams/upstream.entity.js';
import { UpstreamTurnsService } from './runs/upstream-turns.service.js';
import { WaitingReadsService } from './runs/waiting-reads.service.js';

@Feature({
  imports: [
    AccountsModule,
    RecordsInModule,
    ProductsModule,
    RecurringModule,
    TransactionsModule,
    UpstreamsModule,
  ],
  providers: [
    MirroredRecordsService,
    MirroredSalesService,
    ListRangeService,
    UpstreamTurnsService,
    WaitingReadsService,
    PaymentRoundsService,
    MirrorRunService,
    MirrorReaderService,
  ],
  exports: [UpstreamsModule],
  entities: [UpstreamEntity, UpstreamReadEntity, UpstreamProblemEntity],
  jobs: [MirrorLoopService],
  personalData: [UpstreamsService],
})
export class MirrorModule {}
