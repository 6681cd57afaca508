import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { ApiError } from '../../../api/errors/api-error.js';
import { ErasePersonService } from './erase-person.service.js';
import { PeopleService } from './people.service.js';
import {
  checkedEmail,
  emailToErase,
  InvalidPersonError,
  NOTHING_FOUND,
  NOTHING_FOUND_YET,
  recordsOf,
  TooManyEarlyErasuresError,
  type FoundPerson,
} from './people.model.js';
import { PasswordConfirmation } from '../../../platform/pages/password-confirmation.js';
import { pageOf, redirectTo, type PageAnswer } from '../../../platform/pages/page-answer.js';
import type { PageRoutes, Pages } from '../../../platform/pages/page-router.js';
import { customerPath, PEOPLE_PATH, personPath } from '../../../platform/pages/paths.js';
import { authorOf, type SignedInVisit } from '../../../platform/pages/visit.js';
import { Facts, LinkLine, Panel } from '../../../platform/pages/ui/facts.view.js';
import { Field, FormButton, FormProblem } from '../../../platform/pages/ui/form.view.js';
import { isolatedText } from '../../../platform/pages/ui/isolated-text.js';
import { DateTime, Email } from '../../../platform/pages/ui/values.view.js';

const JSON_TYPE = 'application/json; charset=utf-8';

/** Words in the address after an erasure, by the reason of the tombstone. */
const DONE = { found: 'erased', early: 'early', nothing: 'nothing' } as const;
const MESSAGES: ReadonlyMap<string, string> = new Map([
  ['erased', 'The personal data was erased.'],
  ['early', NOTHING_FOUND_YET],
  ['nothing', NOTHING_FOUND],
]);

/**
 * Serves the pages with the kept data of a vendor's customer. E-mail addresses are in no path, and
 * therefore in no log.
 */
@Injectable()
export class PeoplePages implements Pages {
  constructor(
    private readonly people: PeopleService,
    private readonly erasing: ErasePersonService,
    private readonly passwords: PasswordConfirmation,
  ) {}

  addTo(routes: PageRoutes): void {
    routes.get('/people', (visit) => this.show(visit));
    routes.get('/people.json', (visit) => this.download(visit), { operation: 'page.person' });
    routes.get('/people/erase', (visit) => this.ask(visit));
    routes.post('/people/erase', (visit) => this.erase(visit));
  }

  private async show(visit: SignedInVisit): Promise<PageAnswer> {
    const email = visit.query('email').trim();
    if (email === '') return peoplePage(visit, null);
    try {
      const [found] = await this.people.find(email, visit.user.id);
      if (found !== undefined) return peoplePage(visit, found);
      return peoplePage(visit, (await this.mayErase(visit)) ? 'nothing yet' : 'nothing');
    } catch (error) {
      if (!(error instanceof InvalidPersonError)) throw error;
      return peoplePage(visit, null, [new FormProblem('email', error.message)]);
    }
  }

  private async download(visit: SignedInVisit): Promise<PageAnswer> {
    const email = emailIn(visit, checkedEmail);
    const { id } = visit.user;
    const found = await this.people.find(email, id);
    const reads = found.map((each) => ({ records: recordsOf(each) }));
    const chunks = Readable.from(this.people.json(email, id));
    const file = { name: 'person.json', type: JSON_TYPE, isCompressible: true, chunks };
    return { kind: 'download', withFile: (send) => send(file), reads };
  }

  /**
   * Returns whether records are arriving, so that a customer without kept data may be erased in
   * advance.
   */
  private mayErase(visit: SignedInVisit): Promise<boolean> {
    return this.erasing.isArriving(visit.user.id);
  }

  /** Redirects without a confirmation if nothing is kept and no records are arriving. */
  private async ask(visit: SignedInVisit): Promise<PageAnswer> {
    const email = emailIn(visit, emailToErase);
    const [found] = await this.people.find(email, visit.user.id);
    if (found === undefined && !(await this.mayErase(visit))) return redirectTo(personPath(email));
    return erasePage(email, found ?? null);
  }

