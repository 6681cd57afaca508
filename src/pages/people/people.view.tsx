import {
  NOTHING_FOUND,
  NOTHING_FOUND_YET,
  type FoundPerson,
} from '../../modules/people/people.model.js';
import type { Page } from '../http/page-answer.js';
import { searchPath } from '../transactions/transaction-path.js';
import type { SignedInVisit } from '../session/visit.js';
import { DateTime } from '../ui/date-time.view.js';
import { Email } from '../ui/email.view.js';
import { Facts } from '../ui/facts.view.js';
import { Done, Field, FormProblem } from '../ui/form.view.js';
import { Form } from '../ui/layout.view.js';
import { PEOPLE_PATH } from './person-path.js';

const DONE: ReadonlyMap<string, string> = new Map([
  ['erased', 'The personal data was erased.'],
  ['early', NOTHING_FOUND_YET],
  ['nothing', NOTHING_FOUND],
]);

export interface PersonShown {
  readonly email: string;
  /** Null if nothing was searched yet. */
  readonly found: FoundPerson | 'nothing' | 'nothing yet' | null;
  readonly problem: string | null;
  readonly done: string;
}

export function peoplePage({ email, found, problem, done }: PersonShown): Page {
  const problems = problem === null ? [] : [new FormProblem('email', problem)];
  return {
    kind: 'page',
    title: 'Personal data of a customer',
    failure: problem === null ? undefined : 'invalid_parameters',
    view: (
      <div class="narrow">
        <h1>Personal data of a customer</h1>
        <Done>{DONE.get(done) ?? null}</Done>
        <div class="card">
          <form method="get" action={PEOPLE_PATH}>
            <Field
              label="E-mail of the customer"
              name="email"
              value={email}
              hint="The whole address, in upper or lower case."
              problems={problems}
              required
            />
            <button>Find</button>
          </form>
        </div>
        {found === 'nothing' && (
          <p>
            Nothing is kept of this person. If older data of this person arrives later, erase it
            then.
          </p>
        )}
        {found === 'nothing yet' && <NothingYet email={email} />}
        {found !== null && typeof found !== 'string' && <Found email={email} found={found} />}
      </div>
    ),
  };
}

function NothingYet({ email }: { readonly email: string }) {
  return (
    <section class="card">
      <p>
        Nothing is kept of this person yet. An import is unfinished, and what it brings of this
        person can be erased.
      </p>
      <p>
        <a
          class="button danger"
          href={`${PEOPLE_PATH}/erase?${new URLSearchParams({ email }).toString()}`}
        >
          Erase…
        </a>
      </p>
    </section>
  );
}

function Found({ email, found }: { readonly email: string; readonly found: FoundPerson }) {
  const query = new URLSearchParams({ email }).toString();
  return (
    <section class="card" aria-labelledby="kept">
      <h2 id="kept">What is kept</h2>
      <Kept email={email} found={found} />
      <p>
        <a href={searchPath(email)}>Transactions of this customer</a>
      </p>
      <p>
        <a class="button quiet" href={`${PEOPLE_PATH}.json?${query}`}>
          Download everything as JSON
        </a>{' '}
        <a class="button danger" href={`${PEOPLE_PATH}/erase?${query}`}>
          Erase…
        </a>
      </p>
    </section>
  );
}

function Kept({ email, found }: { readonly email: string; readonly found: FoundPerson }) {
  const { first_sale, last_sale } = found;
  return (
    <Facts
      facts={[
        ['Customer', <Email address={email} />],
        ['Transactions', String(found.sales)],
        ['First sale', first_sale !== null && <DateTime at={first_sale} />],
        ['Last sale', last_sale !== null && <DateTime at={last_sale} />],
        ['Subscriptions', String(found.recurring_payments)],
      ]}
    />
  );
}

/**
 * Shows the effects of an erasure before it starts.
 * @param found null if nothing is kept yet
 */
export function erasePage(visit: SignedInVisit, email: string, found: FoundPerson | null): Page {
  const query = new URLSearchParams({ email }).toString();
  return {
    kind: 'page',
    title: 'Erase a customer',
    view: (
      <div class="narrow card">
        <h1>Erase this customer?</h1>
        {found === null ? (
          <Facts facts={[['Customer', <Email address={email} />]]} />
        ) : (
          <Kept email={email} found={found} />
        )}
        <ul>
          <li>
            Names, addresses, telephone numbers, IP addresses and e-mails of these records are
            replaced. So are the free texts of their checkout.
          </li>
          <li>Amounts, dates, products, affiliates and all totals stay as they are.</li>
          <li>Subscriptions go on: the customer is charged as before.</li>
          <li>The same records cannot bring the data back when they are imported again.</li>
          <li>What the customer buys from now on is kept.</li>
          <li>This cannot be undone.</li>
        </ul>
        <Form visit={visit} action={`${PEOPLE_PATH}/erase?${query}`}>
          <button class="danger">Erase this customer</button>
        </Form>
        <p>
          <a href={`${PEOPLE_PATH}?${query}`}>Keep it</a>
        </p>
      </div>
    ),
  };
}
