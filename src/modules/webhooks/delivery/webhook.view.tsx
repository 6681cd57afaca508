import type { Called } from './deliveries.service.js';
import {
  DELIVERY_BYTES,
  sequencesOf,
  type FailingDelivery,
  type ShownEndpoint,
  type WebhookDelivery,
} from '../webhook.model.js';
import { UNKNOWN_HOST } from '../../../platform/outgoing/outgoing-request.js';
import { cursorText } from '../../../api/validation/feed-cursor.js';
import { EventChoice, KindChoice, sentWords } from './event-choice.view.js';
import { pageOf, type Page } from '../../../platform/pages/page-answer.js';
import { WEBHOOKS } from '../webhooks.feature.js';
import {
  Removal,
  Secret,
  WorkBadge,
  type ShownSecret,
} from '../../../platform/pages/resource.view.js';
import { Actions, Facts, Setting } from '../../../platform/pages/ui/facts.view.js';
import {
  Done,
  Field,
  Form,
  FormButton,
  Problem,
  type FormProblem,
  type TextField,
} from '../../../platform/pages/ui/form.view.js';
import { HistorySetting, type ShownHistory } from '../../../platform/pages/ui/history.view.js';
import { numbers, Table, type Column } from '../../../platform/pages/ui/table.view.js';
import { countText, DateTime } from '../../../platform/pages/ui/values.view.js';

const PATH = WEBHOOKS.pages.endpoints.path;

/** Form field with the id of the delivery that is skipped. */
export const SKIP_FIELD = 'webhook_id';

const { min, max } = DELIVERY_BYTES;
export const URL_FIELD = {
  label: 'Address',
  name: 'url',
  type: 'url',
  placeholder: 'https://shop.example/webhooks',
  hint: 'The public address of your program, which starts with https://.',
  autocomplete: 'off',
  spellcheck: false,
  required: true,
} as const satisfies TextField;
export const SIZE_FIELD = {
  label: 'Largest delivery (bytes)',
  name: 'max_bytes',
  type: 'number',
  min,
  max,
  hint: `From ${min} to ${max}. A single change that is larger is sent alone. Many receivers refuse more than 102400 bytes unless they are set up for it.`,
  required: true,
} as const satisfies TextField;

/** Fields that are folded below the others. */
const ADVANCED: ReadonlySet<string> = new Set(['reasons', 'product_ids', SIZE_FIELD.name]);

interface Shown {
  readonly endpoint: ShownEndpoint;
  readonly history: ShownHistory;
  /** Kinds of the records in the feed. */
  readonly kinds: readonly string[];
  readonly done: string | undefined;
  readonly problems: readonly FormProblem[];
  readonly secret: ShownSecret;
  /** Result of a test. */
  readonly tested: Called | undefined;
  /** Upper bound of the number of waiting changes. */
  readonly waiting: number;
  readonly failing: FailingDelivery | null;
  /** Last deliveries, newest first. */
  readonly deliveries: readonly WebhookDelivery[];
}

interface OfEndpoint {
  /** Path of the endpoint's page. */
  readonly path: string;
}

export function webhookPage(shown: Shown): Page {
  const { endpoint, history, done, problems, secret, failing, deliveries } = shown;
  const path = `${PATH}/${endpoint.id}`;
  return pageOf(
    {
      title: 'Webhook endpoint',
      problems,
      back: [PATH, 'All endpoints'],
      heading: [endpoint.url, ' ', <WorkBadge {...endpoint} />],
      done,
    },
    <>
      <Problem>{problems.find(({ field }) => field === SKIP_FIELD)?.message}</Problem>
      <Deliveries {...shown} path={path} />
      {failing !== null && (
        <Failing
          path={path}
          cursor={cursorText(endpoint)}
          isActive={endpoint.state === 'active'}
          {...failing}
        />
      )}
      <Setting
        id="deliveries-title"
        title="Last deliveries"
        about={<p>Each leads to what was sent and what your receiver answered.</p>}
      >
        <Table
          label="Last deliveries"
          columns={columnsOf(path)}
          rows={deliveries}
          empty="Nothing was sent yet."
        />
      </Setting>
      <SendAgain path={path} />
      <SecretSetting path={path} {...secret} />
      <Change {...shown} path={path} />
      <HistorySetting {...history} />
      <Removal
        action={`${path}/remove`}
        explanation="Removes this endpoint with its deliveries. This cannot be undone."
        summary="Remove this endpoint …"
      />
    </>,
  );
}

