import { Injectable } from '@nestjs/common';
import { SignInLimits } from '../../access/limits/sign-in-limits.js';
import { signInEmailOf } from '../../modules/accounts/account.model.js';
import { SignInService } from '../../modules/accounts/sessions/sign-in.service.js';
import { BrowserSessions } from '../session/browser-sessions.js';
import { redirectTo, type PageAnswer } from '../http/page-answer.js';
import { SIGN_IN_PATH, type PageRoutes, type Pages } from '../http/page-router.js';
import type { Visit } from '../session/visit.js';
import { signInPage } from './sign-in.view.js';

const HOME = '/account/reports';
/** Only paths of the account, to prevent open redirects. */
const OWN_PATH = /^\/account(?:[/?][^\\]*)?$/;

@Injectable()
export class SignInPages implements Pages {
  constructor(
    private readonly sessions: BrowserSessions,
    private readonly users: SignInService,
    private readonly limits: SignInLimits,
  ) {}

  addTo(routes: PageRoutes): void {
    routes.get('/', () => redirectTo(HOME));
    routes.addPublic('get', '/sign-in', (visit) =>
      visit.user === null ? signInPage(visit, { next: visit.query('next') }) : redirectTo(HOME),
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
    await this.limits.take(visit.request, signInEmailOf(email));
    const user = await this.users.userWith(email, visit.field('password'));
    if (user === null) {
      const problem = 'Wrong e-mail or password.';
      return signInPage(visit, { next, email, problem, failure: 'key_invalid' });
    }
    if (user.status === 'suspended') {
      const problem = 'This account is suspended. Ask the operator.';
      return signInPage(visit, { next, email, problem, failure: 'account_suspended' });
    }
    await this.sessions.signIn(visit.request, user);
    return redirectTo(OWN_PATH.test(next) ? next : HOME);
  }
}
