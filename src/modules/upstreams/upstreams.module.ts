import { Feature } from '../../feature.js';
import { UpstreamProblemEntity } from './problems/upstream-problem.entity.js';
import { OutgoingModule } from '../../outgoing/outgoing.module.js';
import { AccountsModule } from '../accounts/accounts.module.js';
import { AuditModule } from '../audit/audit.module.js';
import { AnswerThreadClient } from './answers/answer-thread-client.js';
import { UpstreamNotificationsController } from './http/ledger-1/notify.controller.js';
import { NotificationsService } from './registry/notifications.service.js';
import { UpstreamChangesService } from './registry/upstream-changes.service.js';
import { UpstreamProblemsRepository } from './problems/upstream-problems.repository.js';
import { UpstreamCandidatesService } from './registry/upstream-candidates.service.js';
import { UpstreamSecrets } from './registry/upstream-secrets.js';
import { UpstreamsService } from './registry/upstreams.service.js';
import { UpstreamEntity, UpstreamReadEntity } from './upstream.entity.js';
import { UpstreamClientService } from './client/upstream-client.service.js';
import { UpstreamTurnsService } from './turns/upstream-turns.service.js';
import { UpstreamWritesService } from './writes/upstream-writes.service.js';
import { UpstreamsRepository } from './upstreams.repository.js';

@Feature({
  imports: [AccountsModule, AuditModule, OutgoingModule],
  controllers: [UpstreamNotificationsController],
  providers: [
    { provide: AnswerThreadClient, useFactory: () => new AnswerThreadClient() },
    UpstreamsService,
    UpstreamChangesService,
    NotificationsService,
    UpstreamClientService,
    UpstreamTurnsService,
    UpstreamWritesService,
    UpstreamCandidatesService,
    UpstreamSecrets,
    UpstreamsRepository,
    UpstreamProblemsRepository,
  ],
  exports: [
    UpstreamsService,
    UpstreamChangesService,
    NotificationsService,
    UpstreamClientService,
    UpstreamTurnsService,
    UpstreamWritesService,
  ],
  entities: [UpstreamEntity, UpstreamReadEntity, UpstreamProblemEntity],
})
export class UpstreamsModule {}
