import {
  monthsReadOf,
  OWN_WORDS,
  progressTextOf,
  RUN_NAMES,
  type ShownUpstream,
} from './upstreams/upstream.model.js';
import { formatSeconds } from '../../platform/limits/limit-windows.js';
import { pageOf, type Page } from '../../platform/pages/page-answer.js';
import { MIRROR } from './mirror.feature.js';
import { Copy, Removal, WorkBadge, type ShownSecret } from '../../platform/pages/resource.view.js';
import { Actions, Facts, Setting } from '../../platform/pages/ui/facts.view.js';
import { FormButton, Problem, type FormProblem } from '../../platform/pages/ui/form.view.js';
import { DateTime, numberText } from '../../platform/pages/ui/values.view.js';

const PATH = MIRROR.pages.upstream.path;

/** Fields for the names that the upstream uses; an empty one means the name of this service. */
export const WORD_FIELDS = ['service', 'processor'] as const;

/** @param address the address for notifications */
export function upstreamPage(
  upstream: ShownUpstream,
  done: string | undefined,
  address: ShownSecret,
  problems: readonly FormProblem[],
): Page {
  return pageOf(
    {
      title: 'Import from another service',
      problems,
      heading: ['Import from ', upstream.url, ' ', <WorkBadge {...upstream} />],
      done,
    },
    <>
      <Problem>
        {problems.length === 0
          ? null
          : 'You have connected a service already. Remove it before you connect another one.'}
      </Problem>
      <Progress {...upstream} />
      <Setting
        id="state-title"
        title="What was read"
        about={<p>Nothing here is deleted, also if it is deleted at the source.</p>}
      >
        <UpstreamFacts {...upstream} />
      </Setting>
      <Read {...upstream} />
      <Notifications {...address} />
      <Removal
        action={`${PATH}/remove`}
        explanation="Removes the connection with its API key. What was read stays."
        summary="Remove this connection …"
      />
    </>,
  );
}

/**
 * Shows the progress of a run, and nothing between runs. The bar has no value while the end is
 * unknown.
 */
function Progress(upstream: ShownUpstream) {
  const { run, wanted, state } = upstream;
  const [months, kind] = [monthsReadOf(upstream), run ?? wanted];
  if (kind === null || (months === null && state === 'paused')) return null;
  return (
    <Setting
      id="progress-title"
      title={[run === null ? 'About to read' : 'Reading', ' ', RUN_NAMES[kind]]}
    >
      <progress aria-labelledby="progress-title" value={months?.done} max={months?.all}>
        {progressTextOf(upstream)}
      </progress>
      <p>
        {run !== null && `${progressTextOf(upstream)}. `}
        <a href={PATH}>Update</a>
      </p>
    </Setting>
  );
}

/** Shows which records were read and which are waiting, and the times of the runs. */
function UpstreamFacts(upstream: ShownUpstream) {
  const { run, listed, waiting, missing, last_recent, last_full, created } = upstream;
  const { problem, failures, words } = upstream;
  const others = WORD_FIELDS.filter((field) => words[field] !== OWN_WORDS[field]);
  const inRun = run === null ? ' in the last run' : ' in this run';
  return (
    <Facts
      facts={[
        ['Transactions read', numberText(listed) + (last_recent === null ? '' : inRun)],
        ['Details to fetch', numberText(waiting)],
        ['Last run', <DateTime at={last_recent} isExact otherwise="never" />],
        ['Last full read', <DateTime at={last_full} isExact otherwise="never" />],
        ['Subscriptions checked', <Payments {...upstream} />],
        ['Next run', <Next {...upstream} />],
        [
          'Deleted at the source',
          missing === 0
            ? 'none'
            : `${numberText(missing)} of the transactions here, which stay as they are`,
        ],
        [
          'Last failure',
          problem !== null && [problem, failures > 1 && `; ${failures} failures in a row`],
        ],
        ['Problems', upstream.problems.length > 0 && <Unstored {...upstream} />],
        ['Names', others.map((field) => `${words[field]} for ${field}`).join(', ')],
        ['Added', <DateTime at={created} />],
      ]}
    />
  );
}

/**
 * Shows how many subscriptions were checked again in the current daily check, or when the last
 * check ended.
 */
function Payments({ last_payments, payments_seen, payments_total }: ShownUpstream) {
  if (payments_seen >= payments_total)
    return <DateTime at={last_payments} isExact otherwise="never" />;
  return (
    <>
      {numberText(payments_seen)} of {numberText(payments_total)}
    </>
  );
}

function Next(upstream: ShownUpstream) {
  const { state, run, wanted, failures, next_try, every_seconds } = upstream;
  if (state === 'paused') return <>when you resume it</>;
  if (failures > 0) return <DateTime at={next_try} isExact />;
  const every = `, every ${formatSeconds(every_seconds)}`;
  if (run !== null) return <>now{every}</>;
  return (
    <>
      {wanted === null ? <DateTime at={next_try} isExact /> : 'within seconds'}
      {every}
    </>
  );
}

/** Counts the records that were not stored, or were changed before they were stored, by kind. */
function Unstored({ problems }: ShownUpstream) {
  return (
    <ul>
      {problems.map(({ kind, count, example }) => (
        <li>
          {numberText(count)} × {kind}
          {example !== null && <>, first: {example}</>}
        </li>
      ))}
    </ul>
  );
}

function Read({ state }: ShownUpstream) {
  const button = (action: string, words: string, style?: 'quiet') => (
    <FormButton action={`${PATH}/${action}`} label={words} words={words} button={style} />
  );
  return (
    <Setting
      id="read-title"
      title="Read"
      about={
        <p>
          Sales of the last 3 days are read again each time, and those of the last 90 days once a
          day. Read everything again if something older was corrected there.
        </p>
      }
    >
      <Actions>
        {state === 'active' ? (
          <>
            {button('run', 'Run now')}
            {button('full', 'Read everything again', 'quiet')}
            {button('pause', 'Pause', 'quiet')}
          </>
        ) : (
          button('resume', 'Resume')
        )}
      </Actions>
    </Setting>
  );
}

const UNREADABLE =
  'The address cannot be shown, because the encryption secret of this service has changed. Ask the operator to re-encrypt the stored keys, or remove the connection and add it again.';

function Notifications({ value, isUnreadable = false }: ShownSecret) {
  return (
    <Setting
      id="notifications-title"
      title="Notifications"
      about={
        <p>
          If the other service can notify a URL of each sale, enter the address for notifications
          there: then a sale is here within seconds. Keep it secret.
        </p>
      }
    >
      <Problem>{isUnreadable ? UNREADABLE : null}</Problem>
      {value === undefined ? (
        <FormButton
          action={`${PATH}/address`}
          words="Show the address for notifications"
          button="quiet"
        />
      ) : (
        <>
          <label for="address">Address for notifications</label>
          <div class="copy">
            <output id="address">{value}</output>
            <Copy of="address" />
          </div>
          <p role="status" data-copied="address" />
        </>
      )}
    </Setting>
  );
}
