import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { dateTimeOf, formatDateTime } from '../../../common/time.js';
import { LEDGER_KINDS } from '../../changes/change.model.js';
import { ChangesFeedService } from '../../changes/feed/changes-feed.service.js';
import { feedItemJson } from '../../changes/feed/feed-item-json.model.js';
import type { WebhookEndpoint, WebhookMessage } from '../webhook.model.js';

const MAX_CHANGES = 100;
/** A body has about so many bytes beside its changes: the cursor has at most 16 digits. */
const FRAME_BYTES = 256;

/** The next changes for an endpoint. */
export interface NextChanges {
  /** Null if nothing is to be sent, though the cursor moves. */
  readonly message: WebhookMessage | null;
  readonly sequences: readonly number[];
  /** The endpoint's position once they are taken. */
  readonly position: number;
  readonly has_more: boolean;
}

/** What is sent to endpoints (ledger interface, Webhooks). */
@Injectable()
export class WebhookMessagesService {
  constructor(private readonly feed: ChangesFeedService) {}

  async next({ id, vendor_id, position, max_bytes }: WebhookEndpoint): Promise<NextChanges> {
    const page = await this.feed.pageNow({
      vendor_id,
      after: position,
      limit: MAX_CHANGES,
      max_bytes,
      kinds: LEDGER_KINDS,
      isMasked: false,
    });
    const fitting = fittingOf(page.items.map(feedItemJson), max_bytes);
    const sequences = page.items.slice(0, fitting.length).map(({ sequence }) => sequence);
    const isWhole = fitting.length === page.items.length;
    const cursor = isWhole ? page.cursor : (sequences.at(-1) ?? page.cursor);
    const data = `{"changes":[${fitting.join(',')}],"cursor":"${cursor}"}`;
    return {
      message: fitting.length === 0 ? null : messageOf(id, 'ledger.changes', data),
      ...{ sequences, position: cursor, has_more: page.has_more || !isWhole },
    };
  }

  test({ id }: Pick<WebhookEndpoint, 'id'>): WebhookMessage {
    return messageOf(id, 'ledger.test', JSON.stringify({ sent: now() }));
  }
}

/** As many as fit into a message, and at least one. */
function fittingOf(items: readonly string[], max_bytes: number): string[] {
  let bytes = FRAME_BYTES;
  const end = items.findIndex((item) => {
    bytes += Buffer.byteLength(item) + 1;
    return bytes > max_bytes;
  });
  return end === -1 ? [...items] : items.slice(0, Math.max(end, 1));
}

/** The same data has the same id, whenever it is sent. */
function messageOf(endpoint_id: number, type: string, data: string): WebhookMessage {
  const hash = createHash('sha256').update(`${endpoint_id}.${data}`).digest('base64url');
  return { id: `msg_${hash}`, body: `{"type":"${type}","timestamp":"${now()}","data":${data}}` };
}

function now(): string {
  return formatDateTime(dateTimeOf(new Date()));
}
