import {
  countOfChanges,
  type ShownEndpoint,
  type WebhookDelivery,
} from '../modules/webhooks/webhook.model.js';

export function endpointLineOf({ id, vendor_id, url, state, failures, problem }: ShownEndpoint) {
  const trouble = problem === null ? '' : `, ${failures} failed in a row: ${problem}`;
  return `Webhook endpoint ${id} of user ${vendor_id}: ${url}, ${state}${trouble}`;
}

export function deliveryLineOf(delivery: WebhookDelivery): string {
  const { sent, duration_ms, changes, status, problem, webhook_id } = delivery;
  const outcome = problem ?? `taken with ${String(status)}`;
  return `${sent} UTC  ${countOfChanges(changes)}  ${duration_ms} ms  ${outcome}  ${webhook_id}`;
}
