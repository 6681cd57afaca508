import { Injectable } from '@nestjs/common';
import { SignInLimits } from '../../access/limits/sign-in-limits.js';
import { readableEmail } from '../../common/email.js';
import type { Failure } from '../../common/errors/catalogue.js';
import { Settings } from '../../config/settings.js';
import { signInEmailOf } from '../../modules/accounts/account.model.js';
import { SignInService } from '../../modules/accounts/sessions/sign-in.service.js';
import { BrowserSessions } from '../session/browser-sessions.js';
import { pageOf, redirectTo, type Page, type PageAnswer } from '../http/page-answer.js';
import type { PageRoutes, Pages } from '../http/page-router.js';
import { FORGOTTEN_PATH, HOME_PATH, ownPath, SIGN_IN_PATH } from '../paths.js';
import { KnownBrowsers } from '../session/known-browsers.js';
import type { Visit } from '../session/visit.js';
import { Done, Field, Form, Problem } from '../ui/form.view.js';

const PROBLEM_ID = 'sign-in-problem';

interface FailedAttempt {
  readonly email: string;
  readonly problem: string;
  readonly failure: Failure;
}

interface SignIn extends Partial<FailedAttempt> {
  readonly next: string;
  /** True if users can request a link by mail. */
  readonly hasMail: boolean;
}

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

export function signInPage(visit: Visit, { next, hasMail, email, problem, failure }: SignIn): Page {
  // The page must not reveal which of the two fields is wrong.
  const ofProblem =
    problem === undefined ? {} : { 'aria-invalid': true, 'aria-describedby': PROBLEM_ID };
  return pageOf(
    { title: 'Sign in', failure, frame: 'narrow card' },
    <>
      <Problem id={PROBLEM_ID}>{problem}</Problem>
      {problem === undefined && visit.query('done') === 'password' && (
        <Done>Your password is set. Sign in with it.</Done>
      )}
      <Form action={SIGN_IN_PATH} hidden={{ next }}>
        <Field
          label="E-mail"
          name="email"
          type="email"
          value={email && readableEmail(email)}
          autocomplete="username"
          {...ofProblem}
          required
        />
        <Field
          label="Password"
          name="password"
          type="password"
          autocomplete="current-password"
          autofocus={problem !== undefined}
          {...ofProblem}
          required
        />
        <button>Sign in</button>
      </Form>
      {hasMail ? (
        <p class="hint">
          <a href={FORGOTTEN_PATH}>Forgot your password?</a> No password yet? Ask the operator of
          this service.
        </p>
      ) : (
        <p class="hint">No password yet, or forgotten it? Ask the operator of this service.</p>
      )}
    </>,
  );
}
