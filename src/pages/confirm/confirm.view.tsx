import { readableEmail } from '../../common/email.js';
import { FRESH_MINUTES } from '../session/browser-sessions.js';
import { Field, type FormProblem } from '../ui/form.view.js';
import { Form } from '../ui/layout.view.js';
import type { Page } from '../http/page-answer.js';
import type { SignedInVisit } from '../session/visit.js';

export interface Confirmed {
  /** The path to which the form is sent again. */
  readonly action: string;
  readonly sentence: string;
  readonly button: string;
  readonly isDangerous: boolean;
  readonly back: string;
}

export function confirmPage(
  visit: SignedInVisit,
  { action, sentence, button, isDangerous, back }: Confirmed,
  problems: readonly FormProblem[] = [],
): Page {
  return {
    kind: 'page',
    title: 'Enter your password',
    failure: problems.length === 0 ? undefined : 'invalid_parameters',
    view: (
      <div class="narrow card">
        <h1>Enter your password</h1>
        <p>{sentence}</p>
        <Form visit={visit} action={action}>
          <Field
            label="Password"
            name="password"
            type="password"
            autocomplete="current-password"
            hint={`You last entered it more than ${FRESH_MINUTES} minutes ago. You are signed in as ${readableEmail(visit.user.email)}.`}
            problems={problems}
            autofocus
            required
          />
          <button class={isDangerous ? 'danger' : undefined}>{button}</button>
        </Form>
        <p>
          <a href={back}>Cancel</a>
        </p>
      </div>
    ),
  };
}
