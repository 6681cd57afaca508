import { Injectable } from '@nestjs/common';
import { PasswordLinkLimits } from '../../access/limits/password-link-limits.js';
import { Settings } from '../../config/settings.js';
import { signInEmailOf } from '../../modules/accounts/account.model.js';
import {
  EndedLinkError,
  type LinkedUser,
} from '../../modules/accounts/links/password-link.model.js';
import { PasswordLinksService } from '../../modules/accounts/links/password-links.service.js';
import { PasswordRefusedError } from '../../modules/accounts/passwords/password.model.js';
import { redirectTo, type PageAnswer } from '../http/page-answer.js';
import { SIGN_IN_PATH, type PageRoutes, type Pages } from '../http/page-router.js';
import { BrowserSessions } from '../session/browser-sessions.js';
import { KnownBrowsers } from '../session/known-browsers.js';
import type { Visit } from '../session/visit.js';
import { FormProblem } from '../ui/form.view.js';
import { forgottenPage, requestedPage } from './forgotten.view.js';
import { endedLinkPage, setPasswordPage } from './set-password.view.js';

const PATH = '/account/password';

/**
 * Serves the pages that set a password with a link, and that request such a link. They need no
 * sign-in.
 */
@Injectable()
export class PasswordLinkPages implements Pages {
  private readonly hasMail: boolean;

  constructor(
    private readonly sessions: BrowserSessions,
    private readonly links: PasswordLinksService,
    private readonly limits: PasswordLinkLimits,
    private readonly browsers: KnownBrowsers,
    settings: Settings,
  ) {
    this.hasMail = settings.mail !== null;
  }

  addTo(routes: PageRoutes): void {
    routes.addPublic('get', '/password/:token', (visit) => this.show(visit));
    routes.addPublic('post', '/password/:token', (visit) => this.setPassword(visit));
    if (!this.hasMail) return;
    routes.addPublic('get', '/forgot-password', forgottenPage);
    routes.addPublic('post', '/forgot-password', (visit) => this.requestLink(visit));
  }

  /**
   * Shows the form without using up the link, so that programs that check links in mails do not end
   * it.
   */
  private async show(visit: Visit): Promise<PageAnswer> {
    await this.limits.takeOpened(visit.request);
    const user = await this.links.userOf(visit.textInPath('token'));
    return user === null ? endedLinkPage(this.hasMail) : this.form(visit, user);
  }

  private async setPassword(visit: Visit): Promise<PageAnswer> {
    const token = visit.textInPath('token');
    await this.limits.takeOpened(visit.request);
    const user = await this.links.userOf(token);
    if (user === null) return endedLinkPage(this.hasMail);
    await this.limits.takeHash(visit.request, user.id);
    try {
      await this.links.setPassword(token, visit.field('new_password'));
    } catch (error) {
      if (error instanceof EndedLinkError) return endedLinkPage(this.hasMail);
      if (!(error instanceof PasswordRefusedError)) throw error;
      return this.form(visit, user, [new FormProblem('new_password', error.message)]);
    }
    this.browsers.remember(visit.request, user.sign_in_email);
    // The browser is signed out, whoever was signed in, so that the new password and any two-factor
    // code are requested.
    if (visit.user !== null) await this.sessions.signOut(visit.request);
    return redirectTo(`${SIGN_IN_PATH}?${new URLSearchParams(afterwards(user)).toString()}`);
  }

  private form(visit: Visit, user: LinkedUser, problems: readonly FormProblem[] = []): PageAnswer {
    const action = `${PATH}/${visit.textInPath('token')}`;
    return setPasswordPage(visit, user, action, problems);
  }

  private async requestLink(visit: Visit): Promise<PageAnswer> {
    const email = signInEmailOf(visit.field('email'));
    if (await this.limits.takeForgotten(visit.request, email)) this.links.forgotten(email);
    return requestedPage();
  }
}

/**
 * Returns the parameters of the sign-in page. After a forgotten password they lead to the list of
 * keys, endpoints and mirrors that were created recently.
 */
function afterwards({ kind }: LinkedUser): Record<string, string> {
  const done = { done: 'password' };
  return kind === 'forgotten' ? { ...done, next: '/account/security' } : done;
}
