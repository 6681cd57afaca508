import { Injectable } from '@nestjs/common';
import { SignInLimits } from '../../access/limits/sign-in-limits.js';
import { signInEmailOf } from '../../modules/accounts/account.model.js';
import { SignInService } from '../../modules/accounts/sessions/sign-in.service.js';
import { BrowserSessions } from '../session/browser-sessions.js';
import { FormProblem } from '../ui/form.view.js';
import type { Page } from '../http/page-answer.js';
import type { SignedInVisit } from '../session/visit.js';
import { confirmPage, type Confirmed } from './confirm.view.js';

/**
 * Asks for the password again before what matters most, where it was not given for a while: whoever
 * finds a browser open, or takes its cookie, does not get that far.
 */
@Injectable()
export class PasswordConfirmation {
  constructor(
    private readonly sessions: BrowserSessions,
    private readonly users: SignInService,
    private readonly limits: SignInLimits,
  ) {}

  /**
   * Looks at the password that came with a form, where one is needed.
   * @param describe says what the form does
   * @returns the page that asks for the password, or null where it may be done
   * @throws ApiError too_many_requests
   */
  async pageFor(visit: SignedInVisit, describe: () => Promise<Confirmed>): Promise<Page | null> {
    const { request, user } = visit;
    if (this.sessions.hasFreshPassword(request)) return null;
    const what = await describe();
    const password = visit.field('password');
    if (password === '') return confirmPage(visit, what);
    // Guessing goes no faster than at the sign-in.
    await this.limits.take(request, signInEmailOf(user.email));
    if (!(await this.users.isPasswordOf(user.id, password))) {
      return confirmPage(visit, what, [new FormProblem('password', 'Wrong password.')]);
    }
    await this.sessions.notePassword(request);
    return null;
  }
}
