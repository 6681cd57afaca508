import type { Called } from '../../modules/webhooks/delivery/deliveries.service.js';
import {
  countOfChanges,
  type FailingDelivery,
  type ShownEndpoint,
  type WebhookDelivery,
} from '../../modules/webhooks/webhook.model.js';
import type { Page } from '../http/page-answer.js';
import type { SignedInVisit } from '../session/visit.js';
import { DateTime } from '../ui/date-time.view.js';
import { Done, Field, Problem, type FormProblem } from '../ui/form.view.js';
import { Form } from '../ui/layout.view.js';
import { Deliveries } from './deliveries.view.js';
import { Skip, SKIP_FIELD } from './skip.view.js';
import { EndpointBadge, SizeField, UrlField, WEBHOOKS_PATH } from './webhooks.view.js';

export const WEBHOOK_ACTIONS = [
  'rotate',
  'pause',
  'resume',
  'url',
  'size',
  'replay',
  'skip',
] as const;
export type WebhookAction = (typeof WEBHOOK_ACTIONS)[number];

const DONE: ReadonlyMap<string, string> = new Map<WebhookAction | 'created', string>([
  ['created', 'The endpoint was added. Show its secret to verify what it receives.'],
  ['rotate', 'The endpoint has a new secret. The old one signs as well for 24 hours.'],
  ['pause', 'The endpoint is paused. Nothing is lost meanwhile.'],
  ['resume', 'The endpoint is active again.'],
  ['url', 'The URL was changed.'],
  ['size', 'The size of deliveries was changed.'],
  ['replay', 'The changes are sent again.'],
  ['skip', 'The delivery was skipped. The last deliveries show its sequences.'],
]);

/** Messages and values that the page shows in addition to the endpoint. */
export interface WebhookView {
  readonly done?: string;
  readonly problems?: readonly FormProblem[];
  /** Secret in plain text, if it was requested. */
  readonly secret?: string;
  readonly isUnreadable?: boolean;
  /** Result of a test. */
  readonly tested?: Called;
}

/** Data of the sections about waiting changes and past deliveries. */
interface SentView {
  /** Upper bound of the number of waiting changes. */
  readonly waiting: number;
  readonly failing: FailingDelivery | null;
  readonly deliveries: readonly WebhookDelivery[];
}

interface Properties {
  readonly visit: SignedInVisit;
  readonly endpoint: ShownEndpoint;
  readonly problems: readonly FormProblem[];
}

export function webhookPage(
  visit: SignedInVisit,
  endpoint: ShownEndpoint,
  { waiting, failing, deliveries }: SentView,
  { done, problems = [], secret, isUnreadable = false, tested }: WebhookView,
): Page {
  const of = { visit, endpoint, problems };
  return {
    kind: 'page',
    title: 'Webhook endpoint',
    failure: problems.length === 0 ? undefined : 'invalid_parameters',
    view: (
      <>
        <p>
          <a href={WEBHOOKS_PATH}>All endpoints</a>
        </p>
        <h1>
          {endpoint.url} <EndpointBadge endpoint={endpoint} />
        </h1>
        <Done>{DONE.get(done ?? '')}</Done>
        <Problem>{problems.find(({ field }) => field === SKIP_FIELD)?.message}</Problem>
        <Facts endpoint={endpoint} waiting={waiting} />
        {failing !== null && <Skip visit={visit} endpoint={endpoint} failing={failing} />}
        <Send {...of} tested={tested} />
        <Secret {...of} value={secret} isUnreadable={isUnreadable} />
        <section class="card" aria-labelledby="deliveries-title">
          <h2 id="deliveries-title">Last deliveries</h2>
          <Deliveries deliveries={deliveries} />
        </section>
        <Change {...of} />
        <Remove {...of} />
      </>
    ),
  };
}

function Facts({
  endpoint,
  waiting,
}: {
  readonly endpoint: ShownEndpoint;
  readonly waiting: number;
}) {
  const { created, last_taken, problem, next_try, failures, state } = endpoint;
  return (
    <dl class="facts">
      <dt>Waiting</dt>
      <dd>{waiting === 0 ? 'nothing' : `at most ${countOfChanges(waiting)}`}</dd>
      <dt>Last taken</dt>
      <dd>{last_taken === null ? 'never' : <DateTime at={last_taken} isExact />}</dd>
      {problem !== null && (
        <>
          <dt>Problem</dt>
          <dd>
            {problem}; {failures} in a row
            {state === 'active' && (
              <>
                , next try <DateTime at={next_try} isExact />
              </>
            )}
          </dd>
        </>
      )}
      <dt>Created</dt>
      <dd>
        <DateTime at={created} />
      </dd>
    </dl>
  );
}