/** Offers to change the endpoint. */
function Change({
  path,
  endpoint,
  kinds,
  problems,
}: OfEndpoint & Pick<Shown, 'endpoint' | 'kinds' | 'problems'>) {
  const { url, reasons, product_ids, max_bytes } = endpoint;
  const isAdvanced =
    reasons !== null || product_ids !== null || max_bytes !== DELIVERY_BYTES.default;
  const hasProblem = problems.some(({ field }) => ADVANCED.has(field));
  return (
    <Setting
      id="change-title"
      title="Change"
      about={<p>The next delivery goes to this address, and has only what you choose.</p>}
    >
      <Form action={`${path}/change`} label="Change">
        <Field {...URL_FIELD} stored={url} />
        <KindChoice known={kinds} stored={endpoint} />
        <details class="field" open={isAdvanced || hasProblem}>
          <summary>Advanced</summary>
          <EventChoice stored={endpoint} />
          <Field {...SIZE_FIELD} stored={max_bytes} />
        </details>
        <button>Save changes</button>
      </Form>
    </Setting>
  );
}

/** Shows what was sent and what waits, and offers a test and a pause. */
function Deliveries({
  path,
  endpoint,
  waiting,
  tested,
}: OfEndpoint & Pick<Shown, 'endpoint' | 'waiting' | 'tested'>) {
  const [action, words] = endpoint.state === 'active' ? ['pause', 'Pause'] : ['resume', 'Resume'];
  return (
    <Setting
      id="send-title"
      title="Deliveries"
      about={<p>Changes are sent within seconds. While the endpoint is paused, they wait.</p>}
    >
      {tested !== undefined && <Tested url={endpoint.url} {...tested} />}
      <EndpointFacts endpoint={endpoint} waiting={waiting} />
      <Actions>
        <FormButton action={`${path}/test`} label="Test" words="Send a test" />
        <FormButton action={`${path}/${action}`} label={words} words={words} button="quiet" />
      </Actions>
    </Setting>
  );
}

function EndpointFacts({ endpoint, waiting }: Pick<Shown, 'endpoint' | 'waiting'>) {
  const { created, last_taken, problem, next_try, failures, state } = endpoint;
  return (
    <Facts
      facts={[
        ['Sends', sentWords(endpoint)],
        ['Waiting', waitingWords(waiting)],
        ['Last delivered', <DateTime at={last_taken} isExact otherwise="never" />],
        [
          'Problem',
          problem !== null && (
            <>
              {problem}; {failures === 1 ? '1 failure' : `${failures} failures in a row`}
              {state === 'active' && ', next try '}
              {state === 'active' && <DateTime at={next_try} isExact />}
            </>
          ),
        ],
        ['Created', <DateTime at={created} />],
      ]}
    />
  );
}

/** @param waiting upper bound of the number of changes */
export function waitingWords(waiting: number): string {
  return waiting === 0 ? 'none' : `up to ${countText(waiting, 'change')}`;
}

interface ShownFailing extends FailingDelivery, OfEndpoint {
  readonly cursor: string;
  readonly isActive: boolean;
}

