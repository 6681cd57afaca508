import { DELIVERY_BYTES, type ShownEndpoint } from '../../modules/webhooks/webhook.model.js';
import type { Page } from '../http/page-answer.js';
import type { SignedInVisit } from '../session/visit.js';
import { DateTime } from '../ui/date-time.view.js';
import { Choices, Field, type FormProblem } from '../ui/form.view.js';
import { Form } from '../ui/layout.view.js';

export const WEBHOOKS_PATH = '/account/webhooks';

const STARTS = [
  { value: 'now', name: 'From now on', explanation: 'Only what changes after this.' },
  {
    value: 'beginning',
    name: 'Everything',
    explanation: 'The whole ledger, and then what changes.',
  },
];

export function webhooksPage(
  visit: SignedInVisit,
  endpoints: readonly ShownEndpoint[],
  problems: readonly FormProblem[] = [],
): Page {
  return {
    kind: 'page',
    title: 'Webhooks',
    failure: problems.length === 0 ? undefined : 'invalid_parameters',
    view: (
      <>
        <h1>Webhooks</h1>
        <p>
          An endpoint is a URL of yours where this service sends what changes: sales, refunds,
          corrections, products and affiliates. Each change is sent at least once, in order.
        </p>
        {endpoints.length === 0 && <p class="empty">You have no endpoints yet.</p>}
        <ul class="cards">
          {endpoints.map((endpoint) => (
            <Card endpoint={endpoint} />
          ))}
        </ul>
        <section class="card" aria-labelledby="make-title">
          <h2 id="make-title">Add an endpoint</h2>
          <Form visit={visit} action={WEBHOOKS_PATH}>
            <UrlField value={visit.field('url')} problems={problems} />
            <Choices
              legend="What is sent"
              name="from"
              value={problems.length === 0 ? 'now' : visit.field('from')}
              choices={STARTS}
              problems={problems}
            />
            <SizeField
              value={problems.length === 0 ? DELIVERY_BYTES.default : visit.field('max_bytes')}
              problems={problems}
            />
            <button>Add endpoint</button>
          </Form>
        </section>
      </>
    ),
  };
}

function Card({ endpoint }: { readonly endpoint: ShownEndpoint }) {
  const { id, url, problem, last_taken } = endpoint;
  return (
    <li class="card">
      <h2>
        <a href={`${WEBHOOKS_PATH}/${id}`}>{url}</a> <EndpointBadge endpoint={endpoint} />
      </h2>
      <p>
        {last_taken === null ? (
          'Nothing was taken yet'
        ) : (
          <>
            Last taken <DateTime at={last_taken} />
          </>
        )}
        {problem !== null && `; the last delivery failed: ${problem}`}.
      </p>
    </li>
  );
}

const BADGES = {
  active: ['active', 'active'],
  failing: ['expired', 'failing'],
  paused: ['revoked', 'paused'],
  gone: ['revoked', 'switched off by the receiver'],
} as const;

export function EndpointBadge({ endpoint }: { readonly endpoint: ShownEndpoint }) {
  const { state, failures } = endpoint;
  const [style, words] = BADGES[state === 'active' && failures > 0 ? 'failing' : state];
  return <span class={`badge ${style}`}>{words}</span>;
}

export function UrlField({
  value,
  problems,
}: {
  readonly value: string;
  readonly problems: readonly FormProblem[];
}) {
  return (
    <Field
      label="URL"
      name="url"
      type="url"
      value={value}
      problems={problems}
      hint="It begins with https:// and has a public address."
      autocomplete="off"
      spellcheck={false}
      required
    />
  );
}

export function SizeField({
  value,
  problems,
}: {
  readonly value: string | number;
  readonly problems: readonly FormProblem[];
}) {
  const { min, max } = DELIVERY_BYTES;
  return (
    <Field
      label="Largest delivery, in bytes"
      name="max_bytes"
      type="number"
      min={min}
      max={max}
      value={value}
      problems={problems}
      hint={`From ${min} to ${max}. A single change that is larger is sent alone. Many receivers refuse more than 102400 bytes unless they are set up for it.`}
      required
    />
  );
}
