import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { ApiError } from '../../common/errors/api-error.js';
import { NO_APPLICATION } from '../../modules/audit/audit.model.js';
import { ErasePersonService } from '../../modules/people/erase/erase-person.service.js';
import { NewTombstonesService } from '../../modules/people/erase/new-tombstones.service.js';
import { PeopleService } from '../../modules/people/find/people.service.js';
import {
  checkedEmail,
  emailToErase,
  InvalidPersonError,
  recordsOf,
  TooManyEarlyErasuresError,
} from '../../modules/people/people.model.js';
import { PasswordConfirmation } from '../confirm/password-confirmation.js';
import { redirectTo, type PageAnswer } from '../http/page-answer.js';
import type { PageRoutes, Pages } from '../http/page-router.js';
import type { SignedInVisit } from '../session/visit.js';
import { isolatedText } from '../ui/isolated-text.js';
import { erasePage, peoplePage } from './people.view.js';
import { PEOPLE_PATH, personPath } from './person-path.js';

const JSON_TYPE = 'application/json; charset=utf-8';

/** Messages that the page shows after an erasure, by the reason of the tombstone. */
const DONE = { found: 'erased', early: 'early', nothing: 'nothing' } as const;

/**
 * Serves the pages with the kept data of a vendor's customer. E-mail addresses are in no path, and
 * therefore in no log.
 */
@Injectable()
export class PeoplePages implements Pages {
  constructor(
    private readonly people: PeopleService,
    private readonly erasing: ErasePersonService,
    private readonly tombstones: NewTombstonesService,
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
    const done = visit.query('done');
    if (email === '') return peoplePage({ email, found: null, problem: null, done });
    try {
      const [found] = await this.people.find(email, visit.user.id);
      const nothing = async () => ((await this.mayErase(visit)) ? 'nothing yet' : 'nothing');
      return peoplePage({ email, found: found ?? (await nothing()), problem: null, done });
    } catch (error) {
      if (!(error instanceof InvalidPersonError)) throw error;
      return peoplePage({ email, found: null, problem: error.message, done });
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
    return this.tombstones.isArriving(visit.user.id);
  }

  /** Redirects without a confirmation if nothing is kept and no records are arriving. */
  private async ask(visit: SignedInVisit): Promise<PageAnswer> {
    const email = emailIn(visit, emailToErase);
    const [found] = await this.people.find(email, visit.user.id);
    if (found === undefined && !(await this.mayErase(visit))) return redirectTo(personPath(email));
    return erasePage(visit, email, found ?? null);
  }

  private async erase(visit: SignedInVisit): Promise<PageAnswer> {
    const { id: user_id } = visit.user;
    // The e-mail address is in the URL, so that it is kept while the password is requested.
    const email = emailIn(visit, emailToErase);
    const back = personPath(email);
    const action = `${PEOPLE_PATH}/erase?${new URLSearchParams({ email }).toString()}`;
    const prompt = await this.passwords.promptFor(visit, () =>
      Promise.resolve({
        action,
        back,
        isDangerous: true,
        button: 'Erase this person',
        sentence: `The personal data of ${isolatedText(email)} will be erased.`,
      }),
    );
    if (prompt !== null) return prompt;
    try {
      const by = { user_id, application_id: NO_APPLICATION };
      const { reason } = await this.erasing.erase(email, user_id, by);
      return redirectTo(`${PEOPLE_PATH}?done=${DONE[reason ?? 'nothing']}`);
    } catch (error) {
      if (!(error instanceof TooManyEarlyErasuresError)) throw error;
      return peoplePage({ email, found: null, problem: error.message, done: '' });
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
