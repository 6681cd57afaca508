import { Injectable } from '@nestjs/common';
import { SignInLimits } from '../../../platform/limits/sign-in-limits.js';
import { Settings } from '../../../config/settings.js';
import { signInEmailOf } from '../account.model.js';
import {
  EndedLinkError,
  LINK_HOURS,
  PasswordRefusedError,
  type LinkedUser,
} from '../passwords/password.model.js';
import { PasswordsService } from '../passwords/passwords.service.js';
import { pageOf, redirectTo, type PageAnswer } from '../../../platform/pages/page-answer.js';
import type { PageRoutes, Pages } from '../../../platform/pages/page-router.js';
import * as paths from '../../../platform/pages/paths.js';
import { BrowserSessions } from './browser-sessions.js';
import { KnownBrowsers } from './known-browsers.js';
import type { Visit } from '../../../platform/pages/visit.js';
import { LinkLine } from '../../../platform/pages/ui/facts.view.js';
import { Field, Form, FormProblem } from '../../../platform/pages/ui/form.view.js';
import { NewPassword } from './secret-fields.view.js';
import { Operator } from '../../../platform/pages/frame/operator.view.js';

/**
 * Serves the pages that set a password with a link, and that request such a link. They need no
 * sign-in.
 */
@Injectable()
export class PasswordLinkPages implements Pages {
  private readonly hasMail: boolean;

  constructor(
    private readonly sessions: BrowserSessions,
    private readonly links: PasswordsService,
    private readonly limits: SignInLimits,
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
    return user === null ? endedLinkPage(this.hasMail) : setPasswordPage(visit, user);
  }

  private async setPassword(visit: Visit): Promise<PageAnswer> {
    const token = visit.textInPath('token');
    await this.limits.takeOpened(visit.request);
    const user = await this.links.userOf(token);
    if (user === null) return endedLinkPage(this.hasMail);
    await this.limits.takeLinked(visit.request, user.id);
    try {
      await this.links.setPassword(token, visit.field('new_password'));
    } catch (error) {
      if (error instanceof EndedLinkError) return endedLinkPage(this.hasMail);
      if (!(error instanceof PasswordRefusedError)) throw error;
      return setPasswordPage(visit, user, [new FormProblem('new_password', error.message)]);
    }
    this.browsers.remember(visit.request, user.sign_in_email);
    // The browser is signed out, whoever was signed in, so that the new password and any two-factor
    // code are requested.
    if (visit.user !== null) await this.sessions.signOut(visit.request);
    // After a forgotten password the sign-in leads to the list of keys, endpoints and mirrors that
    // were created recently.
    const next = user.kind === 'forgotten' ? { next: paths.SECURITY_PATH } : {};
    return redirectTo(paths.withQuery(paths.SIGN_IN_PATH, { done: 'password', ...next }));
  }

  private async requestLink(visit: Visit): Promise<PageAnswer> {
    const email = signInEmailOf(visit.field('email'));
    if (await this.limits.takeForgotten(visit.request, email)) this.links.forgotten(email);
    return requestedPage();
  }
}

function forgottenPage() {
  return pageOf(
    { title: 'Forgot your password?', frame: 'narrow card' },
    <>
      <p>Enter the e-mail that you sign in with, and you get a link to set a new password.</p>
      <Form action={paths.FORGOTTEN_PATH}>
        <Field label="E-mail" name="email" type="email" autocomplete="username" required />
        <button>Send the link</button>
      </Form>
      <LinkLine class="hint" href={paths.SIGN_IN_PATH}>
        Back to sign-in
      </LinkLine>
    </>,
  );
}

/** Shows the same page for every e-mail address, so that it does not reveal who has an account. */
function requestedPage() {
  return pageOf(
    { title: 'Check your inbox', frame: 'narrow card' },
    <>
      <p>
        If an account uses this e-mail, a link is on its way there, which can take a few minutes. It
        works once and for {LINK_HOURS} hours.
      </p>
      <p>
        Nothing arrived? Look in the spam folder, then ask <Operator />. At most 3 links are sent in
        an hour.
      </p>
      <LinkLine class="hint" href={paths.SIGN_IN_PATH}>
        Back to sign-in
      </LinkLine>
    </>,
  );
}

function setPasswordPage(
  visit: Visit,
  { id, name, sign_in_email }: LinkedUser,
  problems: readonly FormProblem[] = [],
) {
  return pageOf(
    { title: 'Set your password', problems, frame: 'narrow card' },
    <>
      <p>
        For the account of <strong>{name}</strong>, account ID {id}. Then sign in with your e-mail
        and this password.
      </p>
      <Form action={`/account/password/${visit.textInPath('token')}`}>
        <Field
          label="E-mail"
          name="email"
          type="email"
          value={sign_in_email}
          autocomplete="username"
          readOnly
        />
        <NewPassword />
        <button>Set password</button>
      </Form>
    </>,
  );
}

/**
 * Shows the same page for every link that does not work.
 * @param hasMail true if users can request a new link themselves
 */
function endedLinkPage(hasMail: boolean) {
  return pageOf(
    { title: 'This link does not work', failure: 'not_found', frame: 'narrow card' },
    <>
      <p>
        A link works once and for 24 hours, and only the newest one does. Have you set a password
        already? Then <a href={paths.SIGN_IN_PATH}>sign in</a>.
      </p>
      <p>
        Otherwise ask <Operator /> for a new link.
        {hasMail && (
          <>
            {' '}
            If you had a password, you can <a href={paths.FORGOTTEN_PATH}>have one sent to you</a>.
          </>
        )}
      </p>
    </>,
  );
}
