import { pageOf, type Page } from '../../../platform/pages/page-answer.js';
import { Facts, Setting } from '../../../platform/pages/ui/facts.view.js';
import { DateTime } from '../../../platform/pages/ui/values.view.js';
import { sequencesOf, type ShownDelivery } from '../webhook.model.js';
import { outcomeOf } from './webhook.view.js';

/** Maximum number of characters of a payload that the page shows. */
const SHOWN = 16_384;

/**
 * Shows a delivery: what was sent, as it is now, and what the receiver answered.
 * @param path path of the endpoint's page
 */
export function deliveryPage(path: string, shown: ShownDelivery): Page {
  const { delivery, payload, count } = shown;
  const { sent, duration_ms, webhook_id, answer, changes, first_sequence } = delivery;
  const isTest = first_sequence === null;
  return pageOf(
    { title: 'Delivery', back: [path, 'Back to the endpoint'] },
    <>
      <Setting id="outcome-title" title="Outcome">
        <Facts
          facts={[
            ['Sent', <DateTime at={sent} isExact />],
            ['Outcome', outcomeOf(delivery)],
            ['Time', `${duration_ms} ms`],
            ['Changes', isTest ? 'none, a test' : sequencesOf(delivery)],
            ['webhook-id', <code>{webhook_id}</code>],
          ]}
        />
      </Setting>
      <Setting id="answer-title" title="Answer of the receiver">
        {answer === null || answer === '' ? (
          <p>None, or not kept.</p>
        ) : (
          <pre tabindex={0} role="group" aria-label="Answer of the receiver">
            <code>{answer}</code>
          </pre>
        )}
      </Setting>
      {!isTest && (
        <Setting
          id="payload-title"
          title="What was sent"
          about={
            <p>
              The {count} of {changes} changes that have not changed again since, with their present
              data. {payload.length > SHOWN && 'The page shows the beginning.'}
            </p>
          }
        >
          {count > 0 && (
            <pre tabindex={0} role="group" aria-label="Payload">
              <code>{payload.slice(0, SHOWN)}</code>
            </pre>
          )}
        </Setting>
      )}
    </>,
  );
}
