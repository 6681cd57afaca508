import {
  formatSeconds,
  parseLimitWindows,
  type LimitWindows,
} from '../../../../platform/limits/limit-windows.js';
import { dateTimeOf, dayOf } from '../../../../platform/values/time.js';
import type { ApiApplication, ListedApplication } from '../../account.model.js';
import { pageOf, type Page } from '../../../../platform/pages/page-answer.js';
import { APPLICATIONS_PATH } from '../../../../platform/pages/paths.js';
import {
  CopiedText,
  Removal,
  Secret,
  type ShownSecret,
} from '../../../../platform/pages/resource.view.js';
import { Choices } from '../../../../platform/pages/forms/choices.view.js';
import { Badge, Facts, Setting } from '../../../../platform/pages/ui/facts.view.js';
import {
  Field,
  Form,
  FormButton,
  Select,
  type FormProblem,
} from '../../../../platform/pages/ui/form.view.js';
import { HistorySetting, type ShownHistory } from '../../../../platform/pages/ui/history.view.js';
import { DateTime, numberText } from '../../../../platform/pages/ui/values.view.js';
import {
  AccessField,
  accessOf,
  ADDRESSES,
  ASSISTANTS,
  EXPIRY,
  NAME,
  OVERLAPS,
} from './application-fields.view.js';

interface Shown {
  readonly application: ListedApplication;
  readonly history: ShownHistory;
  readonly done: string | undefined;
  readonly problems: readonly FormProblem[];
  readonly key: ShownSecret;
  /** Address of this service. */
  readonly serviceUrl: string;
  /** Limits that apply if the application has none of its own. */
  readonly defaultLimits: LimitWindows;
}

export function applicationPage(shown: Shown): Page {
  const { application, history, done, problems, key, serviceUrl, defaultLimits } = shown;
  const { id, name, state, access } = application;
  const isOwn = state === 'active' && access !== 'source';
  return pageOf(
    {
      title: name,
      problems,
      back: [APPLICATIONS_PATH, 'All API applications'],
      heading: [name, ' ', <StateBadge {...application} />],
      done,
    },
    <>
      {access !== 'source' && <OldKey {...application} />}
      {isOwn && <Key application={application} shown={key} serviceUrl={serviceUrl} />}
      <Setting
        id="facts-title"
        title="Details"
        about={
          state === 'active' &&
          access === 'source' && (
            <p>The operator created and manages this application. You can only revoke it.</p>
          )
        }
      >
        <ApplicationFacts {...application} defaultLimits={defaultLimits} />
      </Setting>
      {isOwn && (
        <>
          <Change
            application={application}
            isSent={problems.some(({ field }) => field !== 'overlap')}
          />
          <Rotate {...application} />
        </>
      )}
      {state === 'active' && (
        <Removal
          action={pathOf(id, 'revoke')}
          title="Revoke"
          explanation="Revokes this application and all its keys permanently. This cannot be undone."
          summary="Revoke this application …"
          words={['Yes, revoke ', name]}
        />
      )}
      <HistorySetting {...history} />
    </>,
  );
}

function pathOf(id: number, action: string): string {
  return `${APPLICATIONS_PATH}/${id}/${action}`;
}

export function stateOf({ state, expires }: ApiApplication): 'active' | 'revoked' | 'expired' {
  const isExpired = expires !== null && expires <= dateTimeOf(new Date());
  return state === 'active' && isExpired ? 'expired' : state;
}

export function StateBadge(application: ApiApplication) {
  const state = stateOf(application);
  return <Badge style={state}>{state}</Badge>;
}

function ApplicationFacts(application: ListedApplication & Pick<Shown, 'defaultLimits'>) {
  const { created, expires, last_used, address_allow_list, limits, mcp_writes } = application;
  const access = accessOf(application);
  const effective = limits === null ? application.defaultLimits : (parseLimitWindows(limits) ?? []);
  return (
    <Facts
      facts={[
        ['Access', [access.name, ': ', access.explanation]],
        ['Created', <DateTime at={created} />],
        ['Last used', <DateTime at={last_used} otherwise="never" />],
        [
          stateOf(application) === 'expired' ? 'Expired' : 'Expires',
          <DateTime at={expires} otherwise="never" />,
        ],
        ['Allowed addresses', address_allow_list?.replaceAll(',', ', ') ?? 'any address'],
        ['Rate limits', describeLimits(effective)],
        ['Assistants (MCP)', ASSISTANTS[mcp_writes === 1 ? 'on' : 'off']?.name],
      ]}
    />
  );
}

