import { Injectable } from '@nestjs/common';
import { dateTimeIn } from '../../../platform/values/time.js';
import { Metrics } from '../../../platform/observability/metrics.js';
import { everyJob, JobQueue, type SlotLimit } from '../../../platform/jobs/job-queue.js';
import { DELIVERY_BYTES } from '../webhook.model.js';
import { WebhooksRepository, type DueEndpoint } from '../webhooks.repository.js';
import { DeliveriesService } from './deliveries.service.js';

const POLL_MS = 1_000;
/** A poll finds at most this many endpoints whose last delivery failed, and as many others. */
const MAX_FOUND = 200;

/**
 * Limits the calls of a process, so that slow receivers do not delay the others. A body that may be
 * larger than the default stays in memory until its call ends, so there are fewer calls of those.
 */
export const DELIVERY_LIMITS: readonly SlotLimit<DueEndpoint>[] = [
  { max: 100, group: everyJob },
  { max: 50, group: ({ failures }) => (failures > 0 ? 'failing' : null) },
  { max: 3, group: ({ vendor_id }) => vendor_id },
  { max: 16, group: (endpoint) => (isLarge(endpoint) ? 'large' : null) },
  { max: 8, group: (endpoint) => (isLarge(endpoint) && endpoint.failures > 0 ? 'failing' : null) },
  { max: 2, group: (endpoint) => (isLarge(endpoint) ? endpoint.vendor_id : null) },
];

/** Polls for endpoints with changes to send, and sends them until the service stops. */
@Injectable()
export class DeliveryLoopService extends JobQueue<DueEndpoint> {
  constructor(
    private readonly repository: WebhooksRepository,
    private readonly deliveries: DeliveriesService,
    metrics: Metrics,
  ) {
    super('Webhooks could not be sent', POLL_MS, DELIVERY_LIMITS);
    const help = 'Endpoints of webhooks that this process sends to.';
    metrics.gauge('webhooks_sending', help, 'state', () => ({ sending: this.size }));
  }

  protected async due(): Promise<DueEndpoint[]> {
    const now = dateTimeIn(0);
    const healthy = await this.repository.due(now, 'healthy', MAX_FOUND);
    return [...healthy, ...(await this.repository.due(now, 'failing', MAX_FOUND))];
  }

  protected attempt({ id }: DueEndpoint, { signal }: AbortController): Promise<void> {
    return this.deliveries.deliver(id, signal);
  }
}

function isLarge({ max_bytes }: DueEndpoint): boolean {
  return max_bytes > DELIVERY_BYTES.default;
}
