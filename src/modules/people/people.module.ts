import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { AuditModule } from '../audit/audit.module.js';
import { RecurringModule } from '../recurring/recurring.module.js';
import { TransactionsModule } from '../transactions/transactions.module.js';
import { UpstreamsModule } from '../upstreams/upstreams.module.js';
import { WebhooksModule } from '../webhooks/webhooks.module.js';
import { ErasePersonService } from './erase/erase-person.service.js';
import { NewTombstonesService } from './erase/new-tombstones.service.js';
import { PeopleService } from './find/people.service.js';
import { ErasuresCheckService } from './replay/erasures-check.service.js';
import { PendingErasuresService } from './replay/pending-erasures.service.js';
import { ReplayService } from './replay/replay.service.js';
import { TombstonesModule } from './tombstones/tombstones.module.js';

@Module({
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
    ErasuresCheckService,
  ],
  exports: [
    PeopleService,
    ErasePersonService,
    NewTombstonesService,
    ReplayService,
    ErasuresCheckService,
  ],
})
export class PeopleModule {}
