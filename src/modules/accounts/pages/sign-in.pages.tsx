import { Injectable } from '@nestjs/common';
import { SignInLimits } from '../../../platform/limits/sign-in-limits.js';
import { readableEmail } from '../../../platform/values/email.js';
import type { Failure } from '../../../api/errors/catalogue.js';
import { Settings } from '../../../config/settings.js';
import { signInEmailOf } from '../account.model.js';
import { SignInService } from '../sessions/sign-in.service.js';
import { TwoFactorService } from '../sessions/two-factor.service.js';
import { BrowserSessions, CODE_MINUTES } from './browser-sessions.js';
import { pageOf, redirectTo, type PageAnswer } from '../../../platform/pages/page-answer.js';
import type { PageRoutes, Pages } from '../../../platform/pages/page-router.js';
import * as paths from '../../../platform/pages/paths.js';
import { KnownBrowsers } from './known-browsers.js';
import type { Visit } from '../../../platform/pages/visit.js';
import { Done, Field, Form, FormProblem, Problem } from '../../../platform/pages/ui/form.view.js';
import { CodeField, problemWithCode } from './secret-fields.view.js';

const PROBLEM_ID = 'sign-in-problem';

const WRONG_CODE = {
  code: 'Wrong code, or it was used before. Enter the next one that the app shows.',
  recovery_code: 'Wrong recovery code, or it was used before.',
} as const;

interface FailedAttempt {
  readonly email?: string;
  readonly problem: string;
  readonly failure: Failure;
}

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
      const problem = 'This account is suspended. Ask the operator.';
      return signInPage(visit, this.hasMail, { email, problem, failure: 'account_suspended' });
    }
    await this.sessions.signIn(visit.request, user);
    this.browsers.remember(visit.request, normalised);
    return redirectTo(paths.ownPath(visit.field('next'), paths.HOME_PATH));
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

/** @param failed the problem of a failed attempt */
function signInPage(visit: Visit, hasMail: boolean, failed: Partial<FailedAttempt> = {}) {
  const { email, problem, failure } = failed;
  const next = problem === undefined ? visit.query('next') : visit.field('next');
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
      <Form action={paths.SIGN_IN_PATH} hidden={{ next }}>
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
          <a href={paths.FORGOTTEN_PATH}>Forgot your password?</a> No password yet? Ask the operator
          of this service.
        </p>
      ) : (
        <p class="hint">No password yet, or forgotten it? Ask the operator of this service.</p>
      )}
    </>,
  );
}

/** Shows the second page of a sign-in, after the right password. */
function codePage(next: string, problem?: FormProblem) {
  const isRecovery = problem?.field === 'recovery_code';
  return pageOf(
    {
      title: 'Enter your code',
      problems: problem === undefined ? [] : [problem],
      failure: problem === undefined ? undefined : 'key_invalid',
      frame: 'narrow card',
    },
    <>
      <Form action={paths.CODE_PATH} label="Code of your app" hidden={{ next }}>
        <CodeField autofocus={!isRecovery} />
        <button>Sign in</button>
      </Form>
      <details open={isRecovery}>
        <summary>Use a recovery code</summary>
        <Form action={paths.CODE_PATH} label="Recovery code" hidden={{ next }}>
          <Field
            label="Recovery code"
            name="recovery_code"
            autocomplete="off"
            spellcheck={false}
            autocapitalize="none"
            maxLength={40}
            hint="One of the 10 codes that you saved. Each works once."
            required
          />
          <button>Sign in with it</button>
        </Form>
      </details>
      <p class="hint">
        Lost your device and your recovery codes? Ask the operator of this service.{' '}
        <a href={paths.SIGN_IN_PATH}>Sign in as another user</a>
      </p>
    </>,
  );
}
