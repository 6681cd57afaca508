import { Feature } from '../../feature.js';
import { OutgoingModule } from '../../platform/outgoing/outgoing.module.js';
import { AccountsModule } from '../accounts/index.js';
import { AuditModule } from '../audit/index.js';
import { ChangesModule } from '../../ledger/changes/changes.module.js';
import { DeliveriesService } from './delivery/deliveries.service.js';
import { DeliveryLoopService } from './delivery/deliveries.job.js';
import { WebhookMessagesService } from './delivery/webhook-messages.service.js';
import { WebhookSecrets } from './webhook-secrets.js';
import { WebhooksService } from './webhooks.service.js';
import { WebhooksController } from './webhooks.controller.js';
import { WebhookDeliveryEntity, WebhookEndpointEntity } from './webhook-endpoint.entity.js';
import { WebhooksRepository } from './webhooks.repository.js';

@Feature({
  imports: [AccountsModule, AuditModule, ChangesModule, OutgoingModule],
  controllers: [WebhooksController],
  providers: [
    WebhooksService,
    WebhookSecrets,
    WebhooksRepository,
    DeliveriesService,
    WebhookMessagesService,
  ],
  exports: [WebhooksService, WebhookMessagesService],
  entities: [WebhookEndpointEntity, WebhookDeliveryEntity],
  jobs: [DeliveryLoopService],
  personalData: [WebhooksService],
})
export class WebhooksModule {}