function describeLimits(windows: LimitWindows): string {
  if (windows.length === 0) return 'none';
  return windows
    .map(({ requests, seconds }) => {
      const unit = UNITS.get(seconds) ?? formatSeconds(seconds);
      return `${numberText(requests)} per ${unit}`;
    })
    .join(', ');
}

/** Words for common lengths of windows in seconds. */
const UNITS: ReadonlyMap<number, string> = new Map([
  [1, 'second'],
  [60, 'minute'],
  [3_600, 'hour'],
  [86_400, 'day'],
]);

function OldKey({ id, old_key_ends }: ListedApplication) {
  if (old_key_ends === null) return null;
  return (
    <Setting
      id="old-key-title"
      title="The old key still works"
      about={<p>End it as soon as nothing uses it.</p>}
    >
      <p>
        It works until <DateTime at={old_key_ends} isExact /> UTC.
      </p>
      <FormButton action={pathOf(id, 'end-overlap')} words="End the old key now" button="danger" />
    </Setting>
  );
}

const UNREADABLE =
  'This key cannot be shown, because the encryption secret of this service has changed. The key still works. Ask the operator to re-encrypt the stored keys, or create a new key below.';

function Key({
  application,
  shown,
  serviceUrl,
}: Pick<Shown, 'application' | 'serviceUrl'> & { readonly shown: ShownSecret }) {
  return (
    <Setting
      id="key-title"
      title="Key"
      about={<p>Anyone who has the key can use it. Show it again whenever you need it.</p>}
    >
      <Secret
        id="key"
        label="Key of this application"
        shown={shown}
        unreadable={UNREADABLE}
        hint={
          <>
            <p class="hint">
              Send it as the user name of HTTP Basic authentication, with the password{' '}
              <code>x</code>.
            </p>
            <details>
              <summary>For the snippets of the guide</summary>
              <CopiedText
                id="environment"
                label="Copy the environment variables"
                text={`export BASE_URL=${serviceUrl} API_KEY=${shown.value ?? ''}`}
              />
              <p>
                <a href="/docs/guide">Open the guide</a>
              </p>
            </details>
          </>
        }
      >
        <Form action={pathOf(application.id, 'key')}>
          <p>Access: {accessOf(application).name.toLowerCase()}.</p>
          <button>Show the key</button>
        </Form>
      </Secret>
    </Setting>
  );
}

function Rotate({ id }: ListedApplication) {
  return (
    <Setting
      id="rotate-title"
      title="Replace the key"
      about={
        <p>
          A new key works at once. The old one works on for a while, so that you can change your
          program.
        </p>
      }
    >
      <Form action={pathOf(id, 'rotate')}>
        <Select
          label="How long the old key still works"
          name="overlap"
          options={new Map(Array.from(OVERLAPS, ([value, [, words]]) => [value, words]))}
          chosen="24h"
        />
        <button class="quiet">Create a new key</button>
      </Form>
    </Setting>
  );
}

/** @param isSent true if the form was sent, and keeps what was entered */
function Change({
  application,
  isSent,
}: Pick<Shown, 'application'> & { readonly isSent: boolean }) {
  const { id, name, access, expires, address_allow_list, mcp_writes } = application;
  const kept = (value: string) => (isSent ? { initial: value } : { stored: value });
  return (
    <Setting id="change-title" title="Change" about={<p>The key stays the same.</p>}>
      <Form action={pathOf(id, 'change')} label="Change">
        <Field {...NAME} {...kept(name)} />
        <AccessField {...kept(access)} />
        <Choices
          legend="Assistants (MCP)"
          name="mcp_writes"
          choices={ASSISTANTS}
          {...kept(mcp_writes === 1 ? 'on' : 'off')}
        />
        <Field {...EXPIRY} {...kept(expires === null ? '' : dayOf(expires))} />
        <Field {...ADDRESSES} {...kept(address_allow_list?.replaceAll(',', ', ') ?? '')} />
        <button>Save changes</button>
      </Form>
    </Setting>
  );
}
