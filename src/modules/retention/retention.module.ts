import { Module } from '@nestjs/common';
import { repositoriesOf } from '../../database/entities/inject-repository.js';
import { AccountsModule } from '../accounts/accounts.module.js';
import { AuditModule } from '../audit/audit.module.js';
import { RecurringModule } from '../recurring/recurring.module.js';
import { TransactionsModule } from '../transactions/transactions.module.js';
import { UpstreamsModule } from '../upstreams/upstreams.module.js';
import { WebhooksModule } from '../webhooks/webhooks.module.js';
import { RetainedFromService } from './retained-from.service.js';
import { RetentionRulesService } from './retention-rules.service.js';
import { RetainedLedgerEntity, RetentionRuleEntity } from './retention.entity.js';
import { RetentionRepository } from './retention.repository.js';
import { RetentionLoopService } from './runs/retention-loop.service.js';
import { RetentionRunService } from './runs/retention-run.service.js';
import { RetentionTurnsService } from './runs/retention-turns.service.js';

@Module({
  imports: [
    AccountsModule,
    AuditModule,
    RecurringModule,
    TransactionsModule,
    UpstreamsModule,
    WebhooksModule,
  ],
  providers: [
    RetainedFromService,
    RetentionRulesService,
    RetentionRepository,
    RetentionLoopService,
    RetentionRunService,
    RetentionTurnsService,
    ...repositoriesOf(RetentionRuleEntity, RetainedLedgerEntity),
  ],
  exports: [RetainedFromService, RetentionRulesService, RetentionRunService, RetentionLoopService],
})
export class RetentionModule {}
