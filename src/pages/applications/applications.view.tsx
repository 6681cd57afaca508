import { dateTimeOf } from '../../common/time.js';
import type { ApiApplication, ListedApplication } from '../../modules/accounts/account.model.js';
import { Field, type FormProblem } from '../ui/form.view.js';
import { Form } from '../ui/layout.view.js';
import { DateTime } from '../ui/date-time.view.js';
import type { Page } from '../http/page-answer.js';
import type { SignedInVisit } from '../session/visit.js';
import { AccessField, accessName } from './access.view.js';

export function applicationsPage(
  visit: SignedInVisit,
  applications: readonly ListedApplication[],
  problems: readonly FormProblem[] = [],
): Page {
  return {
    kind: 'page',
    title: 'API applications',
    failure: problems.length === 0 ? undefined : 'invalid_parameters',
    view: (
      <>
        <h1>API applications</h1>
        <p>
          An API application is a program that uses this account with its own key. Create one for
          each program, so that you can revoke each one separately, and give it no more access than
          it needs.
        </p>
        {applications.length === 0 && <p class="empty">You have no applications yet.</p>}
        <ul class="cards">
          {applications.map((application) => (
            <Card application={application} />
          ))}
        </ul>
        <section class="card" aria-labelledby="make-title">
          <h2 id="make-title">Create an API application</h2>
          <Form visit={visit} action="/account/applications">
            <Field
              label="Name"
              name="name"
              value={visit.field('name')}
              hint="What it is used for, such as “Nightly bookkeeping”."
              autocomplete="off"
              maxLength={255}
              problems={problems}
              required
            />
            <AccessField
              value={problems.length === 0 ? 'full' : visit.field('access')}
              problems={problems}
            />
            <ExpiryField value={visit.field('expires')} problems={problems} />
            <AddressesField value={visit.field('addresses')} problems={problems} />
            <button>Create application</button>
          </Form>
        </section>
      </>
    ),
  };
}

function Card({ application }: { readonly application: ListedApplication }) {
  const { id, name, created, expires, last_used, old_key_ends } = application;
  return (
    <li class="card">
      <h2>
        <a href={`/account/applications/${id}`}>{name}</a> <StateBadge application={application} />
      </h2>
      <p>
        {accessName(application)} access. Created <DateTime at={created} />,{' '}
        {last_used === null ? (
          'never used'
        ) : (
          <>
            last used <DateTime at={last_used} />
          </>
        )}
        {expires !== null && (
          <>
            , expires <DateTime at={expires} />
          </>
        )}
        {old_key_ends !== null && (
          <>
            , old key works until <DateTime at={old_key_ends} />
          </>
        )}
        .
      </p>
    </li>
  );
}

export function stateOf({ state, expires }: ApiApplication): 'active' | 'revoked' | 'expired' {
  const isExpired = expires !== null && expires <= dateTimeOf(new Date());
  return state === 'active' && isExpired ? 'expired' : state;
}

export function StateBadge({ application }: { readonly application: ApiApplication }) {
  const state = stateOf(application);
  return <span class={`badge ${state}`}>{state}</span>;
}

interface FieldState {
  readonly value: string;
  readonly problems: readonly FormProblem[];
}

export function ExpiryField({ value, problems }: FieldState) {
  return (
    <Field
      label="Last day (optional)"
      name="expires"
      type="date"
      value={value}
      problems={problems}
      hint="The last day on which the key works, in UTC."
    />
  );
}

export function AddressesField({ value, problems }: FieldState) {
  return (
    <Field
      label="Allow only these addresses (optional)"
      name="addresses"
      value={value}
      problems={problems}
      hint="Addresses or networks, such as 203.0.113.7, 198.51.100.0/24. Leave empty to allow any address."
      autocomplete="off"
      spellcheck={false}
    />
  );
}
