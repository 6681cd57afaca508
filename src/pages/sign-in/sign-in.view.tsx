import { Field, Problem } from '../shell/form.view.js';
import { Form } from '../shell/layout.view.js';
import type { Page } from '../shell/page-answer.js';
import type { Visit } from '../shell/visit.js';

export interface SignInTry {
  /** Where to go then. */
  readonly next: string;
  readonly email?: string;
  readonly problem?: string;
  readonly status?: number;
}

export function signInPage(visit: Visit, { next, email, problem, status = 200 }: SignInTry): Page {
  return {
    kind: 'page',
    title: 'Sign in',
    status,
    view: (
      <div class="narrow card">
        <h1>Sign in</h1>
        <Problem>{problem}</Problem>
        <Form visit={visit} action="/account/sign-in">
          <input type="hidden" name="next" value={next} />
          <Field
            label="E-mail"
            name="email"
            type="email"
            value={email}
            autocomplete="username"
            required
          />
          <Field
            label="Password"
            name="password"
            type="password"
            autocomplete="current-password"
            required
          />
          <button>Sign in</button>
        </Form>
        <p class="hint">No password yet, or forgotten? The operator of this service sets it.</p>
      </div>
    ),
  };
}
