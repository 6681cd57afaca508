import { Injectable } from '@nestjs/common';
import { SignInLimits } from '../../access/limits/sign-in-limits.js';
import { dateTimeOf } from '../../common/time.js';
import { PasswordRefusedError } from '../../modules/accounts/passwords/password.model.js';
import { SessionsService } from '../../modules/accounts/sessions/sessions.service.js';
import { SignInService } from '../../modules/accounts/sessions/sign-in.service.js';
import { SignInNetworksService } from '../../modules/accounts/sign-ins/sign-in-networks.service.js';
import { TwoFactorService } from '../../modules/accounts/two-factor/two-factor.service.js';
import { BrowserSessions, noticeReaderOf } from '../session/browser-sessions.js';
import { SessionList } from '../session/session-list.js';
import { FormProblem } from '../ui/form.view.js';
import { ownPath } from '../http/own-path.js';
import { redirectTo, type PageAnswer } from '../http/page-answer.js';
import { SIGN_IN_PATH, type PageRoutes, type Pages } from '../http/page-router.js';
import type { SignedInVisit } from '../session/visit.js';
import { RecentlyMade } from './recent/recently-made.js';
import { securityPage } from './security.view.js';

const PATH = '/account/security';
/** Path to which the next sign-in leads after all browsers were signed out. */
const AFTERWARDS = `${PATH}?done=everywhere`;
/** Messages about the last action, by the word in the address. */
const DONE: ReadonlyMap<string, string> = new Map([
  ['password', 'Your password was changed. All other browsers are signed out.'],
  ['two-factor-off', 'Two-factor sign-in is off.'],
  ['session', 'That browser is signed out.'],
  ['sessions', 'All other browsers are signed out.'],
  ['everywhere', 'You were signed out everywhere.'],
  ['ended', 'It was ended, and no longer works.'],
]);

@Injectable()
export class SecurityPages implements Pages {
  constructor(
    private readonly browser: BrowserSessions,
    private readonly users: SignInService,
    private readonly limits: SignInLimits,
    private readonly sessions: SessionsService,
    private readonly list: SessionList,
    private readonly twoFactor: TwoFactorService,
    private readonly networks: SignInNetworksService,
    private readonly recent: RecentlyMade,
  ) {}

  addTo(routes: PageRoutes): void {
    routes.get('/security', (visit) => this.page(visit));
    routes.post('/security/password', (visit) => this.changePassword(visit));
    routes.post('/security/sessions/end', async (visit) => {
      await this.sessions.endOneOf(visit.user.id, visit.field('session'));
      return redirectTo(`${PATH}?done=session`);
    });
    routes.post('/security/sessions/end-others', async (visit) => {
      const password_id = await this.users.signOutEverywhere(visit.user.id);
      await this.browser.renew(visit.request, { password_id });
      return redirectTo(`${PATH}?done=sessions`);
    });
    routes.post('/security/notices/dismiss', (visit) => this.dismissNotices(visit));
    routes.post('/security/sign-out-everywhere', async (visit) => {
      await this.users.signOutEverywhere(visit.user.id);
      await this.browser.signOut(visit.request);
      return redirectTo(`${SIGN_IN_PATH}?${new URLSearchParams({ next: AFTERWARDS }).toString()}`);
    });
  }

  private async changePassword(visit: SignedInVisit): Promise<PageAnswer> {
    const { user } = visit;
    // The limits of signing in apply here, too, in case the browser is unattended.
    await this.limits.takeAgain(visit.request, user.id);
    if (!(await this.users.isPasswordOf(user.id, visit.field('password')))) {
      return this.page(visit, [new FormProblem('password', 'The current password is wrong.')]);
    }
    try {
      const changed = await this.users.setPassword(user.id, visit.field('new_password'), user.id);
      const { password_id } = changed;
      // The password alone confirms nothing for a user with two-factor sign-in.
      const isConfirmed = !(await this.twoFactor.isOn(user.id));
      await this.browser.renew(visit.request, {
        password_id,
        ...(isConfirmed && { password_given: dateTimeOf(new Date()) }),
      });
    } catch (error) {
      if (!(error instanceof PasswordRefusedError)) throw error;
      return this.page(visit, [new FormProblem('new_password', error.message)]);
    }
    return redirectTo(`${PATH}?done=password`);
  }

  private async dismissNotices(visit: SignedInVisit): Promise<PageAnswer> {
    const reader = noticeReaderOf(visit.request);
    if (reader !== null) await this.networks.dismiss(reader, visit.field('until'));
    return redirectTo(ownPath(visit.field('next'), PATH));
  }

  private async page(
    visit: SignedInVisit,
    problems: readonly FormProblem[] = [],
  ): Promise<PageAnswer> {
    const { id } = visit.user;
    const twoFactor = await this.twoFactor.stateOf(id);
    return securityPage(visit, {
      twoFactor,
      sessions: await this.list.beside(visit.request, id, twoFactor.since !== null),
      recent: await this.recent.of(id),
      done: DONE.get(visit.query('done')),
      problems,
    });
  }
}
