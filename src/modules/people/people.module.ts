import { Feature } from '../../feature.js';
import {
  ErasedPersonEntity,
  PersonKeyEntity,
  ErasureFileEntity,
} from './tombstones/erased-person.entity.js';
import { OpenImportEntity, EarlyErasuresEntity } from './open-imports/open-import.entity.js';
import { AccountsModule } from '../accounts/accounts.module.js';
import { AuditModule } from '../audit/audit.module.js';
import { RecurringModule } from '../recurring/recurring.module.js';
import { TransactionsModule } from '../transactions/transactions.module.js';
import { UpstreamsModule } from '../mirror/index.js';
import { WebhooksModule } from '../webhooks/index.js';
import { ErasePersonService } from './erase/erase-person.service.js';
import { NewTombstonesService } from './erase/new-tombstones.service.js';
import { PeopleService } from './find/people.service.js';
import { ErasuresCheckService } from './replay/erasures-check.service.js';
import { PendingErasuresService } from './replay/pending-erasures.service.js';
import { ReplayService } from './replay/replay.service.js';
import { TombstonesModule } from './tombstones/tombstones.module.js';

@Feature({
  imports: [
    AccountsModule,
    AuditModule,
    RecurringModule,
    TransactionsModule,
    UpstreamsModule,
    WebhooksModule,
    TombstonesModule,
  ],
  providers: [
    PeopleService,
    ErasePersonService,
    NewTombstonesService,
    PendingErasuresService,
    ReplayService,
  ],
  exports: [PeopleService, ErasePersonService, NewTombstonesService, ReplayService],
  entities: [
    ErasedPersonEntity,
    PersonKeyEntity,
    ErasureFileEntity,
    OpenImportEntity,
    EarlyErasuresEntity,
  ],
  jobs: [ErasuresCheckService],
})
export class PeopleModule {}
