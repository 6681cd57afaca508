import { Feature } from '../../feature.js';
import { AccountsModule } from '../accounts/accounts.module.js';
import { AuditModule } from '../audit/audit.module.js';
import { RecurringModule } from '../recurring/recurring.module.js';
import { TransactionsModule } from '../transactions/transactions.module.js';
import { UpstreamsModule } from '../mirror/index.js';
import { WebhooksModule } from '../webhooks/index.js';
import { RetentionRulesService } from './retention-rules.service.js';
import { RetainedLedgerEntity, RetentionRuleEntity } from './retention.entity.js';
import { RetentionRepository } from './retention.repository.js';
import { RetentionLoopService, RetentionRunService } from './runs/retention-run.service.js';

@Feature({
  imports: [
    AccountsModule,
    AuditModule,
    RecurringModule,
    TransactionsModule,
    UpstreamsModule,
    WebhooksModule,
  ],
  providers: [RetentionRulesService, RetentionRepository, RetentionRunService],
  exports: [RetentionRulesService, RetentionRunService],
  entities: [RetentionRuleEntity, RetainedLedgerEntity],
  jobs: [RetentionLoopService],
})
export class RetentionModule {}
