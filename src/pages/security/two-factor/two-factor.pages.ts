import { Injectable } from '@nestjs/common';
import { CodeLimits } from '../../../access/limits/code-limits.js';
import { SignInLimits } from '../../../access/limits/sign-in-limits.js';
import { SignInService } from '../../../modules/accounts/sessions/sign-in.service.js';
import { TwoFactorService } from '../../../modules/accounts/two-factor/two-factor.service.js';
import { PasswordConfirmation } from '../../confirm/password-confirmation.js';
import { redirectTo, type Page, type PageAnswer } from '../../http/page-answer.js';
import { SET_UP_PATH, type PageRoutes, type Pages } from '../../http/page-router.js';
import { BrowserSessions } from '../../session/browser-sessions.js';
import type { SignedInVisit } from '../../session/visit.js';
import { FormProblem } from '../../ui/form.view.js';
import { beginPage, confirmPage, recoveryCodesPage } from './set-up.view.js';
import { OFF_CODE, OFF_PASSWORD, twoFactorPage } from './two-factor.view.js';

const WRONG_PASSWORD = 'The current password is wrong.';

/** Sets up two-factor sign-in, renews recovery codes, and turns it off. */
@Injectable()
export class TwoFactorPages implements Pages {
  constructor(
    private readonly sessions: BrowserSessions,
    private readonly users: SignInService,
    private readonly twoFactor: TwoFactorService,
    private readonly signInLimits: SignInLimits,
    private readonly codeLimits: CodeLimits,
    private readonly passwords: PasswordConfirmation,
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
    if (state.since !== null) return twoFactorPage(visit, state);
    return this.confirmPage(visit);
  }

  /** Shows the secret as long as the password is fresh; afterwards a new one is proposed. */
  private confirmPage(visit: SignedInVisit, problems: readonly FormProblem[] = []): Page {
    const proposed = this.proposedTo(visit);
    if (proposed === undefined) return beginPage(visit);
    return confirmPage(visit, this.twoFactor.proposalFor(visit.user, proposed), problems);
  }

  private proposedTo({ request }: SignedInVisit): string | undefined {
    const isFresh = this.sessions.hasFreshPassword(request);
    return isFresh ? request.session.proposed_secret : undefined;
  }

  private async begin(visit: SignedInVisit): Promise<PageAnswer> {
    const { request, user } = visit;
    // The password alone confirms nothing while two-factor sign-in is on.
    if (await this.twoFactor.isOn(user.id)) return redirectTo(SET_UP_PATH);
    await this.signInLimits.takeAgain(request, user.id);
    if (!(await this.users.isPasswordOf(user.id, visit.field('password')))) {
      return beginPage(visit, [new FormProblem('password', WRONG_PASSWORD)]);
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
    await this.codeLimits.take(request, { user_id: user.id, password_id });
    const turnedOn = await this.twoFactor.confirm(user.id, proposed, visit.field('code'));
    if (turnedOn === null) {
      const problem = 'Wrong code. Is the clock of your phone right? Enter the next code.';
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
    return redirectTo('/account/security?done=two-factor-off');
  }

  private async pageWith(visit: SignedInVisit, problem: FormProblem): Promise<PageAnswer> {
    const state = await this.twoFactor.stateOf(visit.user.id);
    return state.since === null ? redirectTo(SET_UP_PATH) : twoFactorPage(visit, state, [problem]);
  }
}