  private async erase(visit: SignedInVisit): Promise<PageAnswer> {
    // The e-mail address is in the URL, so that it is kept while the password is requested.
    const email = emailIn(visit, emailToErase);
    const prompt = await this.passwords.promptFor(visit, () => ({
      action: personPath(email, '/erase'),
      back: personPath(email),
      isDangerous: true,
      button: 'Erase this person',
      sentence: `The personal data of ${isolatedText(email)} will be erased.`,
    }));
    if (prompt !== null) return prompt;
    try {
      const { reason } = await this.erasing.erase(email, visit.user.id, authorOf(visit));
      return redirectTo(`${PEOPLE_PATH}?done=${DONE[reason ?? 'nothing']}`);
    } catch (error) {
      if (!(error instanceof TooManyEarlyErasuresError)) throw error;
      return peoplePage(visit, null, [new FormProblem('email', error.message)]);
    }
  }
}

/**
 * Returns the e-mail address in the query.
 * @throws ApiError invalid_parameters
 */
function emailIn(visit: SignedInVisit, checked: (text: string) => string): string {
  try {
    return checked(visit.query('email'));
  } catch (error) {
    if (error instanceof InvalidPersonError)
      throw new ApiError('invalid_parameters', error.message);
    throw error;
  }
}

/** @param found null if nothing was searched */
function peoplePage(
  visit: SignedInVisit,
  found: FoundPerson | 'nothing' | 'nothing yet' | null,
  problems: readonly FormProblem[] = [],
) {
  const email = visit.query('email').trim();
  const done = MESSAGES.get(visit.query('done'));
  return pageOf(
    { title: 'Personal data of a customer', problems, done, frame: 'narrow' },
    <>
      <div class="card">
        <form method="get" action={PEOPLE_PATH}>
          <Field
            label="E-mail of the customer"
            name="email"
            value={email}
            hint="The whole address, in upper or lower case."
            required
          />
          <button>Find</button>
        </form>
      </div>
      {found === 'nothing' && (
        <p>
          No data of this person is stored. If older data of this person arrives later, erase it
          then.
        </p>
      )}
      {found === 'nothing yet' && (
        <section class="card">
          <p>
            No data of this person is stored yet. An import is unfinished, and what it brings of
            this person can be erased.
          </p>
          <p>
            <Erase email={email} />
          </p>
        </section>
      )}
      {found !== null && typeof found !== 'string' && (
        <Panel id="kept" title="What is kept">
          <Kept email={email} {...found} />
          <LinkLine href={customerPath(email)}>Sales and subscriptions of this customer</LinkLine>
          <p>
            <a class="button quiet" href={personPath(email, '.json')}>
              Download everything as JSON
            </a>{' '}
            <Erase email={email} />
          </p>
        </Panel>
      )}
    </>,
  );
}

function Erase({ email }: { readonly email: string }) {
  return (
    <a class="button danger" href={personPath(email, '/erase')}>
      Erase…
    </a>
  );
}

function Kept(found: FoundPerson & { readonly email: string }) {
  const { first_sale, last_sale } = found;
  return (
    <Facts
      facts={[
        ['Customer', <Email address={found.email} />],
        ['Transactions', String(found.sales)],
        ['First sale', first_sale !== null && <DateTime at={first_sale} />],
        ['Last sale', last_sale !== null && <DateTime at={last_sale} />],
        ['Subscriptions', String(found.recurring_payments)],
        ...rowsFact(found),
      ]}
    />
  );
}

/** Returns the number of rows of extensions; no fact if there are none. */
function rowsFact({ extension_rows }: FoundPerson): [string, string][] {
  return extension_rows === undefined ? [] : [['Records of extensions', String(extension_rows)]];
}

/**
 * Shows the effects of an erasure before it starts.
 * @param found null if nothing is kept yet
 */
function erasePage(email: string, found: FoundPerson | null) {
  return pageOf(
    { title: 'Erase a customer', frame: 'narrow card', heading: 'Erase this customer?' },
    <>
      {found === null ? (
        <Facts facts={[['Customer', <Email address={email} />]]} />
      ) : (
        <Kept email={email} {...found} />
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
      <FormButton
        action={personPath(email, '/erase')}
        words="Erase this customer"
        button="danger"
      />
      <LinkLine href={personPath(email)}>Don’t erase</LinkLine>
    </>,
  );
}
