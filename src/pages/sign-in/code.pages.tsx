import { Injectable } from '@nestjs/common';
import { SignInLimits } from '../../access/limits/sign-in-limits.js';
import { Settings } from '../../config/settings.js';
import { TwoFactorService } from '../../modules/accounts/two-factor/two-factor.service.js';
import { pageOf, redirectTo, type Page, type PageAnswer } from '../http/page-answer.js';
import type { PageRoutes, Pages } from '../http/page-router.js';
import { CODE_PATH, HOME_PATH, ownPath, SIGN_IN_PATH } from '../paths.js';
import { BrowserSessions, CODE_MINUTES } from '../session/browser-sessions.js';
import type { Visit } from '../session/visit.js';
import { Field, Form, FormProblem } from '../ui/form.view.js';
import { CodeField, problemWithCode } from '../ui/secret-fields.view.js';
import { signInPage } from './sign-in.pages.js';

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
    private readonly limits: SignInLimits,
    settings: Settings,
  ) {
    this.hasMail = settings.mail !== null;
  }

  addTo(routes: PageRoutes): void {
    routes.addPublic('get', '/sign-in/code', (visit) =>
      visit.step === 'code'
        ? codePage(visit.query('next'))
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
    await this.limits.takeCode(visit.request, { user_id, password_id });
    const field = visit.field('recovery_code') === '' ? 'code' : 'recovery_code';
    const take = () => this.twoFactor.take(user_id, visit.field(field));
    const problem = await problemWithCode(take, WRONG[field]);
    if (problem !== null) return codePage(next, new FormProblem(field, problem));
    await this.sessions.completeSignIn(visit.request);
    return redirectTo(ownPath(next, HOME_PATH));
  }
}

/** Shows the second page of a sign-in, after the right password. */
function codePage(next: string, problem?: FormProblem): Page {
  const isRecovery = problem?.field === 'recovery_code';
  return pageOf(
    {
      title: 'Enter your code',
      problems: problem === undefined ? [] : [problem],
      failure: problem === undefined ? undefined : 'key_invalid',
      frame: 'narrow card',
    },
    <>
      <Form action={CODE_PATH} label="Code of your app" hidden={{ next }}>
        <CodeField autofocus={!isRecovery} />
        <button>Sign in</button>
      </Form>
      <details open={isRecovery}>
        <summary>Use a recovery code</summary>
        <Form action={CODE_PATH} label="Recovery code" hidden={{ next }}>
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
        <a href={SIGN_IN_PATH}>Sign in as another user</a>
      </p>
    </>,
  );
}
