import { Injectable } from '@nestjs/common';
import { dateTimeOf } from '../../../common/time.js';
import { Database } from '../../../database/database.js';
import type { WebhookDelivery, WebhookEndpoint } from '../webhook.model.js';
import { WebhooksRepository } from '../webhooks.repository.js';

/**
 * A lease lasts longer than a call (15 seconds) and the reads before it, so the owner of an expired
 * lease has stopped.
 */
export const CLAIM_MS = 30_000;

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
  constructor(
    private readonly database: Database,
    private readonly repository: WebhooksRepository,
  ) {}

  /** @returns null if nothing is due, or another process has the lease */
  take(id: number, claim: string): Promise<WebhookEndpoint | null> {
    return this.database.writeIdempotent(async (session) => {
      const now = Date.now();
      const found = await this.repository.locked(session, id);
      if (found === null || !isFree(found, claim, dateTimeOf(new Date(now)))) return null;
      const claimed = { claim, claim_ends: dateTimeOf(new Date(now + CLAIM_MS)) };
      await this.repository.change(session, id, claimed);
      return { ...found, ...claimed };
    });
  }

  /**
   * Writes the result of a delivery.
   * @param goesOn true to keep the lease for the next delivery
   * @returns the endpoint, or null if the lease was lost meanwhile; then nothing is written
   */
  end(
    sender: WebhookEndpoint,
    { changes, delivery }: DeliveryResult,
    goesOn: boolean,
  ): Promise<WebhookEndpoint | null> {
    const { id, claim, number } = sender;
    return this.database.writeIdempotent(async (session) => {
      const found = await this.repository.locked(session, id);
      // A repetition after a commit with an unknown outcome recognizes its own change by the
      // number.
      if (found === null || (found.claim !== claim && found.number === number)) return null;
      if (found.number !== number) return goesOn ? found : null;
      // Changes that the owner made meanwhile are not overwritten.
      const isOverruled = isChanged(found, sender);
      const keepsTurn = goesOn && !isOverruled;
      const after = {
        ...(isOverruled ? {} : changes),
        number: number + (delivery === null ? 0 : 1),
        claim: keepsTurn ? claim : null,
        claim_ends: keepsTurn ? dateTimeOf(new Date(Date.now() + CLAIM_MS)) : null,
      };
      await this.repository.change(session, id, after);
      if (delivery !== null) {
        const numbered = { endpoint_id: id, number: number + 1, ...delivery };
        await this.repository.addDelivery(session, numbered);
      }
      return { ...found, ...after };
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

function isFree({ state, next_try, claim, claim_ends }: WebhookEndpoint, own: string, now: string) {
  if (claim === own) return true;
  return state === 'active' && next_try <= now && (claim_ends === null || claim_ends <= now);
}
