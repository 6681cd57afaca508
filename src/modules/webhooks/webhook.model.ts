import { cursorOf, type FeedCursor } from '../../api/validation/feed-cursor.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import type { Lease } from '../../platform/jobs/lease.js';
import { filterOf, type EndpointFilter } from './endpoint-filter.js';
import {
  DEFAULT_BYTES,
  type WebhookDelivery,
  type WebhookEndpointRow,
} from './webhook-endpoint.entity.js';

/**
 * An endpoint has one of these states. `gone`: the receiver answered 410, and nothing more is sent.
 */
export type EndpointState = 'active' | 'paused' | 'gone';

export const MAX_ENDPOINTS = 10;
/** The last deliveries of an endpoint are kept, up to this number. */
export const KEPT_DELIVERIES = 50;

/**
 * The maximum size of a delivery's body in bytes is within these limits. Common frameworks reject
 * bodies above 100 KiB, so the default is smaller. A single change is sent whatever its size.
 */
export const DELIVERY_BYTES = { min: 1_024, max: 1_048_576, default: DEFAULT_BYTES } as const;

/**
 * Describes a URL that receives a vendor's changes, with its position in the feed. The process with
 * the lease sends to it.
 */
export interface WebhookEndpoint extends WebhookEndpointRow {
  readonly state: EndpointState;
}

export type { WebhookDelivery } from './webhook-endpoint.entity.js';

/** Identifies a delivery that is tried again or was skipped, and the sequences of its changes. */
export type FailingDelivery = Pick<
  WebhookDelivery,
  'webhook_id' | 'first_sequence' | 'last_sequence' | 'changes'
>;

/** A delivery with those of its changes that have not changed again since. */
export interface ShownDelivery {
  readonly delivery: WebhookDelivery;
  /** The changes as JSON, with their present data. */
  readonly payload: string;
  /** Number of these changes. */
  readonly count: number;
}

/** Holds a message to send, with its id. */
export interface WebhookMessage {
  readonly id: string;
  readonly body: string;
}

/** Holds the fields of an endpoint that its owner sees in lists. */
export type ShownEndpoint = EndpointFilter &
  FeedCursor &
  Omit<
    WebhookEndpoint,
    | 'secret'
    | 'old_secret'
    | 'old_secret_ends'
    | 'number'
    | keyof EndpointFilter
    | keyof FeedCursor
    | keyof Lease
  >;

/** Holds an endpoint with its secret in plain text. */
export type EndpointWithSecret = ShownEndpoint & { readonly secret: string };

export function shown(endpoint: WebhookEndpoint): ShownEndpoint {
  return {
    id: endpoint.id,
    vendor_id: endpoint.vendor_id,
    url: endpoint.url,
    state: endpoint.state,
    ...cursorOf(endpoint),
    failures: endpoint.failures,
    problem: endpoint.problem,
    next_try: endpoint.next_try,
    created: endpoint.created,
    last_taken: endpoint.last_taken,
    max_bytes: endpoint.max_bytes,
    ...filterOf(endpoint),
  };
}

/** Returns the subject of the audit entries on an endpoint. */
export function endpointSubject({
  id,
  vendor_id,
}: Pick<WebhookEndpoint, 'id' | 'vendor_id'>): string {
  return `webhook endpoint ${id} of user ${vendor_id}`;
}

/** Returns a number of changes for users, such as `1 change`. */
export function countOfChanges(count: number): string {
  return count === 1 ? '1 change' : `${count} changes`;
}

/**
 * Returns the delivery that the receiver of an endpoint rejects, unless the endpoint has moved past
 * it.
 * @param last the last delivery of the endpoint
 */
export function failingOf(
  { problem, position }: Pick<WebhookEndpoint, 'problem' | 'position'>,
  last: WebhookDelivery | null,
): WebhookDelivery | null {
  if (problem === null || last?.problem === undefined || last.problem === null) return null;
  const isAhead = last.first_sequence !== null && last.first_sequence > position;
  return isAhead && last.skipped === null ? last : null;
}

/** @returns text for users, such as `changes 5 to 7` */
export function sequencesOf({
  first_sequence,
  last_sequence,
}: Pick<WebhookDelivery, 'first_sequence' | 'last_sequence'>): string {
  return first_sequence === last_sequence
    ? `change ${String(first_sequence)}`
    : `changes ${String(first_sequence)} to ${String(last_sequence)}`;
}

/** Thrown if the vendor has no such endpoint. */
export class UnknownEndpointError extends DomainError {}

/**
 * Thrown if nothing can be sent to a URL, a filter has an unknown word, or the vendor already has
 * the maximum number of endpoints; the message says which.
 */
export class RefusedEndpointError extends DomainError {
  /** @param field the field that is refused */
  constructor(
    message: string,
    readonly field: 'url' | keyof EndpointFilter = 'url',
  ) {
    super(message);
  }
}

/** Thrown if KEY_ENCRYPTION_SECRET does not decrypt the secret. */
export class UnreadableSecretError extends DomainError {}

/**
 * Thrown if the delivery to skip is not failing, or another delivery is due; the message says
 * which.
 */
export class NotFailingError extends DomainError {}
