import { EntitySchema } from 'typeorm';
import {
  dateTime,
  generatedId,
  key,
  longText,
  optional,
  text,
  wholeNumber,
  type Column,
} from '../../database/columns.js';
import { DELIVERY_BYTES, type WebhookDelivery, type WebhookEndpoint } from './webhook.model.js';

const URL_LENGTH = 2_048;

export const WebhookEndpointEntity = new EntitySchema<WebhookEndpoint>({
  name: 'WebhookEndpoint',
  tableName: 'webhook_endpoints',
  columns: {
    id: generatedId(),
    vendor_id: wholeNumber(),
    url: text(URL_LENGTH),
    state: text(32),
    secret: text(),
    old_secret: optional(text()),
    old_secret_ends: optional(dateTime()),
    position: wholeNumber(),
    number: wholeNumber(),
    failures: wholeNumber(),
    next_try: dateTime(),
    claim: optional(text(36)),
    claim_ends: optional(dateTime()),
    problem: optional(text()),
    created: dateTime(),
    last_taken: optional(dateTime()),
    max_bytes: { ...wholeNumber(), default: DELIVERY_BYTES.default },
  } satisfies Record<keyof WebhookEndpoint, Column>,
  indices: [
    { name: 'webhook_endpoints_by_vendor', columns: ['vendor_id'] },
    { name: 'webhook_endpoints_by_next_try', columns: ['state', 'next_try'] },
  ],
});

/** Stores the last deliveries of each endpoint. */
export const WebhookDeliveryEntity = new EntitySchema<WebhookDelivery>({
  name: 'WebhookDelivery',
  tableName: 'webhook_deliveries',
  columns: {
    endpoint_id: key(wholeNumber()),
    number: key(wholeNumber()),
    webhook_id: text(64),
    first_sequence: optional(wholeNumber()),
    last_sequence: optional(wholeNumber()),
    changes: wholeNumber(),
    sent: dateTime(),
    duration_ms: wholeNumber(),
    status: optional(wholeNumber()),
    problem: optional(text()),
    answer: optional(longText()),
    position: optional(wholeNumber()),
    skipped: optional(dateTime()),
  } satisfies Record<keyof WebhookDelivery, Column>,
});
