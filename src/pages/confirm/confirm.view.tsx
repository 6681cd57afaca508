import { readableEmail } from '../../common/email.js';
import { FRESH_MINUTES } from '../session/browser-sessions.js';
import { AnyCodeField } from '../sign-in/code.view.js';
import { Field, type FormProblem } from '../ui/form.view.js';
import { Form } from '../ui/layout.view.js';
import type { Page } from '../http/page-answer.js';
import type { SignedInVisit } from '../session/visit.js';

export interface Confirmed {
  /** Path to which the form is sent again. */
  readonly action: string;
  readonly sentence: string;
  readonly button: string;
  readonly isDangerous: boolean;
  readonly back: string;
}

/** Properties of the page that requests the password, in addition to the action. */
interface Asked {
  /** Other fields of the form, which are sent again. */
  readonly kept: ReadonlyMap<string, string>;
  /** True if a two-factor code is requested, too. */
  readonly asksCode: boolean;
  readonly problems?: readonly FormProblem[];
}

export function confirmPage(
  visit: SignedInVisit,
  { action, sentence, button, isDangerous, back }: Confirmed,
  { kept, asksCode, problems = [] }: Asked,
): Page {
  const title = asksCode ? 'Enter your password and a code' : 'Enter your password';
  const last = `You last entered ${asksCode ? 'both' : 'it'} more than ${FRESH_MINUTES} minutes ago.`;
  return {
    kind: 'page',
    title,
    failure: problems.length === 0 ? undefined : 'invalid_parameters',
    view: (
      <div class="narrow card">
        <h1>{title}</h1>
        <p>{sentence}</p>
        <Form visit={visit} action={action}>
          {Array.from(kept, ([name, value]) => (
            <input type="hidden" name={name} value={value} />
          ))}
          <Field
            label="Password"
            name="password"
            type="password"
            autocomplete="current-password"
            hint={`${last} You are signed in as ${readableEmail(visit.user.email)}.`}
            problems={problems}
            autofocus
            required
          />
          {asksCode && <AnyCodeField problems={problems} />}
          <button class={isDangerous ? 'danger' : undefined}>{button}</button>
        </Form>
        <p>
          <a href={back}>Cancel</a>
        </p>
      </div>
    ),
  };
}
