import { formatSeconds, parseLimitWindows, type LimitWindows } from '../../common/limit-windows.js';
import { dayOf } from '../../common/time.js';
import type { ListedApplication } from '../../modules/accounts/account.model.js';
import { Done, Field, Labelled, Problem, type FormProblem } from '../ui/form.view.js';
import { Form } from '../ui/layout.view.js';
import { DateTime } from '../ui/date-time.view.js';
import type { Page } from '../http/page-answer.js';
import type { SignedInVisit } from '../session/visit.js';
import { AccessField, accessExplanation, accessName } from './access.view.js';
import { OVERLAPS } from './application-form.js';
import { AddressesField, ExpiryField, StateBadge, stateOf } from './applications.view.js';

/**
 * Actions on an application, as named in their paths and in the address of the page that follows.
 */
export const DONE_KINDS = [
  'rotate',
  'end-overlap',
  'rename',
  'access',
  'expiry',
  'addresses',
  'revoke',
] as const;
export type DoneKind = (typeof DONE_KINDS)[number];

export interface ApplicationView {
  readonly done?: string;
  readonly problems?: readonly FormProblem[];
  /** Key in plain text, if it was requested. */
  readonly key?: string;
  readonly isUnreadable?: boolean;
}

const DONE: ReadonlyMap<string, string> = new Map<DoneKind | 'created', string>([
  ['created', 'The application was created. Show its key to use it.'],
  ['rotate', 'The key was rotated. Show the new key to use it.'],
  ['end-overlap', 'The old key no longer works. Only the new key does.'],
  ['rename', 'The name was changed.'],
  ['access', 'The access was changed.'],
  ['expiry', 'The last day was changed.'],
  ['addresses', 'The allowed addresses were changed.'],
  ['revoke', 'The application was revoked. Its keys no longer work.'],
]);

interface Properties {
  readonly visit: SignedInVisit;
  readonly application: ListedApplication;
  readonly problems: readonly FormProblem[];
}

