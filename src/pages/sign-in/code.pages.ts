import { Injectable } from '@nestjs/common';
import { CodeLimits } from '../../access/limits/code-limits.js';
import { Settings } from '../../config/settings.js';
import { TwoFactorService } from '../../modules/accounts/two-factor/two-factor.service.js';
import { ownPath } from '../http/own-path.js';
import { redirectTo, type PageAnswer } from '../http/page-answer.js';
import { HOME_PATH, SIGN_IN_PATH, type PageRoutes, type Pages } from '../http/page-router.js';
import { BrowserSessions, CODE_MINUTES } from '../session/browser-sessions.js';
import type { Visit } from '../session/visit.js';
import { FormProblem } from '../ui/form.view.js';
import { problemWithCode } from './code-problem.js';
import { codePage } from './code.view.js';
import { signInPage } from './sign-in.view.js';

const WRONG = {
  code: 'Wrong code, or it was used before. Enter the next one that the app shows.',
  recovery_code: 'Wrong recovery code, or it was used before.',
} as const;

/**
 * Serves the second step of a sign-in, which requests the code of the user's app or a recovery
 * code.
 */
@Injectable()
export class CodePages implements Pages {
  private readonly hasMail: boolean;

  constructor(
    private readonly sessions: BrowserSessions,
    private readonly twoFactor: TwoFactorService,
    private readonly limits: CodeLimits,
    settings: Settings,
  ) {
    this.hasMail = settings.mail !== null;
  }

  addTo(routes: PageRoutes): void {
    routes.addPublic('get', '/sign-in/code', (visit) =>
      visit.step === 'code'
        ? codePage(visit, { next: visit.query('next') })
        : redirectTo(visit.user === null ? SIGN_IN_PATH : HOME_PATH),
    );
    routes.addPublic('post', '/sign-in/code', (visit) => this.giveCode(visit));
  }

  private async giveCode(visit: Visit): Promise<PageAnswer> {
    const { user_id, password_id = '' } = visit.request.session;
    const next = visit.field('next');
    if (visit.step !== 'code' || user_id === undefined) {
      const problem = `Sign in again: the code must be given within ${CODE_MINUTES} minutes of the password.`;
      const { hasMail } = this;
      return signInPage(visit, { next, hasMail, problem, failure: 'key_invalid' });
    }
    await this.limits.take(visit.request, { user_id, password_id });
    const field = visit.field('recovery_code') === '' ? 'code' : 'recovery_code';
    const take = () => this.twoFactor.take(user_id, visit.field(field));
    const problem = await problemWithCode(take, WRONG[field]);
    if (problem !== null) {
      return codePage(visit, { next, problems: [new FormProblem(field, problem)] });
    }
    await this.sessions.completeSignIn(visit.request);
    return redirectTo(ownPath(next, HOME_PATH));
  }
}
