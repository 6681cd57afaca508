import {
  sequencesOf,
  type FailingDelivery,
  type ShownEndpoint,
} from '../../modules/webhooks/webhook.model.js';
import type { SignedInVisit } from '../session/visit.js';
import { Form } from '../ui/layout.view.js';
import { WEBHOOKS_PATH } from './webhooks.view.js';

/** Form field with the id of the delivery. */
export const SKIP_FIELD = 'webhook_id';

interface Properties {
  readonly visit: SignedInVisit;
  readonly endpoint: ShownEndpoint;
  readonly failing: FailingDelivery;
}

/** Offers to skip the delivery that the receiver rejects. */
export function Skip({ visit, endpoint: { id, position }, failing }: Properties) {
  const sequences = sequencesOf(failing);
  return (
    <section class="card" aria-labelledby="skip-title">
      <h2 id="skip-title">Failing delivery</h2>
      <p>
        The delivery with {sequences} is tried again until your receiver accepts it. Later changes
        wait for it.
      </p>
      <p class="hint">
        <code>webhook-id</code>: <code>{failing.webhook_id}</code>
      </p>
      <details>
        <summary>Skip this delivery …</summary>
        <p>
          Your receiver will not get {sequences}. It can read what they are now with{' '}
          <code>GET /ledger/v1/changes?after={position}</code>. The next delivery is sent at once.
        </p>
        <Form visit={visit} action={`${WEBHOOKS_PATH}/${id}/skip`} label="Skip">
          <input type="hidden" name={SKIP_FIELD} value={failing.webhook_id} />
          <button class="danger">Yes, skip it</button>
        </Form>
      </details>
    </section>
  );
}
