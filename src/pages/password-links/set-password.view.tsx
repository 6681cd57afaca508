import type { LinkedUser } from '../../modules/accounts/links/password-link.model.js';
import type { Page } from '../http/page-answer.js';
import type { Visit } from '../session/visit.js';
import { Field, type FormProblem } from '../ui/form.view.js';
import { Form } from '../ui/layout.view.js';
import { NewPassword } from '../security/new-password.view.js';
import { FORGOTTEN_PATH } from './forgotten.view.js';

/** @param action the path of the link itself */
export function setPasswordPage(
  visit: Visit,
  { id, name, sign_in_email }: LinkedUser,
  action: string,
  problems: readonly FormProblem[] = [],
): Page {
  return {
    kind: 'page',
    title: 'Set your password',
    failure: problems.length === 0 ? undefined : 'invalid_parameters',
    view: (
      <div class="narrow card">
        <h1>Set your password</h1>
        <p>
          For the account of <strong>{name}</strong>, account ID {id}. Then sign in with your e-mail
          and this password.
        </p>
        <Form visit={visit} action={action}>
          <Field
            label="E-mail"
            name="email"
            type="email"
            value={sign_in_email}
            autocomplete="username"
            readOnly
          />
          <NewPassword problems={problems} />
          <button>Set password</button>
        </Form>
      </div>
    ),
  };
}

/**
 * Shows the same page for every link that does not work.
 * @param hasMail true if users can request a new link themselves
 */
export function endedLinkPage(hasMail: boolean): Page {
  return {
    kind: 'page',
    title: 'This link does not work',
    failure: 'not_found',
    view: (
      <div class="narrow card">
        <h1>This link does not work</h1>
        <p>
          A link works once and for 24 hours, and only the newest one does. Have you set a password
          already? Then <a href="/account/sign-in">sign in</a>.
        </p>
        <p>
          Otherwise ask the operator of this service for a new link.
          {hasMail && (
            <>
              {' '}
              If you had a password, you can <a href={FORGOTTEN_PATH}>have one sent to you</a>.
            </>
          )}
        </p>
      </div>
    ),
  };
}
