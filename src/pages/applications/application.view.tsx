import { formatSeconds, parseLimitWindows, type LimitWindows } from '../../common/limit-windows.js';
import { dayOf } from '../../common/time.js';
import type { ListedApplication } from '../../modules/accounts/account.model.js';
import { Done, Field, Problem } from '../shell/form.view.js';
import { Form } from '../shell/layout.view.js';
import { Moment } from '../shell/moment.view.js';
import type { Page } from '../shell/page-answer.js';
import type { SignedInVisit } from '../shell/visit.js';
import { OVERLAPS } from './application-form.js';
import { AddressesField, ExpiryField, StateBadge, stateOf } from './applications.view.js';

export type DoneKind = 'rotate' | 'rename' | 'expiry' | 'addresses' | 'revoke';

/** What the page says beside the application itself. */
export interface ApplicationView {
  readonly done?: string;
  readonly problem?: string;
  /** The key in clear, where it was asked for. */
  readonly key?: string;
}

const DONE: ReadonlyMap<string, string> = new Map<DoneKind | 'made', string>([
  ['made', 'The API application is made. Show its key to use it.'],
  ['rotate', 'The key is rotated. Show the new one to use it.'],
  ['rename', 'The name is changed.'],
  ['expiry', 'The last day is changed.'],
  ['addresses', 'The allowed addresses are changed.'],
  ['revoke', 'The API application is revoked. Its keys are refused from now on.'],
]);

interface Properties {
  readonly visit: SignedInVisit;
  readonly application: ListedApplication;
}

/** @param everybodys the limits that hold where the application has none of its own */
export function applicationPage(
  visit: SignedInVisit,
  application: ListedApplication,
  { done, problem, key }: ApplicationView,
  everybodys: LimitWindows,
): Page {
  const { name, state } = application;
  const of = { visit, application };
  return {
    kind: 'page',
    title: name,
    status: problem === undefined ? 200 : 400,
    view: (
      <>
        <p>
          <a href="/account/applications">All API applications</a>
        </p>
        <h1>
          {name} <StateBadge application={application} />
        </h1>
        <Problem>{problem}</Problem>
        <Done>{DONE.get(done ?? '')}</Done>
        <Facts application={application} everybodys={everybodys} />
        {state === 'active' && (
          <>
            <Key {...of} value={key} />
            <Rotate {...of} />
            <Change {...of} />
            <Revoke {...of} />
          </>
        )}
      </>
    ),
  };
}

function Facts({
  application,
  everybodys,
}: {
  readonly application: ListedApplication;
  readonly everybodys: LimitWindows;
}) {
  const { created, expires, last_used, address_allow_list, limits } = application;
  const inForce = limits === null ? everybodys : (parseLimitWindows(limits) ?? []);
  return (
    <dl class="facts">
      <dt>Made</dt>
      <dd>
        <Moment at={created} />
      </dd>
      <dt>Last used</dt>
      <dd>{last_used === null ? 'never' : <Moment at={last_used} />}</dd>
      <dt>{stateOf(application) === 'expired' ? 'Expired' : 'Expires'}</dt>
      <dd>{expires === null ? 'never' : <Moment at={expires} />}</dd>
      <dt>Allowed addresses</dt>
      <dd>{address_allow_list?.replaceAll(',', ', ') ?? 'everywhere'}</dd>
      <dt>Limits in force</dt>
      <dd>{wordsOf(inForce)}</dd>
    </dl>
  );
}

function wordsOf(windows: LimitWindows): string {
  if (windows.length === 0) return 'none';
  return windows
    .map(({ requests, seconds }) => `${requests} requests in ${formatSeconds(seconds)}`)
    .join(', ');
}

function Key({ visit, application, value }: Properties & { readonly value: string | undefined }) {
  return (
    <section class="card" aria-labelledby="key-title">
      <h2 id="key-title">Key</h2>
      {value === undefined ? (
        <Form visit={visit} action={`/account/applications/${application.id}/key`}>
          <p>It gives full access to your data. Whoever sees it can use it.</p>
          <button>Show the key</button>
        </Form>
      ) : (
        <>
          <label for="key">Key of this application</label>
          <div class="copy">
            <input id="key" value={value} readonly autocomplete="off" spellcheck={false} />
            <button type="button" data-copy="key" hidden>
              Copy
            </button>
          </div>
          <p class="hint">
            Send it as the user name of HTTP Basic, with the password <code>x</code>.
          </p>
          <p role="status" data-copied="key" />
        </>
      )}
    </section>
  );
}

function Rotate({ visit, application }: Properties) {
  return (
    <section class="card" aria-labelledby="rotate-title">
      <h2 id="rotate-title">Rotate the key</h2>
      <Form visit={visit} action={`/account/applications/${application.id}/rotate`}>
        <div class="field">
          <label for="overlap">How long the old key goes on working</label>
          <select id="overlap" name="overlap">
            {[...OVERLAPS].map(([value, [, words]]) => (
              <option value={value} selected={value === '24h'}>
                {words}
              </option>
            ))}
          </select>
        </div>
        <button>Make a new key</button>
      </Form>
    </section>
  );
}

function Change({ visit, application }: Properties) {
  const { id, name, expires, address_allow_list } = application;
  const path = `/account/applications/${id}`;
  return (
    <section class="card" aria-labelledby="change-title">
      <h2 id="change-title">Change</h2>
      <Form visit={visit} action={`${path}/rename`} label="Name">
        <Field label="Name" name="name" value={name} maxLength={255} autocomplete="off" required />
        <button class="quiet">Change the name</button>
      </Form>
      <Form visit={visit} action={`${path}/expiry`} label="Last day">
        <ExpiryField value={expires === null ? '' : dayOf(expires)} />
        <button class="quiet">Change the last day</button>
      </Form>
      <Form visit={visit} action={`${path}/addresses`} label="Allowed addresses">
        <AddressesField value={address_allow_list?.replaceAll(',', ', ') ?? ''} />
        <button class="quiet">Change the addresses</button>
      </Form>
    </section>
  );
}

function Revoke({ visit, application }: Properties) {
  return (
    <section class="card" aria-labelledby="revoke-title">
      <h2 id="revoke-title">Revoke</h2>
      <p>Ends this application for good, with all its keys. It can not be taken back.</p>
      <details>
        <summary>Revoke this application …</summary>
        <Form visit={visit} action={`/account/applications/${application.id}/revoke`}>
          <button class="danger">Yes, revoke {application.name}</button>
        </Form>
      </details>
    </section>
  );
}