/** Offers to try the delivery that the receiver rejects again, or to skip it. */
function Failing(failing: ShownFailing) {
  const sequences = sequencesOf(failing);
  const { path, cursor, isActive, webhook_id } = failing;
  return (
    <Setting
      id="skip-title"
      title="Failing delivery"
      about={
        <p>
          The delivery with {sequences} is tried again until your receiver accepts it. Later changes
          wait for it.
        </p>
      }
    >
      {isActive && (
        <FormButton action={`${path}/retry`} label="Retry" words="Try again now" button="quiet" />
      )}
      <p class="hint">
        <code>webhook-id</code>: <code>{webhook_id}</code>
      </p>
      <details>
        <summary>Skip this delivery …</summary>
        <p>
          Your receiver will not get {sequences}. It can read what they are now with{' '}
          <code>GET /ledger/v1/changes?after={cursor}</code>. The next delivery is sent at once.
        </p>
        <FormButton
          action={`${path}/skip`}
          label="Skip"
          hidden={{ [SKIP_FIELD]: webhook_id }}
          words="Yes, skip it"
          button="danger"
        />
      </details>
    </Setting>
  );
}

function SendAgain({ path }: OfEndpoint) {
  return (
    <Setting
      id="again-title"
      title="Send again"
      about={<p>For a receiver that has lost something.</p>}
    >
      <Form action={`${path}/replay`} label="Send again">
        <Field
          label="First day (optional)"
          name="from"
          type="date"
          initial=""
          class="short"
          hint="What changed since this day, in UTC. Without a day, everything is sent; you are asked first."
        />
        <button class="quiet">Send again</button>
      </Form>
    </Setting>
  );
}

function Tested({ url, problem, status, duration_ms }: Called & Pick<ShownEndpoint, 'url'>) {
  if (problem !== null) {
    const isUnknown = problem === UNKNOWN_HOST;
    const says = isUnknown ? `${new URL(url).hostname} does not exist (DNS)` : problem;
    return <Problem>{`Test failed: ${says}.`}</Problem>;
  }
  return (
    <Done>
      The test was accepted with status {status}, after {duration_ms} ms.
    </Done>
  );
}

const UNREADABLE =
  'The secret cannot be shown, because the encryption secret of this service has changed. Ask the operator to re-encrypt the stored secrets, or create a new one.';

function SecretSetting({ path, ...shown }: OfEndpoint & ShownSecret) {
  return (
    <Setting
      id="secret-title"
      title="Secret"
      about={<p>Your receiver verifies with it that a delivery comes from this service.</p>}
    >
      <Secret id="secret" label="Secret of this endpoint" shown={shown} unreadable={UNREADABLE}>
        <Form action={`${path}/secret`}>
          <button class="quiet">Show the secret</button>
        </Form>
      </Secret>
      <Form action={`${path}/rotate`} label="New secret">
        <p>A new secret works at once. Both secrets are valid for 24 hours.</p>
        <button class="quiet">Create a new secret</button>
      </Form>
    </Setting>
  );
}

function columnsOf(path: string): readonly Column<WebhookDelivery>[] {
  return [
    {
      name: 'Sent',
      cell: ({ sent, number }) => (
        <a href={`${path}/deliveries/${number}`}>
          <DateTime at={sent} isExact />
        </a>
      ),
    },
    numbers('Changes', changesIn),
    { name: 'Outcome', narrow: 'main', cell: outcomeOf },
    numbers('Time', ({ duration_ms }) => `${duration_ms} ms`),
  ];
}

/** Shows the number of changes, with their sequences below. */
function changesIn({ changes, first_sequence: first, last_sequence: last }: WebhookDelivery) {
  return (
    <>
      {changes}
      {first !== null && (
        <>
          <br />
          <span class="hint">{first === last ? first : `${first}–${String(last)}`}</span>
        </>
      )}
    </>
  );
}

export function outcomeOf({ problem, status, skipped }: WebhookDelivery) {
  if (problem === null) return <>accepted with {status}</>;
  if (skipped === null) return <>{problem}</>;
  return (
    <>
      {problem}; skipped <DateTime at={skipped} isExact />
    </>
  );
}
