import { Choices } from '../../../platform/pages/forms/choices.view.js';
import { NewThing } from '../../../platform/pages/resource.view.js';
import { FoldedPanel } from '../../../platform/pages/ui/facts.view.js';
import { Field, Form, type FormProblem } from '../../../platform/pages/ui/form.view.js';
import { todayInUtc } from '../../../platform/values/time.js';
import { DELIVERY_BYTES } from '../webhook.model.js';
import { WEBHOOKS } from '../webhooks.feature.js';
import { EventChoice, KindChoice } from './event-choice.view.js';
import { SIZE_FIELD, URL_FIELD } from './webhook.view.js';

/** Part of the guide with a receiver. */
const RECEIVING_PATH = '/docs/guide#webhooks';

const STARTS = {
  now: { name: 'New changes only', explanation: 'Nothing that is in your ledger already.' },
  beginning: { name: 'All history first', explanation: 'Your whole ledger, then new changes.' },
};

/** Returns a delivery of today with one change, whose transaction shows a few of its fields. */
function sample() {
  const today = todayInUtc();
  const [changed_at, timestamp] = [`${today}T08:03:12+00:00`, `${today}T08:03:14+00:00`];
  const transaction = {
    transaction_id: 'PA-FKQLSWBZMTFAC7CTPNEO',
    amount: '197.00',
    status: 'settled',
    '…': '…',
  };
  const change = { sequence: 333, kind: 'transaction', changed_at, reasons: ['sold'], transaction };
  return { type: 'ledger.changes', timestamp, data: { changes: [change], cursor: '333.0' } };
}

/** Shows the form of a new endpoint, with what it will receive beside it. */
export function NewEndpoint({
  kinds,
  isFirst,
  problems,
}: {
  /** Kinds of the records in the feed. */
  readonly kinds: readonly string[];
  readonly isFirst: boolean;
  readonly problems: readonly FormProblem[];
}) {
  const text = JSON.stringify(sample(), null, 2);
  return (
    <>
      <NewThing
        title="Add an endpoint"
        about={
          <>
            <p>
              {isFirst && 'You have no endpoints yet. '}
              This service can send every sale, refund and other change to your program within
              seconds. Add the address, then send a test.{' '}
              <a href={RECEIVING_PATH}>How to receive webhooks</a>
            </p>
            <Sample text={text} />
          </>
        }
      >
        <Form action={WEBHOOKS.pages.endpoints.path}>
          <Field {...URL_FIELD} initial="" />
          <KindChoice known={kinds} stored={null} />
          <details class="field" open={problems.some(({ field }) => field !== URL_FIELD.name)}>
            <summary>Advanced</summary>
            <Choices legend="Send" name="from" initial="now" choices={STARTS} />
            <EventChoice stored={null} />
            <Field {...SIZE_FIELD} initial={DELIVERY_BYTES.default} />
          </details>
          <button>Add endpoint</button>
        </Form>
      </NewThing>
      <FoldedSample text={text} />
    </>
  );
}

const SAMPLE_TITLE = 'What a delivery looks like';

interface SampleProperties {
  readonly text: string;
}

/** Shows a delivery where there is room beside the form. */
function Sample({ text }: SampleProperties) {
  return (
    <figure class="sample">
      <figcaption>{SAMPLE_TITLE}</figcaption>
      <pre>
        <code>{text}</code>
      </pre>
    </figure>
  );
}

/** Shows a delivery below the form where there is no room beside it. */
function FoldedSample({ text }: SampleProperties) {
  return (
    <div class="sample-fold">
      <FoldedPanel title={SAMPLE_TITLE}>
        <pre>
          <code>{text}</code>
        </pre>
      </FoldedPanel>
    </div>
  );
}
