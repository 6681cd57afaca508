import { setTimeout as wait } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import pLimit from 'p-limit';
import { Database } from '../../../platform/database/database.js';
import { type Held, Leases, NO_LEASE } from '../../../platform/jobs/lease.js';
import { MAX_PAUSE_MS, pauseAfter, spread } from '../../../platform/jobs/job-queue.js';
import { Metrics } from '../../../platform/observability/metrics.js';
import { OutgoingError } from '../../../platform/outgoing/outgoing-request.js';
import { type OutgoingAnswer, OutgoingHttps } from '../../../platform/outgoing/outgoing-https.js';
import { dateTimeIn, dateTimeOf } from '../../../platform/values/time.js';
import { signatureHeaders, type SignedMessage, WebhookSecrets } from '../webhook-secrets.js';
import {
  UnreadableSecretError,
  type WebhookDelivery,
  type WebhookEndpoint,
  type WebhookMessage,
} from '../webhook.model.js';
import { WebhooksRepository } from '../webhooks.repository.js';
import { type NextChanges, WebhookMessagesService } from './webhook-messages.service.js';

/**
 * A lease lasts longer than a call (15 seconds) and the reads before it, so the owner of an expired
 * lease has stopped.
 */
const LEASE_MS = 30_000;

/** Holds the result of a delivery. */
interface DeliveryResult {
  /** Changes of the endpoint. */
  readonly changes: Partial<WebhookEndpoint>;
  /** The delivery to store; null if nothing was sent. */
  readonly delivery: Omit<WebhookDelivery, 'endpoint_id' | 'number'> | null;
}

/** Columns that the owner can change during a delivery, whose result then does not count. */
const OWN = ['position', 'state', 'url', 'max_bytes', 'kinds', 'reasons', 'product_ids'] as const;

function isChanged(found: WebhookEndpoint, sender: WebhookEndpoint): boolean {
  return OWN.some((column) => found[column] !== sender[column]);
}

/** A process starts at most 60 deliveries a second, which leaves capacity for other requests. */
const GAP_MS = 1_000 / 60;

const CALL_MS = 15_000;
/**
 * This time is left to end a call and to write its result; the ends of leases are in whole seconds.
 */
const MARGIN_MS = 3_000;
/** A turn ends after this time, so that other endpoints can be sent to. */
const TURN_MS = 1_000;
const GONE = 410;
/** At most this many database connections are used; the others are for requests. */
const MAX_AT_DATABASE = 4;
/**
 * A call that this process cuts off because it stops has this result. Another process repeats it at
 * once.
 */
const NOTHING: DeliveryResult = { changes: {}, delivery: null };

/** Holds the outcome of a call: an answer, or the reason why there is none. */
export type Called = Pick<
  WebhookDelivery,
  'sent' | 'duration_ms' | 'status' | 'problem' | 'answer'
> & {
  readonly retryAfterSeconds: number | null;
};

/**
 * Sends changes to endpoints in order, and repeats each delivery until it succeeds. One process at
 * a time, across all instances, sends to an endpoint: the one with its lease.
 */
@Injectable()
export class DeliveriesService {
  /** Start of the last delivery by the monotonic clock, in milliseconds. */
  private lastStart = 0;
  private readonly atDatabase = pLimit(MAX_AT_DATABASE);
  private readonly outcomes = { taken: 0, refused: 0, unreachable: 0 };
  private readonly leases: Leases<number, WebhookEndpoint>;

  constructor(
    private readonly database: Database,
    private readonly repository: WebhooksRepository,
    private readonly messages: WebhookMessagesService,
    private readonly secrets: WebhookSecrets,
    private readonly outgoing: OutgoingHttps,
    metrics: Metrics,
  ) {
    this.leases = new Leases(database, repository, LEASE_MS);
    const help = 'Deliveries of webhooks.';
    metrics.counter('webhook_deliveries_total', help, 'outcome', () => this.outcomes);
  }

  /**
   * Sends the waiting changes to an endpoint unless another process does.
   * @param stopped ends the sending soon when it aborts
   */
  async deliver(id: number, stopped: AbortSignal): Promise<void> {
    const isStopped = () => stopped.aborted;
    await this.untilNextStart();
    if (isStopped()) return;
    const begun = performance.now();
    let leased = begun;
    let endpoint = await this.atDatabase(() => this.take(id));
    while (endpoint !== null) {
      const sender = endpoint;
      const next = await this.atDatabase(() => this.messages.next(sender));
      // This process may have been suspended for so long that another one sends now.
      if (performance.now() - leased > LEASE_MS - CALL_MS - MARGIN_MS) return;
      const called = next.message === null ? null : await this.call(sender, next.message, stopped);
      leased = performance.now();
      const isTaken = (called?.problem ?? null) === null;
      const goesOn = isTaken && next.has_more && leased - begun < TURN_MS && !isStopped();
      if (called !== null) this.outcomes[outcomeNameOf(called)] += 1;
      const isCutOff = called?.status === null && isStopped();
      const result = isCutOff ? NOTHING : resultOf(sender, next, called);
      endpoint = await this.atDatabase(() => this.end(sender, result, goesOn));
      if (goesOn) await this.untilNextStart();
    }
  }

