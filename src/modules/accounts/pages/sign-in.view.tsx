import type { ComponentChildren } from 'preact';
import { readableEmail } from '../../../platform/values/email.js';
import type { Failure } from '../../../api/errors/catalogue.js';
import { pageOf } from '../../../platform/pages/page-answer.js';
import * as paths from '../../../platform/pages/paths.js';
import type { Visit } from '../../../platform/pages/visit.js';
import {
  Done,
  Field,
  Form,
  type FormProblem,
  Problem,
} from '../../../platform/pages/ui/form.view.js';
import { Operator } from '../../../platform/pages/frame/operator.view.js';
import { CodeField } from './secret-fields.view.js';

const PROBLEM_ID = 'sign-in-problem';
/** Field with the encrypted form of an ended session. */
export const KEPT_FIELD = 'kept_form';

interface BegunSignIn {
  readonly email: string;
  readonly problem: ComponentChildren;
  readonly failure: Failure;
  /** Encrypted form of an ended session. */
  readonly kept: string;
}

/**
 * Shows the sign-in, which keeps a form that was sent after its session had ended.
 * @param begun a failed attempt, or the form to keep
 */
export function signInPage(visit: Visit, hasMail: boolean, begun: Partial<BegunSignIn> = {}) {
  const { email, problem, failure, kept = visit.field(KEPT_FIELD) } = begun;
  const next = problem === undefined ? visit.query('next') : visit.field('next');
  // The page must not reveal which of the two fields is wrong.
  const ofProblem =
    problem === undefined ? {} : { 'aria-invalid': true, 'aria-describedby': PROBLEM_ID };
  return pageOf(
    { title: 'Sign in', failure, frame: 'narrow card' },
    <>
      <Problem id={PROBLEM_ID}>{problem}</Problem>
      {kept !== '' && (
        <p class="notice warning" role="status">
          You were signed out. Sign in to save your changes.
        </p>
      )}
      {problem === undefined && visit.query('done') === 'password' && (
        <Done>Your password is set. Sign in with it.</Done>
      )}
      <Form
        action={paths.SIGN_IN_PATH}
        hidden={kept === '' ? { next } : { next, [KEPT_FIELD]: kept }}
      >
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
          <a href={paths.FORGOTTEN_PATH}>Forgot your password?</a> No password yet? Ask <Operator />
          .
        </p>
      ) : (
        <p class="hint">
          No password yet, or forgotten it? Ask <Operator />.
        </p>
      )}
    </>,
  );
}

/** Shows the second page of a sign-in, after the right password. */
export function codePage(next: string, problem?: FormProblem) {
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
        Lost your device and your recovery codes? Ask <Operator />.{' '}
        <a href={paths.SIGN_IN_PATH}>Sign in as another user</a>
      </p>
    </>,
  );
}
