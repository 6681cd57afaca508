import { Injectable } from '@nestjs/common';
import { dateTimeOf } from '../../platform/values/time.js';
import { Database, type Session } from '../../platform/database/database.js';
import { OutgoingHttps } from '../../platform/outgoing/outgoing-https.js';
import { NO_LEASE } from '../../platform/jobs/lease.js';
import { cursorOf } from '../../api/validation/feed-cursor.js';
import { AccountsRepository } from '../accounts/index.js';
import type { Author } from '../../platform/values/author.js';
import { AuditService } from '../audit/index.js';
import { ChangesFeedService } from '../../ledger/changes/changes-feed.service.js';
import { type Called, DeliveriesService } from './delivery/deliveries.service.js';
import { CHANGED_SINCE, namedOf, whyNotFailing } from './delivery/failing-delivery.js';
import { WebhookMessagesService } from './delivery/webhook-messages.service.js';
import {
  DELIVERY_BYTES,
  endpointSubject,
  failingOf,
  MAX_ENDPOINTS,
  NotFailingError,
  RefusedEndpointError,
  UnknownEndpointError,
  shown,
  type EndpointState,
  type EndpointWithSecret,
  type FailingDelivery,
  type ShownEndpoint,
  type WebhookDelivery,
  type WebhookEndpoint,
} from './webhook.model.js';
import { WebhooksRepository } from './webhooks.repository.js';
import { WebhookSecrets } from './webhook-secrets.js';
import { filterOf, NO_FILTER, type StoredFilter } from './endpoint-filter.js';
import { storedFilter, type FilterInput } from './filter-input.js';

/** An old secret signs beside a new one for this time. */
const OVERLAP_MS = 86_400_000;

type Changes = Partial<WebhookEndpoint>;
interface State {
  readonly state: EndpointState | 'deleted';
}

/** Describes a new endpoint. */
interface NewEndpoint extends FilterInput {
  readonly url: string;
  readonly from: 'now' | 'beginning';
  /** Maximum size of a body in bytes, within `DELIVERY_BYTES`; if absent, the default applies. */
  readonly max_bytes?: number | undefined;
}

/** Describes changes of an endpoint; absent fields stay as they are. */
export interface EndpointEdit extends FilterInput {
  readonly url?: string | undefined;
  readonly state?: Exclude<EndpointState, 'gone'> | undefined;
  /** Maximum size of a body in bytes, within `DELIVERY_BYTES`. */
  readonly max_bytes?: number | undefined;
}

/** An endpoint with an upper bound of the number of its waiting changes. */
export type WaitingEndpoint = ShownEndpoint & { readonly waiting: number };

/**
 * Manages the endpoints of vendors, and returns the results of their deliveries. The audit log
 * records each change, without secrets.
 */
@Injectable()
export class WebhooksService {
  constructor(
    private readonly database: Database,
    private readonly repository: WebhooksRepository,
    private readonly secrets: WebhookSecrets,
    private readonly outgoing: OutgoingHttps,
    private readonly feed: ChangesFeedService,
    private readonly messages: WebhookMessagesService,
    private readonly accounts: AccountsRepository,
    private readonly audit: AuditService,
    private readonly sender: DeliveriesService,
  ) {}

  /** Returns the endpoints of a vendor, or those of all vendors. */
  async list(vendor_id?: number): Promise<ShownEndpoint[]> {
    return (await this.repository.list(vendor_id)).map(shown);
  }

  /** Returns the endpoints of a vendor with upper bounds of their waiting changes. */
  async listWithWaiting(vendor_id: number): Promise<WaitingEndpoint[]> {
    const endpoints = await this.list(vendor_id);
    if (endpoints.length === 0) return [];
    const now = await this.feed.cursorNow(vendor_id);
    return endpoints.map((each) => ({ ...each, waiting: Math.max(0, now - each.position) }));
  }

  /** @throws UnknownEndpointError if the vendor has no such endpoint */
  async get(vendor_id: number, id: number): Promise<ShownEndpoint> {
    return shown(await this.known(vendor_id, id));
  }

