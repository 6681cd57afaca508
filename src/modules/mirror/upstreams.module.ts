import { Module } from '@nestjs/common';
import { repositoriesOf } from '../../platform/database/entities/inject-repository.js';
import {
  UpstreamEntity,
  UpstreamProblemEntity,
  UpstreamReadEntity,
} from './upstreams/upstream.entity.js';
import { OutgoingModule } from '../../platform/outgoing/outgoing.module.js';
import { AccountsModule } from '../accounts/index.js';
import { AuditModule } from '../audit/index.js';
import { AnswerThreadClient } from './client/answer-thread-client.js';
import { UpstreamNotificationsController } from './notify.controller.js';
import { UpstreamSecrets } from './upstreams/upstream-secrets.js';
import { UpstreamsService } from './upstreams/upstreams.service.js';
import { UpstreamClientService } from './client/upstream-client.service.js';
import { UpstreamWritesService } from './upstreams/upstream-writes.service.js';
import { UpstreamsRepository } from './upstreams/upstreams.repository.js';

const SERVICES = [
  UpstreamsService,
  UpstreamClientService,
  UpstreamsRepository,
  UpstreamWritesService,
];

/**
 * Provides upstreams and the changes that are sent to them. It is separate from MirrorModule, which
 * imports modules that send changes themselves.
 */
@Module({
  imports: [AccountsModule, AuditModule, OutgoingModule],
  controllers: [UpstreamNotificationsController],
  providers: [
    { provide: AnswerThreadClient, useFactory: () => new AnswerThreadClient() },
    ...SERVICES,
    UpstreamSecrets,
    ...repositoriesOf(UpstreamEntity, UpstreamReadEntity, UpstreamProblemEntity),
  ],
  exports: SERVICES,
})
export class UpstreamsModule {}
