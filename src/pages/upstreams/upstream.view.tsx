import {
  monthsReadOf,
  progressTextOf,
  RUN_NAMES,
} from '../../modules/upstreams/upstream-progress.model.js';
import type { ShownUpstream } from '../../modules/upstreams/upstream.model.js';
import type { Page } from '../http/page-answer.js';
import type { SignedInVisit } from '../session/visit.js';
import { Done, Problem, type FormProblem } from '../ui/form.view.js';
import { Form } from '../ui/layout.view.js';
import { UpstreamFacts } from './upstream-facts.view.js';

export const UPSTREAM_PATH = '/account/upstream';

export const UPSTREAM_ACTIONS = ['run', 'full', 'pause', 'resume'] as const;
export type UpstreamAction = (typeof UPSTREAM_ACTIONS)[number];

const DONE: ReadonlyMap<string, string> = new Map<UpstreamAction | 'added', string>([
  ['added', 'The mirror was added. Reading begins within seconds, with the newest months.'],
  ['run', 'New sales are read within seconds.'],
  ['full', 'Everything is read again, beginning within seconds.'],
  ['pause', 'The mirror is paused. Nothing is read until you resume it.'],
  ['resume', 'The mirror is active again.'],
]);

/** Messages and values that the page shows in addition to the upstream. */
export interface UpstreamView {
  readonly done?: string;
  readonly problems?: readonly FormProblem[];
  /** Address for notifications, if it was requested. */
  readonly address?: string;
  readonly isUnreadable?: boolean;
}

interface Properties {
  readonly visit: SignedInVisit;
  readonly upstream: ShownUpstream;
}

export function upstreamPage(
  visit: SignedInVisit,
  upstream: ShownUpstream,
  { done, problems = [], address, isUnreadable = false }: UpstreamView,
): Page {
  const of = { visit, upstream };
  return {
    kind: 'page',
    title: 'Mirror',
    failure: problems.length === 0 ? undefined : 'invalid_parameters',
    view: (
      <>
        <h1>
          Mirror of {upstream.url} <UpstreamBadge upstream={upstream} />
        </h1>
        <Done>{DONE.get(done ?? '')}</Done>
        <Problem>
          {problems.length === 0
            ? null
            : 'You have a mirror already. Remove it before you add another one.'}
        </Problem>
        <Progress upstream={upstream} />
        <UpstreamFacts upstream={upstream} />
        <Read {...of} />
        <Notifications visit={visit} address={address} isUnreadable={isUnreadable} />
        <Remove visit={visit} />
      </>
    ),
  };
}

const BADGES = {
  active: ['active', 'active'],
  failing: ['expired', 'failing'],
  paused: ['revoked', 'paused'],
} as const;

function UpstreamBadge({ upstream: { state, failures } }: Pick<Properties, 'upstream'>) {
  const [style, words] = BADGES[state === 'active' && failures > 0 ? 'failing' : state];
  return <span class={`badge ${style}`}>{words}</span>;
}

/**
 * Shows the progress of a run, and nothing between runs. The bar has no value while the end is
 * unknown.
 */
function Progress({ upstream }: Pick<Properties, 'upstream'>) {
  const { run, wanted, state } = upstream;
  const [months, kind] = [monthsReadOf(upstream), run ?? wanted];
  if (kind === null || (months === null && state === 'paused')) return null;
  return (
    <section class="card" aria-labelledby="progress-title">
      <h2 id="progress-title">
        {run === null ? 'About to read' : 'Reading'} {RUN_NAMES[kind]}
      </h2>
      <progress aria-labelledby="progress-title" value={months?.done} max={months?.all}>
        {progressTextOf(upstream)}
      </progress>
      <p>
        {run !== null && `${progressTextOf(upstream)}. `}
        <a href={UPSTREAM_PATH}>Reload the progress</a>
      </p>
    </section>
  );
}

function Read({ visit, upstream: { state } }: Properties) {
  return (
    <section class="card" aria-labelledby="read-title">
      <h2 id="read-title">Read</h2>
      <p>
        Sales of the last 3 days are read again each time, and those of the last 90 days once a day.
        Read everything again if something older was corrected there.
      </p>
      <div class="actions">
        {state === 'active' ? (
          <>
            <Button visit={visit} action="run" words="Run now" isMain />
            <Button visit={visit} action="full" words="Read everything again" />
            <Button visit={visit} action="pause" words="Pause" />
          </>
        ) : (
          <Button visit={visit} action="resume" words="Resume" isMain />
        )}
      </div>
    </section>
  );
}

function Button({
  visit,
  action,
  words,
  isMain = false,
}: {
  readonly visit: SignedInVisit;
  readonly action: UpstreamAction;
  readonly words: string;
  readonly isMain?: boolean;
}) {
  return (
    <Form visit={visit} action={`${UPSTREAM_PATH}/${action}`} label={words}>
      <button class={isMain ? undefined : 'quiet'}>{words}</button>
    </Form>
  );
}

const UNREADABLE =
  'The address cannot be shown, because the encryption secret of this service has changed. Ask the operator to re-encrypt the stored keys, or remove the mirror and add it again.';

function Notifications({
  visit,
  address,
  isUnreadable,
}: {
  readonly visit: SignedInVisit;
  readonly address: string | undefined;
  readonly isUnreadable: boolean;
}) {
  return (
    <section class="card" aria-labelledby="notifications-title">
      <h2 id="notifications-title">Notifications</h2>
      <Problem>{isUnreadable ? UNREADABLE : null}</Problem>
      <p>
        If the other service can notify a URL of each sale, enter the address for notifications
        there: then a sale is here within seconds. Keep it secret.
      </p>
      {address === undefined ? (
        <Form visit={visit} action={`${UPSTREAM_PATH}/address`}>
          <button class="quiet">Show the address for notifications</button>
        </Form>
      ) : (
        <>
          <label for="address">Address for notifications</label>
          <div class="copy">
            <output id="address">{address}</output>
            <button type="button" data-copy="address" hidden>
              Copy
            </button>
          </div>
          <p role="status" data-copied="address" />
        </>
      )}
    </section>
  );
}

function Remove({ visit }: Pick<Properties, 'visit'>) {
  return (
    <section class="card" aria-labelledby="remove-title">
      <h2 id="remove-title">Remove</h2>
      <p>Removes the mirror with its API key. What was read stays.</p>
      <details>
        <summary>Remove this mirror …</summary>
        <Form visit={visit} action={`${UPSTREAM_PATH}/remove`}>
          <button class="danger">Yes, remove it</button>
        </Form>
      </details>
    </section>
  );
}