  /** Sends a test now, outside the order. Its outcome is not stored. */
  test(endpoint: WebhookEndpoint, stopped: AbortSignal): Promise<Called> {
    return this.call(endpoint, this.messages.test(endpoint), stopped);
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
  end(sender: Held<WebhookEndpoint>, { changes, delivery }: DeliveryResult, goesOn: boolean) {
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

  /** Spreads deliveries, so that many at once do not slow down other requests. */
  private async untilNextStart(): Promise<void> {
    const now = performance.now();
    this.lastStart = Math.max(now, this.lastStart + GAP_MS);
    if (this.lastStart > now) await wait(this.lastStart - now);
  }

  private async call(
    endpoint: WebhookEndpoint,
    { id, body }: WebhookMessage,
    signal: AbortSignal,
  ): Promise<Called> {
    const at = new Date();
    const begun = performance.now();
    const timestamp = Math.floor(at.getTime() / 1_000);
    const answered = await this.post(endpoint, { id, timestamp, body }, signal);
    const duration_ms = Math.round(performance.now() - begun);
    return { sent: dateTimeOf(at), duration_ms, ...outcomeOf(answered) };
  }

  private async post(endpoint: WebhookEndpoint, message: SignedMessage, signal: AbortSignal) {
    try {
      const headers = {
        ...signatureHeaders(message, this.secretsOf(endpoint)),
        'Content-Type': 'application/json',
        'User-Agent': 'vendor-reporting-api',
      };
      const account = endpoint.vendor_id;
      const call = { account, headers, body: message.body, ms: CALL_MS, signal };
      return await this.outgoing.post(endpoint.url, call);
    } catch (error) {
      if (error instanceof OutgoingError || error instanceof UnreadableSecretError) return error;
      throw error;
    }
  }

  private secretsOf({ secret, old_secret, old_secret_ends, vendor_id }: WebhookEndpoint): string[] {
    const isOldValid = old_secret_ends !== null && old_secret_ends > dateTimeIn(0);
    const encrypted = old_secret !== null && isOldValid ? [secret, old_secret] : [secret];
    return encrypted.map((each) => this.secrets.decrypt(each, vendor_id));
  }
}

function outcomeOf(answered: OutgoingAnswer | Error) {
  if (answered instanceof Error) {
    const { message: problem } = answered;
    return { status: null, problem, answer: null, retryAfterSeconds: null };
  }
  const { status, text, retryAfterSeconds } = answered;
  const problem = status >= 200 && status < 300 ? null : `the receiver answered ${status}`;
  return { status, problem, answer: text, retryAfterSeconds };
}

function outcomeNameOf({ status, problem }: Called): 'taken' | 'refused' | 'unreachable' {
  if (status === null) return 'unreachable';
  return problem === null ? 'taken' : 'refused';
}

function resultOf(
  { failures }: WebhookEndpoint,
  { message, sequences, position, walk_from }: NextChanges,
  called: Called | null,
): DeliveryResult {
  if (message === null || called === null) {
    // Other endpoints come first, because a filter may pass nothing for a long time.
    return { changes: { position, walk_from, next_try: dateTimeIn(0) }, delivery: null };
  }
  const { retryAfterSeconds, ...rest } = called;
  const delivery = {
    webhook_id: message.id,
    changes: sequences.length,
    ...rest,
    first_sequence: sequences[0] ?? null,
    last_sequence: sequences.at(-1) ?? null,
    position,
    skipped: null,
  };
  const { problem, status, sent } = called;
  if (problem === null) {
    return {
      changes: { position, walk_from, failures: 0, problem, next_try: sent, last_taken: sent },
      delivery,
    };
  }
  if (status === GONE) return { changes: { state: 'gone', problem }, delivery };
  const pause = Math.max(pauseAfter(failures), (retryAfterSeconds ?? 0) * 1_000);
  const next_try = dateTimeIn(spread(Math.min(pause, MAX_PAUSE_MS)));
  return { changes: { failures: failures + 1, problem, next_try }, delivery };
}
