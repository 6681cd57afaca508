import { Injectable } from '@nestjs/common';
import { ApiError } from '../../common/errors/api-error.js';
import { Settings } from '../../config/settings.js';
import {
  SourceApplicationError,
  TooManyApplicationsError,
  UnknownAccountError,
  UnreadableKeyError,
} from '../../modules/accounts/account.model.js';
import { ApiApplicationsService } from '../../modules/accounts/applications/api-applications.service.js';
import { ApiKeysService } from '../../modules/accounts/applications/api-keys.service.js';
import type { Confirmed } from '../confirm/confirm.view.js';
import { PasswordConfirmation } from '../confirm/password-confirmation.js';
import { ownPath } from '../http/own-path.js';
import { redirectTo, type PageAnswer } from '../http/page-answer.js';
import type { PageRoutes, Pages } from '../http/page-router.js';
import { FormProblem } from '../ui/form.view.js';
import { isolatedText } from '../ui/isolated-text.js';
import type { SignedInVisit } from '../session/visit.js';
import {
  accessIn,
  addressesIn,
  expiryIn,
  nameIn,
  overlapIn,
  problemsOf,
} from './application-form.js';
import { confirmationOf } from './application-confirmations.js';
import {
  applicationPage,
  DONE_KINDS,
  type ApplicationView,
  type DoneKind,
} from './application.view.js';
import { applicationsPage } from './applications.view.js';

const PATH = '/account/applications';

type Change = (visit: SignedInVisit, id: number) => Promise<unknown>;

/** Serves the pages of the user's API applications and their keys (docs/operating.md#keys). */
@Injectable()
export class ApplicationPages implements Pages {
  private readonly changes: Readonly<Record<DoneKind, Change>> = {
    rotate: (visit, id) => this.keys.rotateKey(id, overlapIn(visit), visit.user.id),
    'end-overlap': (visit, id) => this.keys.endOverlap(id, visit.user.id),
    rename: (visit, id) => this.applications.renameApplication(id, nameIn(visit), visit.user.id),
    expiry: (visit, id) => this.applications.setExpiry(id, expiryIn(visit), visit.user.id),
    access: (visit, id) => this.applications.setAccess(id, accessIn(visit), visit.user.id),
    addresses: (visit, id) =>
      this.applications.allowAddresses(id, addressesIn(visit), visit.user.id),
    revoke: (visit, id) => this.applications.revokeApplication(id, visit.user.id),
  };

  constructor(
    private readonly applications: ApiApplicationsService,
    private readonly keys: ApiKeysService,
    private readonly settings: Settings,
    private readonly passwords: PasswordConfirmation,
  ) {}

  addTo(routes: PageRoutes): void {
    routes.get('/applications', (visit) => this.list(visit));
    routes.post('/applications', (visit) => this.create(visit));
    routes.get('/applications/:id', (visit) => this.show(visit));
    routes.post('/applications/:id/key', (visit) => this.showKey(visit));
    for (const kind of DONE_KINDS) {
      routes.post(`/applications/:id/${kind}`, (visit) => this.change(visit, kind));
    }
  }

  private async list(
    visit: SignedInVisit,
    problems: readonly FormProblem[] = [],
  ): Promise<PageAnswer> {
    const applications = await this.applications.applicationsOf(visit.user.id);
    return applicationsPage(visit, applications, problems);
  }

  private async create(visit: SignedInVisit): Promise<PageAnswer> {
    const { id } = visit.user;
    const problems = problemsOf(visit, [nameIn, accessIn, expiryIn, addressesIn]);
    if (problems.length > 0) return this.list(visit, problems);
    const [name, expires] = [nameIn(visit), expiryIn(visit)];
    const prompt = await this.passwords.promptFor(visit, () => ({
      action: PATH,
      back: PATH,
      isDangerous: false,
      button: 'Create application',
      sentence: `The API application ${isolatedText(name)} will be created.`,
    }));
    if (prompt !== null) return prompt;
    const given = { access: accessIn(visit), addresses: addressesIn(visit) };
    try {
      const { application } = await this.applications.createApplication(
        id,
        name,
        expires,
        given,
        id,
      );
      return redirectTo(`${PATH}/${application.id}?done=created`);
    } catch (error) {
      if (!(error instanceof TooManyApplicationsError)) throw error;
      return this.list(visit, [new FormProblem('name', error.message)]);
    }
  }

  private async show(visit: SignedInVisit, view: ApplicationView = {}): Promise<PageAnswer> {
    const id = idOf(visit);
    const application = await orRefusal(this.applications.applicationById(id, visit.user.id));
    const done = view.problems === undefined ? visit.query('done') : '';
    return applicationPage(visit, application, { done, ...view }, this.settings.limits.key);
  }

  private async showKey(visit: SignedInVisit): Promise<PageAnswer> {
    const prompt = await this.passwords.promptFor(visit, () => this.confirmationOf(visit, 'key'));
    if (prompt !== null) return prompt;
    try {
      const key = await orRefusal(this.keys.showKey(idOf(visit), visit.user.id));
      return await this.show(visit, key === null ? {} : { key });
    } catch (error) {
      if (!(error instanceof UnreadableKeyError)) throw error;
      return this.show(visit, { isUnreadable: true });
    }
  }

  private async change(visit: SignedInVisit, kind: DoneKind): Promise<PageAnswer> {
    const prompt = await this.passwords.promptFor(visit, () => this.confirmationOf(visit, kind));
    if (prompt !== null) return prompt;
    const id = idOf(visit);
    try {
      await orRefusal(this.changes[kind](visit, id));
    } catch (error) {
      if (!(error instanceof FormProblem)) throw error;
      return this.show(visit, { problems: [error] });
    }
    return redirectTo(ownPath(visit.field('next'), `${PATH}/${id}?done=${kind}`));
  }

  private async confirmationOf(visit: SignedInVisit, kind: DoneKind | 'key'): Promise<Confirmed> {
    const found = await orRefusal(this.applications.applicationById(idOf(visit), visit.user.id));
    const back = `${PATH}/${found.id}`;
    return { action: `${back}/${kind}`, back, ...confirmationOf(kind, isolatedText(found.name)) };
  }
}

function idOf(visit: SignedInVisit): number {
  const id = visit.idIn('id');
  if (id === null) throw noSuchApplication();
  return id;
}

/**
 * Converts the errors of an application into answers: that of another user is not found, and the
 * user's own source application cannot be changed.
 */
async function orRefusal<Found>(found: Promise<Found>): Promise<Found> {
  try {
    return await found;
  } catch (error) {
    if (error instanceof UnknownAccountError) throw noSuchApplication();
    if (error instanceof SourceApplicationError) {
      throw new ApiError('insufficient_access', error.message);
    }
    throw error;
  }
}

function noSuchApplication(): ApiError {
  return new ApiError('not_found', 'You have no such API application.');
}
