import { readableEmail } from '../../common/email.js';
import type { Failure } from '../../common/errors/catalogue.js';
import { FORGOTTEN_PATH } from '../password-links/forgotten.view.js';
import { Done, Field, Problem } from '../ui/form.view.js';
import { Form } from '../ui/layout.view.js';
import type { Page } from '../http/page-answer.js';
import type { Visit } from '../session/visit.js';

const PROBLEM_ID = 'sign-in-problem';

export interface FailedAttempt {
  readonly email: string;
  readonly problem: string;
  readonly failure: Failure;
}

interface SignIn extends Partial<FailedAttempt> {
  readonly next: string;
  /** True if users can request a link by mail. */
  readonly hasMail: boolean;
}

export function signInPage(visit: Visit, { next, hasMail, email, problem, failure }: SignIn): Page {
  // The page must not reveal which of the two fields is wrong.
  const ofProblem =
    problem === undefined ? {} : { 'aria-invalid': true, 'aria-describedby': PROBLEM_ID };
  return {
    kind: 'page',
    title: 'Sign in',
    failure,
    view: (
      <div class="narrow card">
        <h1>Sign in</h1>
        <Problem id={PROBLEM_ID}>{problem}</Problem>
        {problem === undefined && visit.query('done') === 'password' && (
          <Done>Your password is set. Sign in with it.</Done>
        )}
        <Form visit={visit} action="/account/sign-in">
          <input type="hidden" name="next" value={next} />
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
      </div>
    ),
  };
}
