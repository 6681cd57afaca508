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
import { filterWords } from '../endpoint-filter.js';
import { EventChoice, KindChoice } from './event-choice.view.js';
import { pageOf, type Page } from '../../../platform/pages/page-answer.js';
import { WEBHOOKS } from '../webhooks.feature.js';
import {
  Removal,
  Secret,
  WorkBadge,
  type ShownSecret,
} from '../../../platform/pages/resource.view.js';
import { Facts, Panel } from '../../../platform/pages/ui/facts.view.js';
import {
  Done,
  Field,
  Form,
  FormButton,
  Problem,
  type FormProblem,
  type TextField,
} from '../../../platform/pages/ui/form.view.js';
import { History, type ShownHistory } from '../../../platform/pages/ui/history.view.js';
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
  hint: 'Your URL that receives the changes. It starts with https:// and is public.',
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
  const { endpoint, history, done, problems, secret, tested, failing, deliveries } = shown;
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
      <EndpointFacts {...shown} />
      {failing !== null && (
        <Failing
          path={path}
          cursor={cursorText(endpoint)}
          isActive={endpoint.state === 'active'}
          {...failing}
        />
      )}
      <Send path={path} url={endpoint.url} state={endpoint.state} tested={tested} />
      <Panel id="deliveries-title" title="Last deliveries">
        <Table
          label="Last deliveries"
          columns={columnsOf(path)}
          rows={deliveries}
          empty="Nothing was sent yet."
        />
      </Panel>
      <SecretPanel path={path} {...secret} />
      <Change {...shown} path={path} />
      <History {...history} />
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
  return (
    <Panel id="change-title" title="Change">
      <Form action={`${path}/url`}>
        <Field {...URL_FIELD} stored={endpoint.url} />
        <button class="quiet">Change the address</button>
      </Form>
      <Form action={`${path}/filter`} label="What is sent">
        <KindChoice known={kinds} stored={endpoint} />
        <details
          class="field"
          open={
            endpoint.reasons !== null ||
            endpoint.product_ids !== null ||
            problems.some(({ field }) => field === 'product_ids')
          }
        >
          <summary>Advanced</summary>
          <EventChoice stored={endpoint} />
        </details>
        <button class="quiet">Change what is sent</button>
      </Form>
      <Form action={`${path}/size`} label="Size of deliveries">
        <Field {...SIZE_FIELD} stored={endpoint.max_bytes} />
        <button class="quiet">Change the size</button>
      </Form>
    </Panel>
  );
}

function EndpointFacts({ endpoint, waiting }: Pick<Shown, 'endpoint' | 'waiting'>) {
  const { created, last_taken, problem, next_try, failures, state } = endpoint;
  return (
    <Facts
      facts={[
        ['Sent', filterWords(endpoint) ?? 'everything'],
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
    <Panel id="skip-title" title="Failing delivery">
      <p>
        The delivery with {sequences} is tried again until your receiver accepts it. Later changes
        wait for it.
      </p>
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
    </Panel>
  );
}

function Send({
  path,
  url,
  state,
  tested,
}: OfEndpoint & Pick<ShownEndpoint, 'state' | 'url'> & Pick<Shown, 'tested'>) {
  const [action, words] = state === 'active' ? ['pause', 'Pause'] : ['resume', 'Resume'];
  return (
    <Panel id="send-title" title="Send">
      {tested !== undefined && <Tested url={url} {...tested} />}
      <div class="actions">
        <FormButton action={`${path}/test`} label="Test" words="Send a test" />
        <FormButton action={`${path}/${action}`} label={words} words={words} button="quiet" />
      </div>
      <Form action={`${path}/replay`} label="Replay">
        <Field
          label="Replay from (optional)"
          name="from"
          type="date"
          initial=""
          hint="Sends again what changed since this day, in UTC. Without a day, everything is sent; you are asked first."
        />
        <button class="quiet">Replay</button>
      </Form>
    </Panel>
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

function SecretPanel({ path, ...shown }: OfEndpoint & ShownSecret) {
  return (
    <Panel id="secret-title" title="Secret">
      <Secret id="secret" label="Secret of this endpoint" shown={shown} unreadable={UNREADABLE}>
        <Form action={`${path}/secret`}>
          <p>Your receiver verifies with the secret that a delivery comes from this service.</p>
          <button>Show the secret</button>
        </Form>
      </Secret>
      <Form action={`${path}/rotate`} label="New secret">
        <p>A new secret works at once. Both secrets are valid for 24 hours.</p>
        <button class="quiet">Create a new secret</button>
      </Form>
    </Panel>
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