function Send({
  visit,
  endpoint: { id, state },
  problems,
  tested,
}: Properties & { readonly tested: Called | undefined }) {
  const path = `${WEBHOOKS_PATH}/${id}`;
  const [action, words] = state === 'active' ? ['pause', 'Pause'] : ['resume', 'Resume'];
  return (
    <section class="card" aria-labelledby="send-title">
      <h2 id="send-title">Send</h2>
      {tested?.problem === null && (
        <Done>
          The test was accepted with status {tested.status}, after {tested.duration_ms} ms.
        </Done>
      )}
      <Problem>
        {tested === undefined || tested.problem === null
          ? null
          : `The test was not taken: ${tested.problem}.`}
      </Problem>
      <Form visit={visit} action={`${path}/test`} label="Test">
        <button>Test</button>
      </Form>
      <Form visit={visit} action={`${path}/${action}`} label={words}>
        <button class="quiet">{words}</button>
      </Form>
      <Form visit={visit} action={`${path}/replay`} label="Replay">
        <Field
          label="Replay from (optional)"
          name="from"
          type="date"
          value={visit.field('from')}
          problems={problems}
          hint="Sends again what changed since this day, in UTC. Empty sends everything."
        />
        <button class="quiet">Replay</button>
      </Form>
    </section>
  );
}

const UNREADABLE =
  'The secret cannot be shown, because the encryption secret of this service has changed. Ask the operator to re-encrypt the stored secrets, or create a new one.';

function Secret({
  visit,
  endpoint: { id },
  value,
  isUnreadable,
}: Properties & { readonly value: string | undefined; readonly isUnreadable: boolean }) {
  const path = `${WEBHOOKS_PATH}/${id}`;
  return (
    <section class="card" aria-labelledby="secret-title">
      <h2 id="secret-title">Secret</h2>
      <Problem>{isUnreadable ? UNREADABLE : null}</Problem>
      {value === undefined ? (
        <Form visit={visit} action={`${path}/secret`}>
          <p>Your receiver verifies with the secret that a delivery comes from this service.</p>
          <button>Show the secret</button>
        </Form>
      ) : (
        <>
          <label for="secret">Secret of this endpoint</label>
          <div class="copy">
            <input id="secret" value={value} readonly autocomplete="off" spellcheck={false} />
            <button type="button" data-copy="secret" hidden>
              Copy
            </button>
          </div>
          <p role="status" data-copied="secret" />
        </>
      )}
      <Form visit={visit} action={`${path}/rotate`} label="New secret">
        <p>A new secret works at once. The old one signs as well for 24 hours.</p>
        <button class="quiet">Create a new secret</button>
      </Form>
    </section>
  );
}

function Change({ visit, endpoint: { id, url, max_bytes }, problems }: Properties) {
  const isWrong = (name: string) => problems.some(({ field }) => field === name);
  return (
    <section class="card" aria-labelledby="change-title">
      <h2 id="change-title">Change</h2>
      <Form visit={visit} action={`${WEBHOOKS_PATH}/${id}/url`}>
        <UrlField value={isWrong('url') ? visit.field('url') : url} problems={problems} />
        <button class="quiet">Change the URL</button>
      </Form>
      <Form visit={visit} action={`${WEBHOOKS_PATH}/${id}/size`} label="Size of deliveries">
        <SizeField
          value={isWrong('max_bytes') ? visit.field('max_bytes') : max_bytes}
          problems={problems}
        />
        <button class="quiet">Change the size</button>
      </Form>
    </section>
  );
}

function Remove({ visit, endpoint: { id } }: Properties) {
  return (
    <section class="card" aria-labelledby="remove-title">
      <h2 id="remove-title">Remove</h2>
      <p>Removes this endpoint with its deliveries. This cannot be undone.</p>
      <details>
        <summary>Remove this endpoint …</summary>
        <Form visit={visit} action={`${WEBHOOKS_PATH}/${id}/remove`}>
          <button class="danger">Yes, remove it</button>
        </Form>
      </details>
    </section>
  );
}
