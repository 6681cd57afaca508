/** `gone`: the receiver answered 410, and nothing more is sent. */
export const ENDPOINT_STATES = ['active', 'paused', 'gone'] as const;
export type EndpointState = (typeof ENDPOINT_STATES)[number];

export const MAX_ENDPOINTS = 10;
/** How many of an endpoint are kept. */
export const KEPT_DELIVERIES = 50;

/**
 * Bounds of the bytes of a delivery's body. Common frameworks refuse bodies above 100 KiB, so the default is below.
 * A single change is always sent.
 */
export const DELIVERY_BYTES = { min: 1_024, max: 1_048_576, default: 92_160 } as const;

/** Where a vendor receives changes: a cursor in the feed, and a URL. */
export interface WebhookEndpoint {
  readonly id: number;
  readonly vendor_id: number;
  readonly url: string;
  readonly state: EndpointState;
  /** Encrypted. */
  readonly secret: string;
  /** Encrypted; signs as well until its end. */
  readonly old_secret: string | null;
  readonly old_secret_ends: string | null;
  /** The cursor up to which everything was taken. */
  readonly position: number;
  /** Of the last delivery. */
  readonly number: number;
  /** In a row. */
  readonly failures: number;
  readonly next_try: string;
  /** Who sends now, and until when nobody else may. */
  readonly claim: string | null;
  readonly claim_ends: string | null;
  /** Why the last delivery was not taken. */
  readonly problem: string | null;
  readonly created: string;
  readonly last_taken: string | null;
  /** A body has at most so many bytes, unless a single change is larger. */
  readonly max_bytes: number;
}

/** An attempt to deliver. */
export interface WebhookDelivery {
  readonly endpoint_id: number;
  readonly number: number;
  readonly webhook_id: string;
  /** Null for a test. */
  readonly first_sequence: number | null;
  readonly last_sequence: number | null;
  readonly changes: number;
  readonly sent: string;
  readonly duration_ms: number;
  /** Null if there was no answer. */
  readonly status: number | null;
  readonly problem: string | null;
  /** The first 1 KiB. */
  readonly answer: string | null;
  /** The cursor after its changes. Null if the version before sent it. */
  readonly position: number | null;
  /** The endpoint was moved past it at this time, although it had failed; null otherwise. */
  readonly skipped: string | null;
}

/** A delivery that is tried again, or was skipped, with the sequences of its changes. */
export type FailingDelivery = Pick<
  WebhookDelivery,
  'webhook_id' | 'first_sequence' | 'last_sequence' | 'changes'
>;

/** What is sent, and under which name. */
export interface WebhookMessage {
  readonly id: string;
  readonly body: string;
}

/** The same endpoint, as its owner sees it in lists. */
export type ShownEndpoint = Omit<
  WebhookEndpoint,
  'secret' | 'old_secret' | 'old_secret_ends' | 'number' | 'claim' | 'claim_ends'
>;

/** Where the secret is shown, in plain text. */
export type EndpointWithSecret = ShownEndpoint & { readonly secret: string };

export function shown(endpoint: WebhookEndpoint): ShownEndpoint {
  return {
    id: endpoint.id,
    vendor_id: endpoint.vendor_id,
    url: endpoint.url,
    state: endpoint.state,
    position: endpoint.position,
    failures: endpoint.failures,
    problem: endpoint.problem,
    next_try: endpoint.next_try,
    created: endpoint.created,
    last_taken: endpoint.last_taken,
    max_bytes: endpoint.max_bytes,
  };
}

/** Such as `1 change`, for people. */
export function countOfChanges(count: number): string {
  return count === 1 ? '1 change' : `${count} changes`;
}

/**
 * Returns the delivery that the receiver of an endpoint rejects, if the endpoint has not moved on since.
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

/** @returns for example `changes 5 to 7`, for people */
export function sequencesOf({
  first_sequence,
  last_sequence,
}: Pick<WebhookDelivery, 'first_sequence' | 'last_sequence'>): string {
  return first_sequence === last_sequence
    ? `change ${String(first_sequence)}`
    : `changes ${String(first_sequence)} to ${String(last_sequence)}`;
}

/** There is no such endpoint of this vendor. */
export class UnknownEndpointError extends Error {}

/** The vendor has as many as there may be. */
export class TooManyEndpointsError extends Error {}

/** Nothing can be sent to this URL; the message says what it must be. */
export class UnusableUrlError extends Error {}

/** KEY_ENCRYPTION_SECRET does not decrypt the secret. */
export class UnreadableSecretError extends Error {}

/** The delivery that is to be skipped does not fail, or is not the one that is due; the message says which. */
export class NotFailingError extends Error {}