/** @param defaultLimits apply if the application has no limits of its own */
export function applicationPage(
  visit: SignedInVisit,
  application: ListedApplication,
  { done, problems = [], key, isUnreadable = false }: ApplicationView,
  defaultLimits: LimitWindows,
): Page {
  const { name, state, access } = application;
  const of = { visit, application, problems };
  return {
    kind: 'page',
    title: name,
    failure: problems.length === 0 ? undefined : 'invalid_parameters',
    view: (
      <>
        <p>
          <a href="/account/applications">All API applications</a>
        </p>
        <h1>
          {name} <StateBadge application={application} />
        </h1>
        <Done>{DONE.get(done ?? '')}</Done>
        {access !== 'source' && <OldKey {...of} />}
        <Facts application={application} defaultLimits={defaultLimits} />
        {state === 'active' && access === 'source' && (
          <>
            <p>The operator created and manages this application. You can only revoke it.</p>
            <Revoke {...of} />
          </>
        )}
        {state === 'active' && access !== 'source' && (
          <>
            <Key {...of} value={key} isUnreadable={isUnreadable} />
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
  defaultLimits,
}: {
  readonly application: ListedApplication;
  readonly defaultLimits: LimitWindows;
}) {
  const { created, expires, last_used, address_allow_list, limits } = application;
  const effective = limits === null ? defaultLimits : (parseLimitWindows(limits) ?? []);
  return (
    <dl class="facts">
      <dt>Access</dt>
      <dd>
        {accessName(application)}: {accessExplanation(application)}
      </dd>
      <dt>Created</dt>
      <dd>
        <DateTime at={created} />
      </dd>
      <dt>Last used</dt>
      <dd>{last_used === null ? 'never' : <DateTime at={last_used} />}</dd>
      <dt>{stateOf(application) === 'expired' ? 'Expired' : 'Expires'}</dt>
      <dd>{expires === null ? 'never' : <DateTime at={expires} />}</dd>
      <dt>Allowed addresses</dt>
      <dd>{address_allow_list?.replaceAll(',', ', ') ?? 'any address'}</dd>
      <dt>Rate limits</dt>
      <dd>{describeLimits(effective)}</dd>
    </dl>
  );
}

function describeLimits(windows: LimitWindows): string {
  if (windows.length === 0) return 'none';
  return windows
    .map(({ requests, seconds }) => `${requests} requests in ${formatSeconds(seconds)}`)
    .join(', ');
}

function OldKey({ visit, application: { id, old_key_ends } }: Properties) {
  if (old_key_ends === null) return null;
  return (
    <section class="card" aria-labelledby="old-key-title">
      <h2 id="old-key-title">The old key still works</h2>
      <p>
        It works until <DateTime at={old_key_ends} isExact /> UTC. End it as soon as nothing uses
        it.
      </p>
      <Form visit={visit} action={`/account/applications/${id}/end-overlap`}>
        <button class="danger">End the old key now</button>
      </Form>
    </section>
  );
}

const UNREADABLE =
  'This key cannot be shown, because the encryption secret of this service has changed. The key still works. Ask the operator to re-encrypt the stored keys, or create a new key below.';

function Key({
  visit,
  application,
  value,
  isUnreadable,
}: Properties & { readonly value: string | undefined; readonly isUnreadable: boolean }) {
  return (
    <section class="card" aria-labelledby="key-title">
      <h2 id="key-title">Key</h2>
      <Problem>{isUnreadable ? UNREADABLE : null}</Problem>
      {value === undefined ? (
        <Form visit={visit} action={`/account/applications/${application.id}/key`}>
          <p>
            The key gives {accessName(application).toLowerCase()} access to your data. Anyone who
            sees it can use it.
          </p>
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
            Send it as the user name of HTTP Basic authentication, with the password <code>x</code>.
          </p>
          <p role="status" data-copied="key" />
        </>
      )}
    </section>
  );
}

function Rotate({ visit, application, problems }: Properties) {
  return (
    <section class="card" aria-labelledby="rotate-title">
      <h2 id="rotate-title">Rotate the key</h2>
      <Form visit={visit} action={`/account/applications/${application.id}/rotate`}>
        <Labelled
          label="How long the old key still works"
          name="overlap"
          problems={problems}
          control={(attributes) => (
            <select {...attributes}>
              {[...OVERLAPS].map(([value, [, words]]) => (
                <option value={value} selected={value === '24h'}>
                  {words}
                </option>
              ))}
            </select>
          )}
        />
        <button>Create a new key</button>
      </Form>
    </section>
  );
}

function Change({ visit, application, problems }: Properties) {
  // Keeps invalid input, so that the user can correct it.
  const shown = (field: string, stored: string) =>
    problems.some((problem) => problem.field === field) ? visit.field(field) : stored;
  const { id, name, access, expires, address_allow_list } = application;
  const path = `/account/applications/${id}`;
  return (
    <section class="card" aria-labelledby="change-title">
      <h2 id="change-title">Change</h2>
      <Form visit={visit} action={`${path}/rename`} label="Name">
        <Field
          label="Name"
          name="name"
          value={shown('name', name)}
          problems={problems}
          maxLength={255}
          autocomplete="off"
          required
        />
        <button class="quiet">Change the name</button>
      </Form>
      <Form visit={visit} action={`${path}/access`} label="Access">
        <AccessField value={shown('access', access)} problems={problems} />
        <button class="quiet">Change the access</button>
      </Form>
      <Form visit={visit} action={`${path}/expiry`} label="Last day">
        <ExpiryField
          value={shown('expires', expires === null ? '' : dayOf(expires))}
          problems={problems}
        />
        <button class="quiet">Change the last day</button>
      </Form>
      <Form visit={visit} action={`${path}/addresses`} label="Allowed addresses">
        <AddressesField
          value={shown('addresses', address_allow_list?.replaceAll(',', ', ') ?? '')}
          problems={problems}
        />
        <button class="quiet">Change the addresses</button>
      </Form>
    </section>
  );
}

function Revoke({ visit, application }: Properties) {
  return (
    <section class="card" aria-labelledby="revoke-title">
      <h2 id="revoke-title">Revoke</h2>
      <p>Revokes this application and all its keys permanently. This cannot be undone.</p>
      <details>
        <summary>Revoke this application …</summary>
        <Form visit={visit} action={`/account/applications/${application.id}/revoke`}>
          <button class="danger">Yes, revoke {application.name}</button>
        </Form>
      </details>
    </section>
  );
}
