import { formatDateTime } from '../../../platform/values/time.js';
import { type FailingDelivery, sequencesOf, type WebhookDelivery } from '../webhook.model.js';

/** Says why a delivery that was failing is not skipped. */
export const CHANGED_SINCE =
  'Another delivery is due: something in this one has changed since. The next try sends it as it is now.';

/** Returns what names a failing delivery and its changes. */
export function namedOf(delivery: WebhookDelivery): FailingDelivery {
  const { webhook_id, first_sequence, last_sequence, changes } = delivery;
  return { webhook_id, first_sequence, last_sequence, changes };
}

/**
 * Says why a delivery is not the failing one.
 * @param failing the delivery that is failing instead
 */
export function whyNotFailing(
  webhook_id: string,
  failing: WebhookDelivery | null,
  kept: readonly WebhookDelivery[],
): string {
  const skipped = kept.find((each) => each.webhook_id === webhook_id && each.skipped !== null);
  if (skipped?.skipped !== undefined && skipped.skipped !== null) {
    const at = formatDateTime(skipped.skipped);
    return `This delivery was skipped already, at ${at}, with the ${sequencesOf(skipped)}.`;
  }
  if (failing === null) return 'No delivery of this endpoint is failing.';
  return `Another delivery is failing: ${failing.webhook_id}, with the ${sequencesOf(failing)}.`;
}
