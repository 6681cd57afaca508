import { Injectable } from '@nestjs/common';
import { SignInLimits } from '../../access/limits/sign-in-limits.js';
import { SignInService } from '../../modules/accounts/sessions/sign-in.service.js';
import { BrowserSessions } from '../session/browser-sessions.js';
import { FormProblem } from '../ui/form.view.js';
import type { Page } from '../http/page-answer.js';
import type { SignedInVisit } from '../session/visit.js';
import { confirmPage, type Confirmed } from './confirm.view.js';

/**
 * Asks for the password again before a sensitive action, unless it was entered recently. This protects
 * against an unattended browser and a stolen cookie.
 */
@Injectable()
export class PasswordConfirmation {
  constructor(
    private readonly sessions: BrowserSessions,
    private readonly users: SignInService,
    private readonly limits: SignInLimits,
  ) {}

  /**
   * Checks the password in the form, if one is needed.
   * @returns the page that asks for the password, or null if the action is allowed
   * @throws ApiError too_many_requests
   */
  async promptFor(visit: SignedInVisit, describe: () => Promise<Confirmed>): Promise<Page | null> {
    const { request, user } = visit;
    if (this.sessions.hasFreshPassword(request)) return null;
    const action = await describe();
    const password = visit.field('password');
    if (password === '') return confirmPage(visit, action);
    // The same limits as for signing in.
    await this.limits.takeAgain(request, user.id);
    if (!(await this.users.isPasswordOf(user.id, password))) {
      return confirmPage(visit, action, [new FormProblem('password', 'Wrong password.')]);
    }
    await this.sessions.notePassword(request);
    return null;
  }
}
