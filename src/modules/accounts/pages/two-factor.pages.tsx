import { Injectable } from '@nestjs/common';
import type { VNode } from 'preact';
import { encode } from 'uqr';
import { SignInLimits } from '../../../platform/limits/sign-in-limits.js';
import {
  RECOVERY_CODES,
  TwoFactorService,
  type ProposedSecret,
  type TwoFactorState,
} from '../sessions/two-factor.service.js';
import { PasswordPrompt } from './password-prompt.js';
import { pageOf, redirectTo, type PageAnswer } from '../../../platform/pages/page-answer.js';
import type { PageRoutes, Pages } from '../../../platform/pages/page-router.js';
import { SECURITY_PATH, SET_UP_PATH } from '../../../platform/pages/paths.js';
import { Copy } from '../../../platform/pages/resource.view.js';
import { BrowserSessions } from './browser-sessions.js';
import type { SignedInVisit } from '../../../platform/pages/visit.js';
import { AnyCodeField, CodeField, CurrentPassword } from './secret-fields.view.js';
import { Actions, Badge, LinkLine, Setting } from '../../../platform/pages/ui/facts.view.js';
import { Form, FormProblem } from '../../../platform/pages/ui/form.view.js';
import { DateTime } from '../../../platform/pages/ui/values.view.js';
import { Operator } from '../../../platform/pages/frame/operator.view.js';

const TITLE = 'Set up two-factor sign-in';

/**
 * Names of the form fields that turn two-factor sign-in off. They differ from all other names on
 * the page.
 */
const OFF_PASSWORD = 'off_password';
const OFF_CODE = 'off_code';

/** Width of the blank border that readers need, in modules. */
const QUIET = 4;

/** Sets up two-factor sign-in, renews recovery codes, and turns it off. */
@Injectable()
export class TwoFactorPages implements Pages {
  constructor(
    private readonly sessions: BrowserSessions,
    private readonly twoFactor: TwoFactorService,
    private readonly limits: SignInLimits,
    private readonly passwords: PasswordPrompt,
  ) {}

  addTo(routes: PageRoutes): void {
    const path = '/security/two-factor';
    routes.addBeforeTwoFactor('get', path, (visit) => this.show(visit));
    routes.addBeforeTwoFactor('post', path, (visit) => this.begin(visit));
    routes.addBeforeTwoFactor('post', `${path}/confirm`, (visit) => this.confirm(visit));
    routes.post(`${path}/recovery-codes`, (visit) => this.renewRecoveryCodes(visit));
    routes.post(`${path}/off`, (visit) => this.turnOff(visit));
  }

  private async show(visit: SignedInVisit): Promise<PageAnswer> {
    const state = await this.twoFactor.stateOf(visit.user.id);
    return state.since === null ? this.confirmPage(visit) : twoFactorPage(state);
  }

  /** Shows the secret as long as the password is fresh; afterwards a new one is proposed. */
  private confirmPage(visit: SignedInVisit, problems: readonly FormProblem[] = []) {
    const proposed = this.proposedTo(visit);
    if (proposed === undefined) return beginPage(visit);
    return provePage(visit, this.twoFactor.proposalFor(visit.user, proposed), problems);
  }

  private proposedTo({ request }: SignedInVisit): string | undefined {
    const isFresh = this.sessions.hasFreshPassword(request);
    return isFresh ? request.session.proposed_secret : undefined;
  }

  private async begin(visit: SignedInVisit): Promise<PageAnswer> {
    const { request, user } = visit;
    // The password alone confirms nothing while two-factor sign-in is on.
    if (await this.twoFactor.isOn(user.id)) return redirectTo(SET_UP_PATH);
    if (!(await this.passwords.isRight(visit))) {
      return beginPage(visit, [new FormProblem('password', 'The current password is wrong.')]);
    }
    const proposed_secret = this.twoFactor.propose(user.id);
    await this.sessions.notePassword(request, { proposed_secret });
    return redirectTo(SET_UP_PATH);
  }

