import { formatSeconds, parseLimitWindows, type LimitWindows } from '../../common/limit-windows.js';
import { dateTimeOf, dayOf } from '../../common/time.js';
import type { ApiApplication, ListedApplication } from '../../modules/accounts/account.model.js';
import { pageOf, type Page } from '../http/page-answer.js';
import { APPLICATIONS_PATH } from '../paths.js';
import { Removal, Secret, type ShownSecret } from '../resource/resource.view.js';
import { Badge, Facts, Panel } from '../ui/facts.view.js';
import { Field, Form, FormButton, Select, type FormProblem } from '../ui/form.view.js';
import { DateTime } from '../ui/values.view.js';
import {
  AccessField,
  accessExplanation,
  accessName,
  ADDRESSES,
  EXPIRY,
  NAME,
  OVERLAPS,
} from './application-form.js';

interface Shown {
  readonly application: ListedApplication;
  readonly done: string | undefined;
  readonly problems: readonly FormProblem[];
  readonly key: ShownSecret;
  /** Limits that apply if the application has none of its own. */
  readonly defaultLimits: LimitWindows;
}

interface Properties {
  readonly application: ListedApplication;
  readonly path: string;
}

export function applicationPage({ application, done, problems, key, defaultLimits }: Shown): Page {
  const { id, name, state, access } = application;
  const of = { application, path: `${APPLICATIONS_PATH}/${id}` };
  return pageOf(
    {
      title: name,
      problems,
      back: [APPLICATIONS_PATH, 'All API applications'],
      heading: [name, ' ', <StateBadge application={application} />],
      done,
    },
    <>
      {access !== 'source' && <OldKey {...of} />}
      <ApplicationFacts application={application} defaultLimits={defaultLimits} />
      {state === 'active' && access === 'source' && (
        <p>The operator created and manages this application. You can only revoke it.</p>
      )}
      {state === 'active' && access !== 'source' && (
        <>
          <Key {...of} shown={key} />
          <Rotate {...of} />
          <Change {...of} />
        </>
      )}
      {state === 'active' && (
        <Removal
          action={`${of.path}/revoke`}
          title="Revoke"
          explanation="Revokes this application and all its keys permanently. This cannot be undone."
          summary="Revoke this application …"
          words={['Yes, revoke ', name]}
        />
      )}
    </>,
  );
}

export function stateOf({ state, expires }: ApiApplication): 'active' | 'revoked' | 'expired' {
  const isExpired = expires !== null && expires <= dateTimeOf(new Date());
  return state === 'active' && isExpired ? 'expired' : state;
}

export function StateBadge({ application }: { readonly application: ApiApplication }) {
  const state = stateOf(application);
  return <Badge style={state}>{state}</Badge>;
}

function ApplicationFacts({
  application,
  defaultLimits,
}: Pick<Shown, 'application' | 'defaultLimits'>) {
  const { created, expires, last_used, address_allow_list, limits } = application;
  const effective = limits === null ? defaultLimits : (parseLimitWindows(limits) ?? []);
  return (
    <Facts
      facts={[
        ['Access', [accessName(application), ': ', accessExplanation(application)]],
        ['Created', <DateTime at={created} />],
        ['Last used', <DateTime at={last_used} otherwise="never" />],
        [
          stateOf(application) === 'expired' ? 'Expired' : 'Expires',
          <DateTime at={expires} otherwise="never" />,
        ],
        ['Allowed addresses', address_allow_list?.replaceAll(',', ', ') ?? 'any address'],
        ['Rate limits', describeLimits(effective)],
      ]}
    />
  );
}

function describeLimits(windows: LimitWindows): string {
  if (windows.length === 0) return 'none';
  return windows
    .map(({ requests, seconds }) => `${requests} requests in ${formatSeconds(seconds)}`)
    .join(', ');
}

function OldKey({ path, application: { old_key_ends } }: Properties) {
  if (old_key_ends === null) return null;
  return (
    <Panel id="old-key-title" title="The old key still works">
      <p>
        It works until <DateTime at={old_key_ends} isExact /> UTC. End it as soon as nothing uses
        it.
      </p>
      <FormButton action={`${path}/end-overlap`} words="End the old key now" button="danger" />
    </Panel>
  );
}

const UNREADABLE =
  'This key cannot be shown, because the encryption secret of this service has changed. The key still works. Ask the operator to re-encrypt the stored keys, or create a new key below.';

function Key({ path, application, shown }: Properties & { readonly shown: ShownSecret }) {
  return (
    <Panel id="key-title" title="Key">
      <Secret
        id="key"
        label="Key of this application"
        shown={shown}
        unreadable={UNREADABLE}
        hint={
          <p class="hint">
            Send it as the user name of HTTP Basic authentication, with the password <code>x</code>.
          </p>
        }
      >
        <Form action={`${path}/key`}>
          <p>
            The key gives {accessName(application).toLowerCase()} access to your data. Anyone who
            sees it can use it.
          </p>
          <button>Show the key</button>
        </Form>
      </Secret>
    </Panel>
  );
}

function Rotate({ path }: Properties) {
  return (
    <Panel id="rotate-title" title="Rotate the key">
      <Form action={`${path}/rotate`}>
        <Select
          label="How long the old key still works"
          name="overlap"
          options={new Map(Array.from(OVERLAPS, ([value, [, words]]) => [value, words]))}
          chosen="24h"
        />
        <button>Create a new key</button>
      </Form>
    </Panel>
  );
}

function Change({ path, application }: Properties) {
  const { name, access, expires, address_allow_list } = application;
  const addresses = address_allow_list?.replaceAll(',', ', ') ?? '';
  return (
    <Panel id="change-title" title="Change">
      <Form action={`${path}/rename`} label="Name">
        <Field {...NAME} stored={name} />
        <button class="quiet">Change the name</button>
      </Form>
      <Form action={`${path}/access`} label="Access">
        <AccessField stored={access} />
        <button class="quiet">Change the access</button>
      </Form>
      <Form action={`${path}/expiry`} label="Last day">
        <Field {...EXPIRY} stored={expires === null ? '' : dayOf(expires)} />
        <button class="quiet">Change the last day</button>
      </Form>
      <Form action={`${path}/addresses`} label="Allowed addresses">
        <Field {...ADDRESSES} stored={addresses} />
        <button class="quiet">Change the addresses</button>
      </Form>
    </Panel>
  );
}
