import { Injectable } from '@nestjs/common';
import { SignInLimits } from '../../access/limits/sign-in-limits.js';
import { signInEmailOf } from '../../modules/accounts/account.model.js';
import { PasswordRefusedError } from '../../modules/accounts/passwords/password.model.js';
import { SignInService } from '../../modules/accounts/sessions/sign-in.service.js';
import { BrowserSessions } from '../session/browser-sessions.js';
import { FormProblem } from '../ui/form.view.js';
import { redirectTo, type PageAnswer } from '../http/page-answer.js';
import { SIGN_IN_PATH, type PageRoutes, type Pages } from '../http/page-router.js';
import type { SignedInVisit } from '../session/visit.js';
import { securityPage } from './security.view.js';

const PATH = '/account/security';

@Injectable()
export class SecurityPages implements Pages {
  constructor(
    private readonly browser: BrowserSessions,
    private readonly users: SignInService,
    private readonly limits: SignInLimits,
  ) {}

  addTo(routes: PageRoutes): void {
    routes.get('/security', (visit) =>
      securityPage(visit, { changed: visit.query('done') === 'password' }),
    );
    routes.post('/security/password', (visit) => this.changePassword(visit));
    routes.post('/security/sign-out-everywhere', async (visit) => {
      await this.users.signOutEverywhere(visit.user.id);
      await this.browser.signOut(visit.request);
      return redirectTo(SIGN_IN_PATH);
    });
  }

  private async changePassword(visit: SignedInVisit): Promise<PageAnswer> {
    const { user } = visit;
    // The same limits as for signing in, in case the browser is unattended.
    await this.limits.take(visit.request, signInEmailOf(user.email));
    if (!(await this.users.isPasswordOf(user.id, visit.field('password')))) {
      const problem = new FormProblem('password', 'The current password is wrong.');
      return securityPage(visit, { problems: [problem] });
    }
    try {
      const changed = await this.users.setPassword(user.id, visit.field('new_password'), user.id);
      await this.browser.signIn(visit.request, changed);
    } catch (error) {
      if (!(error instanceof PasswordRefusedError)) throw error;
      return securityPage(visit, { problems: [new FormProblem('new_password', error.message)] });
    }
    return redirectTo(`${PATH}?done=password`);
  }
}