  private async confirm(visit: SignedInVisit): Promise<PageAnswer> {
    const { request, user } = visit;
    const proposed = this.proposedTo(visit);
    if (proposed === undefined) return redirectTo(SET_UP_PATH);
    const { password_id = '' } = request.session;
    await this.limits.takeCode(request, { user_id: user.id, password_id });
    const turnedOn = await this.twoFactor.confirm(user.id, proposed, visit.field('code'));
    if (turnedOn === null) {
      const problem =
        'Wrong or expired code. Try the next one. If it keeps failing, check your phone’s clock.';
      return this.confirmPage(visit, [new FormProblem('code', problem)]);
    }
    await this.sessions.renew(request, { password_id: turnedOn.password_id, code_given: true });
    return recoveryCodesPage(turnedOn.recoveryCodes, 'Two-factor sign-in is on');
  }

  private async renewRecoveryCodes(visit: SignedInVisit): Promise<PageAnswer> {
    const problem = await this.passwords.problemIn(visit, true);
    if (problem !== null) return this.pageWith(visit, problem);
    const codes = await this.twoFactor.renewRecoveryCodes(visit.user.id);
    if (codes === null) return redirectTo(SET_UP_PATH);
    return recoveryCodesPage(codes, 'New recovery codes');
  }

  private async turnOff(visit: SignedInVisit): Promise<PageAnswer> {
    const fields = { password: OFF_PASSWORD, code: OFF_CODE };
    const problem = await this.passwords.problemIn(visit, true, fields);
    if (problem !== null) return this.pageWith(visit, problem);
    await this.twoFactor.turnOff(visit.user.id);
    return redirectTo(`${SECURITY_PATH}?done=two-factor-off`);
  }

  private async pageWith(visit: SignedInVisit, problem: FormProblem): Promise<PageAnswer> {
    const state = await this.twoFactor.stateOf(visit.user.id);
    return state.since === null ? redirectTo(SET_UP_PATH) : twoFactorPage(state, [problem]);
  }
}

/** Shows the first step, which requests the password. */
function beginPage(visit: SignedInVisit, problems: readonly FormProblem[] = []) {
  return setUpPage(
    visit,
    'password',
    problems,
    <>
      {visit.step === 'set-up' ? (
        <>
          <p>
            <strong>
              <Operator isFirst /> requires it of you.
            </strong>{' '}
            All other pages open when it is set up.
          </p>
          <p>You will sign in with your password and a code from your phone.</p>
        </>
      ) : (
        <p>
          You need an authenticator app on your phone, which shows the codes (for example Aegis or
          Google Authenticator).
        </p>
      )}
      <Form action={SET_UP_PATH}>
        <CurrentPassword />
        <Actions>
          <button>Continue</button>
          {visit.step !== 'set-up' && (
            <a class="button quiet" href={SECURITY_PATH}>
              Cancel
            </a>
          )}
        </Actions>
      </Form>
    </>,
  );
}

/** Steps of the set-up, in their order. */
const STEPS = {
  password: 'Enter your password',
  app: 'Add this account to an authenticator app',
  codes: 'Save your recovery codes',
} as const;

/** Shows a step of the set-up, with all steps beside it. */
function setUpPage(
  { step }: SignedInVisit,
  current: 'password' | 'app',
  problems: readonly FormProblem[],
  content: VNode,
) {
  const steps = Object.entries(STEPS);
  const number = steps.findIndex(([name]) => name === current) + 1;
  const back = step === 'set-up' ? {} : { back: [SECURITY_PATH, 'Security'] as const };
  return pageOf(
    { title: TITLE, problems, ...back },
    <Setting
      id="step-title"
      title={`Step ${number} of ${steps.length}`}
      about={
        <ol class="timeline steps">
          {steps.map(([name, words]) => (
            <li aria-current={name === current ? 'step' : undefined}>{words}</li>
          ))}
        </ol>
      }
    >
      {content}
    </Setting>,
  );
}

/**
 * Shows the second step: the user scans the secret with the app, and enters the app's first code.
 */
function provePage(
  visit: SignedInVisit,
  { secret, link }: ProposedSecret,
  problems: readonly FormProblem[] = [],
) {
  return setUpPage(
    visit,
    'app',
    problems,
    <>
      <p>Scan this with your authenticator app:</p>
      <QrCode text={link} />
      <p>
        Or type the secret into it:{' '}
        <code class="secret">{secret.replace(/.{4}(?!$)/g, '$& ')}</code>
      </p>
      <p>
        On this phone, <a href={link}>open your app with the secret</a>.
      </p>
      <Form action={`${SET_UP_PATH}/confirm`}>
        <CodeField hint="The 6 digits that the app shows then." />
        <button>Turn it on</button>
      </Form>
    </>,
  );
}

