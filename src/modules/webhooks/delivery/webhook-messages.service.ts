import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { dateTimeOf, formatDateTime } from '../../../platform/values/time.js';
import { cursorOf, cursorText } from '../../../api/validation/feed-cursor.js';
import { ChangesFeedService, feedItemJson } from '../../../ledger/changes/changes-feed.service.js';
import { readBy } from '../endpoint-filter.js';
import {
  failingOf,
  type ShownDelivery,
  type WebhookDelivery,
  type WebhookEndpoint,
  type WebhookMessage,
} from '../webhook.model.js';
import { WebhooksRepository } from '../webhooks.repository.js';

const MAX_CHANGES = 100;
/** A body has about this many bytes besides its changes; the cursor has at most 33 characters. */
const FRAME_BYTES = 256;

/** Holds the next message for an endpoint, and the endpoint's position after it. */
export interface NextChanges {
  /** The message; null if nothing has to be sent, although the cursor moves. */
  readonly message: WebhookMessage | null;
  readonly sequences: readonly number[];
  /** Position of the endpoint after these changes are delivered. */
  readonly position: number;
  /** Position from which later deliveries have reasons. */
  readonly walk_from: number;
  readonly has_more: boolean;
}

/** Creates the messages that are sent to endpoints. See docs/webhooks.md#what-you-receive. */
@Injectable()
export class WebhookMessagesService {
  constructor(
    private readonly feed: ChangesFeedService,
    private readonly repository: WebhooksRepository,
  ) {}

  /**
   * Reads the changes that are due. A delivery that failed gets no later changes, so that it is the
   * same when it is sent again.
   */
  async next(endpoint: WebhookEndpoint): Promise<NextChanges> {
    const { id, vendor_id, max_bytes } = endpoint;
    const { position, walk_from } = cursorOf(endpoint);
    const end = await this.endOfFailing(endpoint);
    const page = await this.feed.pageNow({
      vendor_id,
      after: position,
      walk_from,
      limit: MAX_CHANGES,
      max_bytes,
      ...readBy(endpoint, this.feed.kinds),
      isMasked: false,
    });
    const items = page.items.filter(({ sequence }) => sequence <= end);
    const fitting = fittingOf(items.map(feedItemJson), max_bytes);
    const sequences = items.slice(0, fitting.length).map(({ sequence }) => sequence);
    const whole = Math.min(page.cursor, end);
    const cursor = fitting.length === items.length ? whole : (sequences.at(-1) ?? whole);
    const has_more = page.has_more || cursor < page.cursor;
    // The text does not depend on later changes, so that a repeated delivery has the same data.
    const text = cursorText({ position: cursor, walk_from });
    const data = `{"changes":[${fitting.join(',')}],"cursor":"${text}"}`;
    return {
      message: fitting.length === 0 ? null : messageOf(id, 'ledger.changes', data),
      sequences,
      position: cursor,
      walk_from: has_more ? walk_from : cursor,
      has_more,
    };
  }

  /** Returns the changes of a delivery that have not changed again since, with their present data. */
  async sentIn(vendor_id: number, delivery: WebhookDelivery): Promise<ShownDelivery> {
    const { endpoint_id, first_sequence: first, last_sequence: last } = delivery;
    const endpoint = await this.repository.endpointOf(vendor_id, endpoint_id);
    if (endpoint === null || first === null || last === null)
      return { delivery, payload: '', count: 0 };
    const page = await this.feed.pageNow({
      vendor_id,
      after: first - 1,
      limit: MAX_CHANGES,
      max_bytes: endpoint.max_bytes,
      ...readBy(endpoint, this.feed.kinds),
      isMasked: false,
    });
    const items = page.items.filter(({ sequence }) => sequence <= last);
    const texts = items.map((item) => JSON.stringify(JSON.parse(feedItemJson(item)), null, 2));
    return { delivery, payload: texts.join(',\n'), count: items.length };
  }

  private async endOfFailing(endpoint: WebhookEndpoint): Promise<number> {
    if (endpoint.problem === null) return Infinity;
    const failing = failingOf(endpoint, await this.repository.lastDelivery(endpoint));
    return failing?.position ?? Infinity;
  }

  test({ id }: Pick<WebhookEndpoint, 'id'>): WebhookMessage {
    return messageOf(id, 'ledger.test', JSON.stringify({ sent: now() }));
  }
}

/** Returns as many items as fit into a message, and at least one. */
function fittingOf(items: readonly string[], max_bytes: number): string[] {
  let bytes = FRAME_BYTES;
  const end = items.findIndex((item) => {
    bytes += Buffer.byteLength(item) + 1;
    return bytes > max_bytes;
  });
  return end === -1 ? [...items] : items.slice(0, Math.max(end, 1));
}

/** Creates a message. Its id depends only on the endpoint and the data, whenever it is sent. */
function messageOf(endpoint_id: number, type: string, data: string): WebhookMessage {
  const hash = createHash('sha256').update(`${endpoint_id}.${data}`).digest('base64url');
  return { id: `msg_${hash}`, body: `{"type":"${type}","timestamp":"${now()}","data":${data}}` };
}

function now(): string {
  return formatDateTime(dateTimeOf(new Date()));
}
