import {
  dateTime,
  generatedId,
  key,
  longText,
  optional,
  text,
  wholeNumber,
} from '../../platform/database/entities/columns.js';
import { entityOf, type EntityRow } from '../../platform/database/entities/entity-of.js';

const URL_LENGTH = 2_048;
export const DEFAULT_BYTES = 92_160;

export const WebhookEndpointEntity = entityOf({
  name: 'WebhookEndpoint',
  tableName: 'webhook_endpoints',
  columns: {
    id: generatedId(),
    vendor_id: wholeNumber(),
    url: text(URL_LENGTH),
    state: text(32),
    /** The secret, encrypted. */
    secret: text(),
    /** The old secret, encrypted. It also signs until `old_secret_ends`. */
    old_secret: optional(text()),
    old_secret_ends: optional(dateTime()),
    /** The cursor up to which all changes were delivered. */
    position: wholeNumber(),
    /**
     * The position at which nothing was waiting last. Reasons of later changes are sent and filtered
     * by. Null is `position`: a former version of the service does not write this column.
     */
    walk_from: optional(wholeNumber()),
    /** Number of the last delivery. */
    number: wholeNumber(),
    /** Number of consecutive failures. */
    failures: wholeNumber(),
    next_try: dateTime(),
    claim: optional(text(36)),
    claim_ends: optional(dateTime()),
    /** Reason why the last delivery failed. */
    problem: optional(text()),
    created: dateTime(),
    last_taken: optional(dateTime()),
    /** Maximum size of a body in bytes, unless a single change is larger. */
    max_bytes: { ...wholeNumber(), default: DEFAULT_BYTES },
    /** Only changes of these kinds are sent, with commas between them; null for all. */
    kinds: optional(longText()),
    /** Only changes with one of these reasons are sent; null for all. */
    reasons: optional(longText()),
    /** Only changes of these products are sent; null for all. */
    product_ids: optional(longText()),
  },
  indices: [
    { name: 'webhook_endpoints_by_vendor', columns: ['vendor_id'] },
    { name: 'webhook_endpoints_by_next_try', columns: ['state', 'next_try'] },
  ],
});
export type WebhookEndpointRow = EntityRow<typeof WebhookEndpointEntity>;

/** Each row is a delivery attempt. The last ones of each endpoint are kept. */
export const WebhookDeliveryEntity = entityOf({
  name: 'WebhookDelivery',
  tableName: 'webhook_deliveries',
  columns: {
    endpoint_id: key(wholeNumber()),
    number: key(wholeNumber()),
    webhook_id: text(64),
    /** Sequence of the first change; null for a test. */
    first_sequence: optional(wholeNumber()),
    last_sequence: optional(wholeNumber()),
    changes: wholeNumber(),
    sent: dateTime(),
    duration_ms: wholeNumber(),
    /** HTTP status of the answer; null if there was no answer. */
    status: optional(wholeNumber()),
    problem: optional(text()),
    /** The first 1 KiB of the answer. */
    answer: optional(longText()),
    /** Cursor after its changes. Null if an earlier version of the service sent the delivery. */
    position: optional(wholeNumber()),
    /** Time at which the failed delivery was skipped; null if it was not skipped. */
    skipped: optional(dateTime()),
  },
});
export type WebhookDelivery = EntityRow<typeof WebhookDeliveryEntity>;
