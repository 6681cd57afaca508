import { Injectable } from '@nestjs/common';
import { dateTimeIn } from '../../../platform/values/time.js';
import { Database } from '../../../platform/database/database.js';
import { Leases, NO_LEASE, type Held } from '../../../platform/jobs/lease.js';
import type { WebhookDelivery, WebhookEndpoint } from '../webhook.model.js';
import { WebhooksRepository } from '../webhooks.repository.js';

/**
 * A lease lasts longer than a call (15 seconds) and the reads before it, so the owner of an expired
 * lease has stopped.
 */
export const LEASE_MS = 30_000;

/** Holds the result of a delivery. */
export interface DeliveryResult {
  /** Changes of the endpoint. */
  readonly changes: Partial<WebhookEndpoint>;
  /** The delivery to store; null if nothing was sent. */
  readonly delivery: Omit<WebhookDelivery, 'endpoint_id' | 'number'> | null;
}

/** Decides which process sends to an endpoint: one at a time, across all instances. */
@Injectable()
export class DeliveryTurnsService {
  private readonly leases: Leases<number, WebhookEndpoint>;

  constructor(
    private readonly database: Database,
    private readonly repository: WebhooksRepository,
  ) {
    this.leases = new Leases(database, repository, LEASE_MS);
  }

  /** @returns null if nothing is due, or another process has the lease */
  take(id: number): Promise<Held<WebhookEndpoint> | null> {
    const isDue = ({ state, next_try }: WebhookEndpoint) =>
      state === 'active' && next_try <= dateTimeIn(0);
    return this.leases.take(id, isDue);
  }

  /**
   * Writes the result of a delivery.
   * @param goesOn true to keep the lease for the next delivery
   * @returns the endpoint if this process keeps the lease. If it was lost meanwhile, nothing is
   *   written.
   */
  end(
    sender: Held<WebhookEndpoint>,
    { changes, delivery }: DeliveryResult,
    goesOn: boolean,
  ): Promise<Held<WebhookEndpoint> | null> {
    const { id, claim, number } = sender;
    return this.database.writeIdempotent(async (session) => {
      const found = await this.repository.locked(session, id);
      // A repetition after a commit with an unknown outcome recognizes its own change by the
      // number.
      if (found === null || (found.claim !== claim && found.number === number)) return null;
      if (found.number !== number)
        return goesOn && found.claim === claim ? { ...found, claim } : null;
      // Changes that the owner made meanwhile are not overwritten.
      const isOverruled = isChanged(found, sender);
      const keepsTurn = goesOn && !isOverruled;
      const after = {
        ...(isOverruled ? {} : changes),
        number: number + (delivery === null ? 0 : 1),
        ...(keepsTurn ? this.leases.lasting(claim) : NO_LEASE),
      };
      await this.repository.change(session, id, after);
      if (delivery !== null) {
        const numbered = { endpoint_id: id, number: number + 1, ...delivery };
        await this.repository.addDelivery(session, numbered);
      }
      return keepsTurn ? { ...found, ...after, claim } : null;
    });
  }
}

function isChanged(found: WebhookEndpoint, sender: WebhookEndpoint): boolean {
  return (
    found.position !== sender.position ||
    found.state !== sender.state ||
    found.url !== sender.url ||
    found.max_bytes !== sender.max_bytes
  );
}