  /** @throws UnknownEndpointError if there is no such endpoint */
  async ownerOf(id: number): Promise<number> {
    const owner = await this.repository.ownerOf(id);
    if (owner === null) throw unknown(id);
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
    return failing === null ? null : namedOf(failing);
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

  /** Returns null if changes can be sent to a URL, otherwise what the URL must be. */
  problemOfUrl(text: string): string | null {
    return this.outgoing.problemOfUrl(calledAs(text));
  }

  /**
   * Adds an endpoint.
   * @throws RefusedEndpointError if nothing can be sent there, or the vendor has 10 endpoints
   */
  async create(
    vendor_id: number,
    { url: text, from, max_bytes = DELIVERY_BYTES.default, ...filter }: NewEndpoint,
    by: Author,
  ): Promise<EndpointWithSecret> {
    const url = this.usable(text);
    const stored = storedFilter(filter, this.feed.kinds);
    const position = from === 'now' ? await this.feed.cursorNow(vendor_id) : 0;
    const created = dateTimeOf(new Date());
    const content = {
      vendor_id,
      url,
      state: 'active' as const,
      position,
      walk_from: position,
      created,
      next_try: created,
      secret: this.secrets.create(vendor_id),
      old_secret: null,
      old_secret_ends: null,
      number: 0,
      failures: 0,
      ...NO_LEASE,
      problem: null,
      last_taken: null,
      max_bytes,
      ...NO_FILTER,
      ...stored,
    };
    const endpoint = await this.database.write(async (session) => {
      // The lock on the user keeps simultaneous requests within the limit.
      await this.accounts.lockKnownUser(session, vendor_id);
      if ((await this.repository.countOf(session, vendor_id)) >= MAX_ENDPOINTS) {
        throw new RefusedEndpointError(`You have ${MAX_ENDPOINTS} endpoints already.`);
      }
      const id = await this.repository.add(session, content);
      const added = { id, ...content };
      await this.record(session, by, 'webhook.create', null, added);
      return added;
    });
    return this.withSecret(endpoint);
  }

  /**
   * Changes the URL, the state, the maximum body size and the filter of an endpoint together. Its
   * position stays. An active endpoint is due at once.
   * @throws RefusedEndpointError if nothing can be sent to the URL, or the filter has an unknown word
   */
  async edit(
    vendor_id: number,
    id: number,
    { url: text, state, max_bytes, ...filter }: EndpointEdit,
    by: Author,
  ): Promise<ShownEndpoint> {
    const changes = {
      ...(text === undefined ? {} : { url: this.usable(text) }),
      ...(state === undefined ? {} : { state }),
      ...(max_bytes === undefined ? {} : { max_bytes }),
      ...storedFilter(filter, this.feed.kinds),
    };
    const action = `webhook.${state ?? changedField(changes)}`;
    // A pause alone sends nothing, so a failing delivery stays failing and can be skipped.
    const isPause = state === 'paused' && Object.keys(changes).length === 1;
    const next = isPause ? {} : atOnce();
    return this.change(vendor_id, id, by, action, () => ({ ...changes, ...next }));
  }

  /** Gives an endpoint a new secret. The old one also signs for a day. */
  async rotate(vendor_id: number, id: number, by: Author): Promise<EndpointWithSecret> {
    const old_secret_ends = dateTimeOf(new Date(Date.now() + OVERLAP_MS));
    const secret = this.secrets.create(vendor_id);
    const changed = this.change(vendor_id, id, by, 'webhook.rotate', ({ secret: old_secret }) => {
      return { secret, old_secret, old_secret_ends };
    });
    return { ...(await changed), secret: this.secrets.decrypt(secret, vendor_id) };
  }

  /**
   * Shows the secret again, in plain text.
   * @throws UnreadableSecretError if KEY_ENCRYPTION_SECRET has changed
   */
  showSecret(vendor_id: number, id: number, by: Author): Promise<EndpointWithSecret> {
    return this.database.write(async (session) => {
      const endpoint = await this.lockedOf(session, vendor_id, id);
      await this.record(session, by, 'webhook.show', endpoint, endpoint);
      return this.withSecret(endpoint);
    });
  }

  /** Sends again all changes since the start of a day in UTC, or all changes. */
  async replay(vendor_id: number, id: number, from: string | null, by: Author) {
    const position = from === null ? 0 : await this.feed.cursorBefore(vendor_id, from);
    return this.change(vendor_id, id, by, 'webhook.replay', (before) => ({
      position: Math.min(position, before.position),
      walk_from: Math.min(position, cursorOf(before).walk_from),
      ...atOnce(),
    }));
  }

  /**
   * Moves an endpoint past the delivery that its receiver rejects, and sends the next one at once.
   * The receiver does not get the changes of that delivery unless they change again.
   * @throws NotFailingError if this delivery is not failing, or another one is due; then nothing
   *   changes
   */
  async skip(vendor_id: number, id: number, webhook_id: string, by: Author) {
    const seen = await this.known(vendor_id, id);
    await this.failing(seen, webhook_id);
    // The id is a hash of the changes and of the cursor after them.
    const due = await this.messages.next(seen);
    if (due.message?.id !== webhook_id) throw new NotFailingError(CHANGED_SINCE);
    return this.database.write(async (session) => {
      const before = await this.lockedOf(session, vendor_id, id);
      // Another attempt or skip may have ended meanwhile.
      const failing = await this.failing(before, webhook_id, session);
      const changes = { position: due.position, ...atOnce() };
      const after = { ...before, ...changes };
      await this.repository.change(session, id, changes);
      await this.repository.noteSkip(session, failing, changes.next_try);
      const skipped = namedOf(failing);
      await this.record(session, by, 'webhook.skip', before, after, { skipped });
      return { endpoint: shown(after), skipped };
    });
  }

  /** @returns the endpoint before its removal */
  remove(vendor_id: number, id: number, by: Author): Promise<ShownEndpoint> {
    return this.database.write(async (session) => {
      const before = await this.lockedOf(session, vendor_id, id);
      await this.repository.remove(session, id);
      await this.record(session, by, 'webhook.delete', before, { ...before, state: 'deleted' });
      return shown(before);
    });
  }

  /**
   * Removes the stored answers of a vendor's receivers, because they may quote the data that was
   * sent.
   */
  async forgetPersonalData(session: Session, vendor_id: number): Promise<void> {
    await this.repository.forgetAnswers(session, vendor_id);
  }

  private change(
    vendor_id: number,
    id: number,
    by: Author,
    action: string,
    changesOf: (before: WebhookEndpoint) => Changes,
  ): Promise<ShownEndpoint> {
    return this.database.write(async (session) => {
      const before = await this.lockedOf(session, vendor_id, id);
      const changes = changesOf(before);
      const after = { ...before, ...changes };
      await this.repository.change(session, id, changes);
      await this.record(session, by, action, before, after);
      return shown(after);
    });
  }

  /** @throws NotFailingError if the last delivery has another id or is not failing */
  private async failing(endpoint: WebhookEndpoint, webhook_id: string, session?: Session) {
    const failing = failingOf(endpoint, await this.repository.lastDelivery(endpoint, session));
    if (failing?.webhook_id === webhook_id) return failing;
    const kept = await this.repository.deliveriesOf(endpoint.id);
    throw new NotFailingError(whyNotFailing(webhook_id, failing, kept));
  }

  private withSecret(endpoint: WebhookEndpoint): EndpointWithSecret {
    return {
      ...shown(endpoint),
      secret: this.secrets.decrypt(endpoint.secret, endpoint.vendor_id),
    };
  }

  private async known(vendor_id: number, id: number): Promise<WebhookEndpoint> {
    const found = await this.repository.endpointOf(vendor_id, id);
    if (found === null) throw unknown(id);
    return found;
  }

  private async lockedOf(session: Session, vendor_id: number, id: number) {
    const found = await this.repository.locked(session, id);
    if (found?.vendor_id !== vendor_id) throw unknown(id);
    return found;
  }

  private usable(text: string): string {
    const problem = this.problemOfUrl(text);
    if (problem !== null) throw new RefusedEndpointError(`url ${problem}.`);
    return calledAs(text);
  }

  private record(
    session: Session,
    by: Author,
    action: string,
    before: WebhookEndpoint | null,
    after: Omit<WebhookEndpoint, 'state'> & State,
    details: object = {},
  ): Promise<void> {
    return this.audit.record(session, {
      user_id: by.user_id,
      application_id: by.application_id,
      account_id: after.vendor_id,
      action,
      subject: endpointSubject(after),
      before: before === null ? null : auditedOf(before),
      after: { ...auditedOf(after), ...details },
    });
  }
}

/** @returns the URL in ASCII, as it is called, so that it can be shown anywhere */
function calledAs(text: string): string {
  return URL.canParse(text) ? new URL(text).href : text;
}

function unknown(id: number): UnknownEndpointError {
  return new UnknownEndpointError(`There is no webhook endpoint ${id}.`);
}

/** Returns the field after which the audit log names a change of an endpoint. */
function changedField(changes: Changes): string {
  if (changes.url !== undefined) return 'url';
  return changes.max_bytes === undefined ? 'filter' : 'max_bytes';
}

/** Returns the fields of an endpoint that the audit log records. */
function auditedOf(
  endpoint: Pick<WebhookEndpoint, 'url' | 'position' | 'max_bytes'> & StoredFilter & State,
) {
  const { url, state, position, max_bytes } = endpoint;
  return { url, state, position, max_bytes, ...filterOf(endpoint) };
}

/** Makes an endpoint due now, without earlier failures. */
function atOnce() {
  return { failures: 0, next_try: dateTimeOf(new Date()), problem: null };
}
