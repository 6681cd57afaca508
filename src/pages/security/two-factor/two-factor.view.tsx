import {
  RECOVERY_CODES,
  type TwoFactorState,
} from '../../../modules/accounts/two-factor/two-factor.model.js';
import type { Page } from '../../http/page-answer.js';
import { SET_UP_PATH } from '../../http/page-router.js';
import type { SignedInVisit } from '../../session/visit.js';
import { AnyCodeField } from '../../sign-in/code.view.js';
import { DateTime } from '../../ui/date-time.view.js';
import { Panel } from '../../ui/facts.view.js';
import type { FormProblem } from '../../ui/form.view.js';
import { Form } from '../../ui/layout.view.js';
import { CurrentPassword } from './set-up.view.js';

/**
 * Names of the form fields that turn two-factor sign-in off. They differ from all other names on
 * the page.
 */
export const OFF_PASSWORD = 'off_password';
export const OFF_CODE = 'off_code';

/** Panel of the page Security. */
export function TwoFactorPanel({ state }: { readonly state: TwoFactorState }) {
  return (
    <Panel id="two-factor-title" title="Two-factor sign-in">
      {state.since === null ? (
        <>
          <p>Off: your password alone signs you in.</p>
          <p>
            <a href={SET_UP_PATH}>Set up two-factor sign-in</a>
          </p>
        </>
      ) : (
        <>
          <StateOn state={state} />
          <p>
            <a href={SET_UP_PATH}>Recovery codes, or turn it off</a>
          </p>
        </>
      )}
    </Panel>
  );
}

/** Shows the page while two-factor sign-in is on. */
export function twoFactorPage(
  visit: SignedInVisit,
  state: TwoFactorState,
  problems: readonly FormProblem[] = [],
): Page {
  return {
    kind: 'page',
    title: 'Two-factor sign-in',
    failure: problems.length === 0 ? undefined : 'invalid_parameters',
    view: (
      <>
        <h1>Two-factor sign-in</h1>
        <StateOn state={state} />
        <Panel id="codes-title" title="New recovery codes">
          <p>The earlier ones stop working.</p>
          <Form visit={visit} action={`${SET_UP_PATH}/recovery-codes`} label="New recovery codes">
            <CurrentPassword problems={problems} />
            <AnyCodeField problems={problems} />
            <button>Create new recovery codes</button>
          </Form>
        </Panel>
        <Panel id="off-title" title="Turn off">
          <p>
            To change to another device, turn it off here and set it up there.
            {state.isRequired && ' The operator requires it, so no other page opens in between.'}
          </p>
          <Form visit={visit} action={`${SET_UP_PATH}/off`} label="Turn off">
            <CurrentPassword name={OFF_PASSWORD} problems={problems} />
            <AnyCodeField name={OFF_CODE} problems={problems} />
            <button class="danger">Turn off two-factor sign-in</button>
          </Form>
        </Panel>
        <p>
          <a href="/account/security">Back to Security</a>
        </p>
      </>
    ),
  };
}

function StateOn({ state: { since, codesLeft } }: { readonly state: TwoFactorState }) {
  return (
    <p>
      On since {since !== null && <DateTime at={since} />}. {codesLeft} of {RECOVERY_CODES} recovery
      codes are left.
    </p>
  );
}
