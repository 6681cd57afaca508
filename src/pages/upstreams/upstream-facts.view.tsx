import type { ComponentChildren } from 'preact';
import { formatSeconds } from '../../common/limit-windows.js';
import { OWN_WORDS, type ShownUpstream } from '../../modules/upstreams/upstream.model.js';
import { DateTime } from '../ui/date-time.view.js';
import { WORD_FIELDS } from './upstream-form.js';

interface Properties {
  readonly upstream: ShownUpstream;
}

/** Shows which records were read and which are waiting, and the times of the runs. */
export function UpstreamFacts({ upstream }: Properties) {
  const { run, listed, waiting, missing, last_recent, last_full, created } = upstream;
  return (
    <dl class="facts">
      <Fact name="Transactions read">
        {shown(listed)}
        {last_recent !== null && (run === null ? ' in the last run' : ' in this run')}
      </Fact>
      <Fact name="Details waiting">{shown(waiting)}</Fact>
      <Fact name="Last run">
        <When at={last_recent} />
      </Fact>
      <Fact name="Everything read">
        <When at={last_full} />
      </Fact>
      <Fact name="Recurring payments checked">
        <Payments upstream={upstream} />
      </Fact>
      <Fact name="Next run">
        <Next upstream={upstream} />
      </Fact>
      <Fact name="Missing there">
        {missing === 0
          ? 'none'
          : `${shown(missing)} of the transactions here, which stay as they are`}
      </Fact>
      <Failure upstream={upstream} />
      <Problems upstream={upstream} />
      <Words upstream={upstream} />
      <Fact name="Added">
        <DateTime at={created} />
      </Fact>
    </dl>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

function When({ at }: { readonly at: string | null }) {
  return at === null ? <>never</> : <DateTime at={at} isExact />;
}

/**
 * Shows how many subscriptions were checked again in the current daily check, or when the last
 * check ended.
 */
function Payments({ upstream }: Properties) {
  const { last_payments, payments_seen, payments_total } = upstream;
  if (payments_seen >= payments_total) return <When at={last_payments} />;
  return (
    <>
      {shown(payments_seen)} of {shown(payments_total)}
    </>
  );
}

function Next({ upstream }: Properties) {
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

function Failure({ upstream: { problem, failures } }: Properties) {
  if (problem === null) return null;
  return (
    <Fact name="Last failure">
      {problem}
      {failures > 0 && `; ${failures} failed in a row`}
    </Fact>
  );
}

/** Counts the records that were not stored, or were changed before they were stored, by kind. */
function Problems({ upstream: { problems } }: Properties) {
  if (problems.length === 0) return null;
  return (
    <Fact name="Problems">
      <ul>
        {problems.map(({ kind, count, example }) => (
          <li>
            {shown(count)} × {kind}
            {example !== null && <>, first: {example}</>}
          </li>
        ))}
      </ul>
    </Fact>
  );
}

function Words({ upstream: { words } }: Properties) {
  const others = WORD_FIELDS.filter((field) => words[field] !== OWN_WORDS[field]);
  if (others.length === 0) return null;
  return (
    <Fact name="Names">{others.map((field) => `${words[field]} for ${field}`).join(', ')}</Fact>
  );
}

function shown(count: number): string {
  return count.toLocaleString('en');
}
