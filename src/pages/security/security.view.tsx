import { readableEmail } from '../../common/email.js';
import { Done, Field, type FormProblem } from '../ui/form.view.js';
import type { TwoFactorState } from '../../modules/accounts/two-factor/two-factor.model.js';
import type { ListedSession } from '../session/session-list.js';
import type { RecentThing } from './recent/recently-made.js';
import { Recent } from './recent/recent.view.js';
import { Sessions } from './sessions.view.js';
import { TwoFactorPanel } from './two-factor/two-factor.view.js';
import { Form } from '../ui/layout.view.js';
import type { Page } from '../http/page-answer.js';
import type { SignedInVisit } from '../session/visit.js';
import { NewPassword } from './new-password.view.js';

export interface Security {
  readonly twoFactor: TwoFactorState;
  readonly sessions: readonly ListedSession[];
  readonly recent: readonly RecentThing[];
  readonly done: string | undefined;
  readonly problems: readonly FormProblem[];
}

export function securityPage(
  visit: SignedInVisit,
  { twoFactor, sessions, recent, done, problems }: Security,
): Page {
  return {
    kind: 'page',
    title: 'Security',
    failure: problems.length === 0 ? undefined : 'invalid_parameters',
    view: (
      <>
        <h1>Security</h1>
        <Done>{done}</Done>
        <Recent visit={visit} things={recent} />
        <TwoFactorPanel state={twoFactor} />
        <Sessions visit={visit} sessions={sessions} />
        <section class="card" aria-labelledby="password-title">
          <h2 id="password-title">Change password</h2>
          <p>You sign in as {readableEmail(visit.user.email)}.</p>
          <Form visit={visit} action="/account/security/password">
            <Field
              label="Current password"
              name="password"
              type="password"
              autocomplete="current-password"
              problems={problems}
              required
            />
            <NewPassword problems={problems} />
            <button>Change password</button>
          </Form>
        </section>
        <section class="card" aria-labelledby="everywhere-title">
          <h2 id="everywhere-title">Sign out everywhere</h2>
          <p>
            Signs out all devices, including this one. When you sign in again, this page lists the
            keys, endpoints and mirrors of the last 24 hours.
          </p>
          <Form visit={visit} action="/account/security/sign-out-everywhere">
            <button class="danger">Sign out everywhere</button>
          </Form>
        </section>
      </>
    ),
  };
}
