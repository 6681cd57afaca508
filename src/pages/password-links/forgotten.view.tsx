import { LINK_HOURS } from '../../modules/accounts/links/password-link.model.js';
import type { Page } from '../http/page-answer.js';
import type { Visit } from '../session/visit.js';
import { Field } from '../ui/form.view.js';
import { Form } from '../ui/layout.view.js';

export const FORGOTTEN_PATH = '/account/forgot-password';

export function forgottenPage(visit: Visit): Page {
  return {
    kind: 'page',
    title: 'Forgot your password?',
    view: (
      <div class="narrow card">
        <h1>Forgot your password?</h1>
        <p>Enter the e-mail that you sign in with, and you get a link to set a new password.</p>
        <Form visit={visit} action={FORGOTTEN_PATH}>
          <Field label="E-mail" name="email" type="email" autocomplete="username" required />
          <button>Send the link</button>
        </Form>
        <p class="hint">
          <a href="/account/sign-in">Back to sign-in</a>
        </p>
      </div>
    ),
  };
}

/** Shows the same page for every e-mail address, so that it does not reveal who has an account. */
export function requestedPage(): Page {
  return {
    kind: 'page',
    title: 'Look into your mailbox',
    view: (
      <div class="narrow card">
        <h1>Look into your mailbox</h1>
        <p>
          If somebody signs in with this e-mail, a link is on its way there, which can take a few
          minutes. It works once and for {LINK_HOURS} hours.
        </p>
        <p>
          Nothing arrived? Look for it among unwanted mail, and ask the operator of this service. An
          e-mail gets three links an hour at most.
        </p>
        <p class="hint">
          <a href="/account/sign-in">Back to sign-in</a>
        </p>
      </div>
    ),
  };
}
