import { Injectable } from '@nestjs/common';
import { SignInLimits } from '../../access/limits/sign-in-limits.js';
import { Settings } from '../../config/settings.js';
import { signInEmailOf } from '../../modules/accounts/account.model.js';
import { SignInService } from '../../modules/accounts/sessions/sign-in.service.js';
import { BrowserSessions } from '../session/browser-sessions.js';
import { ownPath } from '../http/own-path.js';
import { redirectTo, type Page, type PageAnswer } from '../http/page-answer.js';
import { HOME_PATH, SIGN_IN_PATH, type PageRoutes, type Pages } from '../http/page-router.js';
import { KnownBrowsers } from '../session/known-browsers.js';
import type { Visit } from '../session/visit.js';
import { signInPage, type FailedAttempt } from './sign-in.view.js';

@Injectable()
export class SignInPages implements Pages {
  private readonly hasMail: boolean;

  constructor(
    private readonly sessions: BrowserSessions,
    private readonly users: SignInService,
    private readonly limits: SignInLimits,
    private readonly browsers: KnownBrowsers,
    settings: Settings,
  ) {
    this.hasMail = settings.mail !== null;
  }

  addTo(routes: PageRoutes): void {
    routes.get('/', () => redirectTo(HOME_PATH));
    routes.addPublic('get', '/sign-in', (visit) =>
      visit.user === null ? this.form(visit) : redirectTo(HOME_PATH),
    );
    routes.addPublic('post', '/sign-in', (visit) => this.signIn(visit));
    routes.addPublic('post', '/sign-out', async (visit) => {
      await this.sessions.signOut(visit.request);
      return redirectTo(SIGN_IN_PATH);
    });
  }

  private async signIn(visit: Visit): Promise<PageAnswer> {
    const email = visit.field('email');
    const next = visit.field('next');
    const normalised = signInEmailOf(email);
    const browser = this.browsers.idOf(visit.request, normalised);
    await this.limits.take(visit.request, normalised, browser);
    const user = await this.users.userWith(email, visit.field('password'));
    if (user === null) {
      const problem = 'Wrong e-mail or password.';
      return this.form(visit, { email, problem, failure: 'key_invalid' });
    }
    if (user.status === 'suspended') {
      const problem = 'This account is suspended. Ask the operator.';
      return this.form(visit, { email, problem, failure: 'account_suspended' });
    }
    await this.sessions.signIn(visit.request, user);
    this.browsers.remember(visit.request, normalised);
    return redirectTo(ownPath(next, HOME_PATH));
  }

  /** @param failed the problem of a failed attempt */
  private form(visit: Visit, failed?: FailedAttempt): Page {
    const { hasMail } = this;
    const next = failed === undefined ? visit.query('next') : visit.field('next');
    return signInPage(visit, { next, hasMail, ...failed });
  }
}
