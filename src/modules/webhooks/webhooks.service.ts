import { Injectable } from '@nestjs/common';
import type { Session } from '../../platform/database/database.js';
import { ChangesFeedService } from '../../ledger/changes/changes-feed.service.js';
import { DeliveriesService, type Called } from './delivery/deliveries.service.js';
import {
  failingOf,
  shown,
  UnknownEndpointError,
  type FailingDelivery,
  type ShownEndpoint,
  type WebhookDelivery,
  type WebhookEndpoint,
} from './webhook.model.js';
import { WebhooksRepository } from './webhooks.repository.js';

/** Returns the endpoints of vendors and the results of their deliveries. */
@Injectable()
export class WebhooksService {
  constructor(
    private readonly repository: WebhooksRepository,
    private readonly feed: ChangesFeedService,
    private readonly sender: DeliveriesService,
  ) {}

  async list(vendor_id: number): Promise<ShownEndpoint[]> {
    return (await this.repository.endpointsOf(vendor_id)).map(shown);
  }

  /** Returns the endpoints of all vendors. */
  async all(): Promise<ShownEndpoint[]> {
    return (await this.repository.all()).map(shown);
  }

  /** @throws UnknownEndpointError if the vendor has no such endpoint */
  async get(vendor_id: number, id: number): Promise<ShownEndpoint> {
    return shown(await this.known(vendor_id, id));
  }

  /** @throws UnknownEndpointError if there is no such endpoint */
  async ownerOf(id: number): Promise<number> {
    const owner = await this.repository.ownerOf(id);
    if (owner === null) throw new UnknownEndpointError(`There is no webhook endpoint ${id}.`);
    return owner;
  }

  /**
   * Returns the last deliveries, newest first.
   * @throws UnknownEndpointError if the vendor has no such endpoint
   */
  async deliveries(vendor_id: number, id: number): Promise<WebhookDelivery[]> {
    await this.known(vendor_id, id);
    return this.repository.deliveriesOf(id);
  }

  /** Returns the delivery that the receiver of an endpoint rejects, or null if there is none. */
  async failingOf(endpoint: ShownEndpoint): Promise<FailingDelivery | null> {
    if (endpoint.problem === null) return null;
    const [last = null] = await this.repository.deliveriesOf(endpoint.id, 1);
    const failing = failingOf(endpoint, last);
    if (failing === null) return null;
    const { webhook_id, first_sequence, last_sequence, changes } = failing;
    return { webhook_id, first_sequence, last_sequence, changes };
  }

  /**
   * Returns the maximum number of waiting changes: a record that changed twice meanwhile is sent
   * once.
   */
  async waitingFor({ vendor_id, position }: ShownEndpoint): Promise<number> {
    return Math.max(0, (await this.feed.cursorNow(vendor_id)) - position);
  }

  /**
   * Sends a test now.
   * @throws UnknownEndpointError if the vendor has no such endpoint
   */
  async test(vendor_id: number, id: number): Promise<Called> {
    return this.sender.test(await this.known(vendor_id, id), new AbortController().signal);
  }

  private async known(vendor_id: number, id: number): Promise<WebhookEndpoint> {
    const found = await this.repository.endpointOf(vendor_id, id);
    if (found === null) throw new UnknownEndpointError(`There is no webhook endpoint ${id}.`);
    return found;
  }

  /**
   * Removes the stored answers of a vendor's receivers, because they may quote the data that was
   * sent.
   */
  async forgetPersonalData(session: Session, vendor_id: number): Promise<void> {
    await this.repository.forgetAnswers(session, vendor_id);
  }
}
