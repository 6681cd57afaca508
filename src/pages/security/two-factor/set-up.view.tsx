import type { ProposedSecret } from '../../../modules/accounts/two-factor/two-factor.model.js';
import type { Page } from '../../http/page-answer.js';
import { SET_UP_PATH } from '../../http/page-router.js';
import type { SignedInVisit } from '../../session/visit.js';
import { CodeField } from '../../sign-in/code.view.js';
import { Field, type FormProblem } from '../../ui/form.view.js';
import { Form } from '../../ui/layout.view.js';
import { QrCode } from './qr-code.view.js';

const TITLE = 'Set up two-factor sign-in';

export interface PasswordFieldProperties {
  readonly name?: string;
  readonly problems: readonly FormProblem[];
}

export function CurrentPassword({ name = 'password', problems }: PasswordFieldProperties) {
  return (
    <Field
      label="Current password"
      name={name}
      type="password"
      autocomplete="current-password"
      problems={problems}
      required
    />
  );
}

/** Shows the first step, which requests the password. */
export function beginPage(visit: SignedInVisit, problems: readonly FormProblem[] = []): Page {
  return {
    kind: 'page',
    title: TITLE,
    failure: problems.length === 0 ? undefined : 'invalid_parameters',
    view: (
      <div class="narrow card">
        <h1>{TITLE}</h1>
        {visit.step === 'set-up' && (
          <p>
            <strong>The operator of this service requires it of you.</strong> All other pages open
            when it is set up.
          </p>
        )}
        <p>
          You will sign in with your password and a code that an authenticator app on your phone
          shows. A stolen password alone opens nothing then.
        </p>
        <Form visit={visit} action={SET_UP_PATH}>
          <CurrentPassword problems={problems} />
          <button>Continue</button>
        </Form>
        <Cancel visit={visit} />
      </div>
    ),
  };
}

/**
 * Shows the second step: the user scans the secret with the app, and enters the app's first code.
 */
export function confirmPage(
  visit: SignedInVisit,
  { secret, link }: ProposedSecret,
  problems: readonly FormProblem[] = [],
): Page {
  return {
    kind: 'page',
    title: TITLE,
    failure: problems.length === 0 ? undefined : 'invalid_parameters',
    view: (
      <div class="narrow card">
        <h1>{TITLE}</h1>
        <p>Scan this with your authenticator app:</p>
        <QrCode text={link} label="QR code of the secret below" />
        <p>
          Or type the secret into it: <code class="secret">{inGroups(secret)}</code>
        </p>
        <p>
          On this phone, <a href={link}>open your app with the secret</a>.
        </p>
        <Form visit={visit} action={`${SET_UP_PATH}/confirm`}>
          <CodeField problems={problems} hint="The 6 digits that the app shows then." />
          <button>Turn it on</button>
        </Form>
        <Cancel visit={visit} />
      </div>
    ),
  };
}

export function recoveryCodesPage(codes: readonly string[], title: string): Page {
  return {
    kind: 'page',
    title,
    view: (
      <div class="narrow card">
        <h1>{title}</h1>
        <p>
          Save these recovery codes. Each signs you in once, if you do not have your phone. They are
          not shown again.
        </p>
        <ul class="codes" id="codes">
          {codes.map((code) => (
            <li>
              <code>{code}</code>
            </li>
          ))}
        </ul>
        <p class="copy">
          <button type="button" data-copy="codes" hidden>
            Copy
          </button>
        </p>
        <p role="status" data-copied="codes" />
        <p>
          <a href="/account/security">I have saved them</a>
        </p>
      </div>
    ),
  };
}

function Cancel({ visit }: { readonly visit: SignedInVisit }) {
  if (visit.step === 'set-up') return null;
  return (
    <p>
      <a href="/account/security">Cancel</a>
    </p>
  );
}

function inGroups(secret: string): string {
  return secret.replace(/.{4}(?!$)/g, '$& ');
}
