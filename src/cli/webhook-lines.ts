import {
  countOfChanges,
  sequencesOf,
  type ShownEndpoint,
  type WebhookDelivery,
} from '../modules/webhooks/webhook.model.js';

export function endpointLineOf({ id, vendor_id, url, state, failures, problem }: ShownEndpoint) {
  const trouble = problem === null ? '' : `, ${failures} failed in a row: ${problem}`;
  return `Webhook endpoint ${id} of user ${vendor_id}: ${url}, ${state}${trouble}`;
}

/**
 * @returns for example `, skipped at 2025-06-01 10:00:00 UTC with the changes 5 to 7`, or an empty
 * text
 */
function skipOf(delivery: WebhookDelivery): string {
  const { skipped } = delivery;
  return skipped === null ? '' : `, skipped at ${skipped} UTC with the ${sequencesOf(delivery)}`;
}

export function deliveryLineOf(delivery: WebhookDelivery): string {
  const { sent, duration_ms, changes, status, problem, webhook_id } = delivery;
  const outcome = problem ?? `accepted with ${String(status)}`;
  return `${sent} UTC  ${countOfChanges(changes)}  ${duration_ms} ms  ${outcome}${skipOf(delivery)}  ${webhook_id}`;
}
