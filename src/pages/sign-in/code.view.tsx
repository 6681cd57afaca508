import { Field, type FormProblem } from '../ui/form.view.js';
import { Form } from '../ui/layout.view.js';
import type { Page } from '../http/page-answer.js';
import { CODE_PATH } from '../http/page-router.js';
import type { Visit } from '../session/visit.js';

interface CodeAttempt {
  readonly next: string;
  readonly problems?: readonly FormProblem[];
}

/** Shows the second page of a sign-in, after the right password. */
export function codePage(visit: Visit, { next, problems = [] }: CodeAttempt): Page {
  const isRecovery = problems.some(({ field }) => field === 'recovery_code');
  return {
    kind: 'page',
    title: 'Enter your code',
    failure: problems.length === 0 ? undefined : 'key_invalid',
    view: (
      <div class="narrow card">
        <h1>Enter your code</h1>
        <Form visit={visit} action={CODE_PATH} label="Code of your app">
          <input type="hidden" name="next" value={next} />
          <CodeField problems={problems} autofocus={!isRecovery} />
          <button>Sign in</button>
        </Form>
        <details open={isRecovery}>
          <summary>Use a recovery code</summary>
          <Form visit={visit} action={CODE_PATH} label="Recovery code">
            <input type="hidden" name="next" value={next} />
            <Field
              label="Recovery code"
              name="recovery_code"
              autocomplete="off"
              spellcheck={false}
              autocapitalize="none"
              maxLength={40}
              hint="One of the 10 codes that you saved. Each works once."
              problems={problems}
              required
            />
            <button>Sign in with it</button>
          </Form>
        </details>
        <p class="hint">
          Lost your device and your recovery codes? Ask the operator of this service.{' '}
          <a href="/account/sign-in">Sign in as another user</a>
        </p>
      </div>
    ),
  };
}

/** Field that accepts a code of the app or a recovery code. */
export function AnyCodeField({
  name = 'code',
  problems,
}: {
  readonly name?: string;
  readonly problems: readonly FormProblem[];
}) {
  return (
    <Field
      label="Code, or a recovery code"
      name={name}
      autocomplete="one-time-code"
      spellcheck={false}
      autocapitalize="none"
      maxLength={40}
      problems={problems}
      required
    />
  );
}

export function CodeField({
  problems,
  autofocus,
  hint = 'The 6 digits that your authenticator app shows now.',
}: {
  readonly problems: readonly FormProblem[];
  readonly autofocus?: boolean;
  readonly hint?: string;
}) {
  return (
    <Field
      label="Code"
      name="code"
      inputmode="numeric"
      autocomplete="one-time-code"
      pattern="[\s\p{Pd}\p{Cf}\u2212]*(\p{Nd}[\s\p{Pd}\p{Cf}\u2212]*){6}"
      maxLength={20}
      hint={hint}
      problems={problems}
      {...(autofocus === true ? { autofocus } : {})}
      required
    />
  );
}
