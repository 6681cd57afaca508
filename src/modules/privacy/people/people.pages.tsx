import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import type { VNode } from 'preact';
import { ApiError } from '../../../api/errors/api-error.js';
import { ErasePersonService } from './erase-person.service.js';
import { PeopleService } from './people.service.js';
import {
  checkedEmail,
  emailToErase,
  InvalidPersonError,
  recordsOf,
  TooManyEarlyErasuresError,
  type FoundPerson,
} from './people.model.js';
import { PasswordConfirmation } from '../../../platform/pages/password-confirmation.js';
import {
  pageOf,
  redirectTo,
  type Page,
  type PageAnswer,
} from '../../../platform/pages/page-answer.js';
import type { PageRoutes, Pages } from '../../../platform/pages/page-router.js';
import {
  customerPath,
  customersNamed,
  DATA_PROTECTION_PATH,
  personPath,
  withQuery,
} from '../../../platform/pages/paths.js';
import { authorOf, type SignedInVisit } from '../../../platform/pages/visit.js';
import { Actions, Facts, LinkLine, Setting } from '../../../platform/pages/ui/facts.view.js';
import { FormButton, Problem } from '../../../platform/pages/ui/form.view.js';
import { isolatedText } from '../../../platform/pages/ui/isolated-text.js';
import { DateTime, Email } from '../../../platform/pages/ui/values.view.js';

const JSON_TYPE = 'application/json; charset=utf-8';

/** Matches a whole e-mail address; any other text is the beginning of a name. */
const WHOLE_EMAIL = /^[^\s@]+@[^\s@]+$/;

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
    if (email === '') return redirectTo(pathOfSearched(visit.query('customer').trim()));
    try {
      const [found] = await this.people.find(email, visit.user.id);
      if (found !== undefined) return personPage(<Found email={email} found={found} />);
      return personPage(<NotFound email={email} mayErase={await this.mayErase(visit)} />);
    } catch (error) {
      if (error instanceof InvalidPersonError) return problemPage(error);
      throw error;
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
      return redirectTo(withQuery(DATA_PROTECTION_PATH, { done: reason ?? 'nothing' }));
    } catch (error) {
      if (error instanceof TooManyEarlyErasuresError) return problemPage(error);
      throw error;
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

/**
 * Returns the path to which the form of the page Data protection leads: a customer's data for a
 * whole e-mail address, and the customers with a name for any other text.
 */
function pathOfSearched(text: string): string {
  if (text === '') return DATA_PROTECTION_PATH;
  return WHOLE_EMAIL.test(text) ? personPath(text) : customersNamed(text);
}

const PERSON = {
  title: 'Personal data of a customer',
  back: [DATA_PROTECTION_PATH, 'Data protection'],
} as const;

function personPage(content: VNode): Page {
  return pageOf(PERSON, content);
}

function problemPage({ message }: Error): Page {
  return pageOf({ ...PERSON, failure: 'invalid_parameters' }, <Problem>{message}</Problem>);
}

function NotFound({ email, mayErase }: { readonly email: string; readonly mayErase: boolean }) {
  if (!mayErase) {
    return (
      <p class="notice">
        No data of this person is stored. If older data of this person arrives later, erase it then.
      </p>
    );
  }
  return (
    <div class="card slim">
      <p>
        No data of this person is stored yet. An import is unfinished, and what it brings of this
        person can be erased.
      </p>
      <Actions>
        <Erase email={email} />
      </Actions>
    </div>
  );
}

function Found({ email, found }: { readonly email: string; readonly found: FoundPerson }) {
  return (
    <>
      <Setting
        id="kept"
        title="What is kept"
        about={<p>Records of your sales with data of this customer.</p>}
      >
        <Kept email={email} {...found} />
        <LinkLine href={customerPath(email)}>Sales and subscriptions of this customer</LinkLine>
      </Setting>
      <Setting
        id="export-title"
        title="Export"
        about={<p>For a customer who asks what you store about them.</p>}
      >
        <Actions>
          <a class="button quiet" href={personPath(email, '.json')}>
            Download everything as JSON
          </a>
        </Actions>
      </Setting>
      <Setting
        id="erase-title"
        title="Erase"
        about={<p>Amounts and totals stay. You see first what happens, and confirm it.</p>}
      >
        <Actions>
          <Erase email={email} />
        </Actions>
      </Setting>
    </>
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
    { title: 'Erase a customer', frame: 'card', heading: 'Erase this customer?' },
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
