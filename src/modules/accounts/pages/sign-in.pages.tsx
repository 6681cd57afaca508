import { Injectable } from '@nestjs/common';
import { SignInLimits } from '../../../platform/limits/sign-in-limits.js';
import { Settings } from '../../../config/settings.js';
import { signInEmailOf } from '../account.model.js';
import { SignInService } from '../sessions/sign-in.service.js';
import { TwoFactorService } from '../sessions/two-factor.service.js';
import { BrowserSessions, CODE_MINUTES } from './browser-sessions.js';
import { redirectTo, type PageAnswer } from '../../../platform/pages/page-answer.js';
import type { PageRoutes, Pages } from '../../../platform/pages/page-router.js';
import * as paths from '../../../platform/pages/paths.js';
import { KnownBrowsers } from './known-browsers.js';
import type { Visit } from '../../../platform/pages/visit.js';
import { FormProblem } from '../../../platform/pages/ui/form.view.js';
import { Operator } from '../../../platform/pages/frame/operator.view.js';
import { KeptForms } from './kept-forms.js';
import { problemWithCode } from './secret-fields.view.js';
import { codePage, KEPT_FIELD, signInPage } from './sign-in.view.js';

const WRONG_CODE = {
  code: 'Wrong code, or it was used before. Enter the next one that the app shows.',
  recovery_code: 'Wrong recovery code, or it was used before.',
} as const;

/**
 * Serves the sign-in, and its second step, which requests the code of the user's app or a recovery
 * code.
 */
@Injectable()
export class SignInPages implements Pages {
  /** True if users can request a link by mail. */
  private readonly hasMail: boolean;

  constructor(
    private readonly sessions: BrowserSessions,
    private readonly users: SignInService,
    private readonly twoFactor: TwoFactorService,
    private readonly limits: SignInLimits,
    private readonly browsers: KnownBrowsers,
    private readonly forms: KeptForms,
    settings: Settings,
  ) {
    this.hasMail = settings.mail !== null;
  }

  addTo(routes: PageRoutes): void {
    routes.get('/', () => redirectTo(paths.HOME_PATH));
    routes.addPublic('get', '/sign-in', (visit) =>
      visit.user === null ? signInPage(visit, this.hasMail) : redirectTo(paths.HOME_PATH),
    );
    routes.addPublic('post', '/sign-in', (visit) => this.signIn(visit));
    routes.addPublic('get', '/sign-in/code', (visit) =>
      visit.step === 'code'
        ? codePage(visit.query('next'))
        : redirectTo(visit.user === null ? paths.SIGN_IN_PATH : paths.HOME_PATH),
    );
    routes.addPublic('post', '/sign-in/code', (visit) => this.giveCode(visit));
    routes.addPublic('post', '/sign-out', async (visit) => {
      await this.sessions.signOut(visit.request);
      return redirectTo(paths.SIGN_IN_PATH);
    });
  }

  private async signIn(visit: Visit): Promise<PageAnswer> {
    const email = visit.field('email');
    const normalised = signInEmailOf(email);
    const browser = this.browsers.idOf(visit.request, normalised);
    await this.limits.take(visit.request, normalised, browser);
    const user = await this.users.userWith(email, visit.field('password'));
    if (user === null) {
      const problem = 'Wrong e-mail or password.';
      return signInPage(visit, this.hasMail, { email, problem, failure: 'key_invalid' });
    }
    if (user.status === 'suspended') {
      const problem = (
        <>
          This account is suspended. Ask <Operator />.
        </>
      );
      return signInPage(visit, this.hasMail, { email, problem, failure: 'account_suspended' });
    }
    const kept = visit.field(KEPT_FIELD);
    const form = this.forms.formIn(kept, user.id);
    await this.sessions.signIn(visit.request, user, form === null ? null : kept);
    this.browsers.remember(visit.request, normalised);
    return redirectTo(form?.page ?? paths.ownPath(visit.field('next'), paths.HOME_PATH));
  }

  private async giveCode(visit: Visit): Promise<PageAnswer> {
    const { user_id, password_id = '' } = visit.request.session;
    if (visit.step !== 'code' || user_id === undefined) {
      const problem = `Sign in again: the code must be given within ${CODE_MINUTES} minutes of the password.`;
      return signInPage(visit, this.hasMail, { problem, failure: 'key_invalid' });
    }
    await this.limits.takeCode(visit.request, { user_id, password_id });
    const next = visit.field('next');
    const field = visit.field('recovery_code') === '' ? 'code' : 'recovery_code';
    const take = () => this.twoFactor.take(user_id, visit.field(field));
    const problem = await problemWithCode(take, WRONG_CODE[field]);
    if (problem !== null) return codePage(next, new FormProblem(field, problem));
    await this.sessions.completeSignIn(visit.request);
    return redirectTo(paths.ownPath(next, paths.HOME_PATH));
  }
}