function recoveryCodesPage(codes: readonly string[], title: string) {
  return pageOf(
    { title, frame: 'card' },
    <>
      <p>
        Save these recovery codes. Each works once if you lose your phone. They are not shown again.
      </p>
      <ul class="codes" id="codes">
        {codes.map((code) => (
          <li>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <p class="copy">
        <Copy of="codes" />
        <a class="button quiet" download="recovery-codes.txt" href={fileOf(codes)}>
          Download
        </a>
      </p>
      <p role="status" data-copied="codes" />
      <LinkLine href={SECURITY_PATH}>I have saved them</LinkLine>
    </>,
  );
}

/** Returns a file with a code on each line. The address contains it, so nothing keeps it. */
function fileOf(codes: readonly string[]): string {
  return `data:text/plain;charset=utf-8,${encodeURIComponent(`${codes.join('\n')}\n`)}`;
}

/**
 * Draws a QR code in black on white, in dark mode, too, because not every reader accepts the
 * reverse.
 */
function QrCode({ text }: { readonly text: string }) {
  const { data, size } = encode(text, { border: QUIET });
  const path = data
    .flatMap((row, y) => row.map((isBlack, x) => (isBlack ? `M${x} ${y}h1v1h-1z` : '')))
    .join('');
  return (
    <svg
      class="qr-code"
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label="QR code of the secret below"
      shape-rendering="crispEdges"
    >
      <rect width={size} height={size} fill="#ffffff" />
      <path d={path} fill="#000000" />
    </svg>
  );
}

/** Part of the page Security. */
export function TwoFactorSetting(state: TwoFactorState) {
  const isOn = state.since !== null;
  return (
    <Setting
      id="two-factor-title"
      title={
        <>
          Two-factor sign-in{' '}
          <Badge style={isOn ? 'active' : 'pending'}>{isOn ? 'On' : 'Off'}</Badge>
        </>
      }
      about={
        <p>
          After your password, you enter a code from your phone. A stolen password is not enough.
        </p>
      }
    >
      {isOn ? <StateOn {...state} /> : <p>Only your password protects this account.</p>}
      <Actions>
        <a class={isOn ? 'button quiet' : 'button'} href={SET_UP_PATH}>
          {isOn ? 'Recovery codes, or turn it off' : 'Set up two-factor sign-in'}
        </a>
      </Actions>
    </Setting>
  );
}

/** Shows the page while two-factor sign-in is on. */
function twoFactorPage(state: TwoFactorState, problems: readonly FormProblem[] = []) {
  return pageOf(
    {
      title: 'Two-factor sign-in',
      problems,
      back: [SECURITY_PATH, 'Security'],
    },
    <>
      <StateOn {...state} />
      <Setting
        id="codes-title"
        title="New recovery codes"
        about={<p>The earlier ones stop working.</p>}
      >
        <Form action={`${SET_UP_PATH}/recovery-codes`} label="New recovery codes">
          <CurrentPassword />
          <AnyCodeField />
          <button>Create new recovery codes</button>
        </Form>
      </Setting>
      <Setting
        id="off-title"
        title="Turn off"
        about={
          <p>
            To change to another device, turn it off here and set it up there.
            {state.isRequired && ' The operator requires it, so no other page opens in between.'}
          </p>
        }
      >
        <Form action={`${SET_UP_PATH}/off`} label="Turn off">
          <CurrentPassword name={OFF_PASSWORD} />
          <AnyCodeField name={OFF_CODE} />
          <button class="danger">Turn off two-factor sign-in</button>
        </Form>
      </Setting>
    </>,
  );
}

function StateOn({ since, codesLeft }: TwoFactorState) {
  return (
    <p>
      On since {since !== null && <DateTime at={since} />}. {codesLeft} of {RECOVERY_CODES} recovery
      codes are left.
    </p>
  );
}
