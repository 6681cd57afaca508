import { Injectable } from '@nestjs/common';
import { SignInLimits } from '../../../platform/limits/sign-in-limits.js';
import { readableEmail } from '../../../platform/values/email.js';
import { Settings } from '../../../config/settings.js';
import { SignInService } from '../sessions/sign-in.service.js';
import { TwoFactorService } from '../sessions/two-factor.service.js';
import { SecretCipher } from '../../../platform/secrets/secret-store.js';
import { type Page, pageOf } from '../../../platform/pages/page-answer.js';
import {
  PasswordConfirmation,
  type Confirmed,
} from '../../../platform/pages/password-confirmation.js';
import { BrowserSessions, FRESH_MINUTES } from './browser-sessions.js';
import { PAGE_FIELD } from '../../../platform/pages/forms/typed-form.js';
import { CSRF_FIELD, type SignedInVisit } from '../../../platform/pages/visit.js';
import { LinkLine } from '../../../platform/pages/ui/facts.view.js';
import { Field, Form, FormProblem } from '../../../platform/pages/ui/form.view.js';
import { AnyCodeField, problemWithCode } from './secret-fields.view.js';

/** Fields of the confirmation itself, which are not sent again. */
const ASKED_FIELDS: ReadonlySet<string> = new Set([CSRF_FIELD, PAGE_FIELD, 'password', 'code']);
const WRONG_CODE = 'Wrong code, or it was used before.';
/** Prefix of an encrypted value. */
const SEAL = 'sealed:';

/** Properties of the page that requests the password, in addition to the action. */
interface Asked {
  /** Other fields of the form, which are sent again. */
  readonly kept: ReadonlyMap<string, string>;
  /** True if a two-factor code is requested, too. */
  readonly asksCode: boolean;
  readonly problems?: readonly FormProblem[];
}

/** Requests the password, and the code, in a page that keeps the form. */
@Injectable()
export class PasswordPrompt extends PasswordConfirmation {
  private readonly cipher: SecretCipher;

  constructor(
    private readonly sessions: BrowserSessions,
    private readonly users: SignInService,
    private readonly twoFactor: TwoFactorService,
    private readonly limits: SignInLimits,
    { keyEncryptionSecret }: Settings,
  ) {
    super();
    this.cipher = new SecretCipher(keyEncryptionSecret, 'vendor-reporting-api confirmations');
  }

  async promptFor(
    visit: SignedInVisit,
    describe: () => Confirmed | Promise<Confirmed>,
    secretField?: string,
  ): Promise<Page | null> {
    const { request, user } = visit;
    if (this.sessions.hasFreshPassword(request)) return null;
    const action = await describe();
    const asksCode = await this.twoFactor.isOn(user.id);
    const asked = { kept: this.keptFields(visit, secretField), asksCode };
    if (visit.field('password') === '') return confirmPage(visit, action, asked);
    const problem = await this.problemIn(visit, asksCode);
    if (problem !== null) return confirmPage(visit, action, { ...asked, problems: [problem] });
    await this.sessions.notePassword(request);
    return null;
  }

  secretIn(visit: SignedInVisit, field: string): string {
    const text = visit.field(field);
    if (!text.startsWith(SEAL)) return text;
    try {
      return this.cipher.decrypt(text.slice(SEAL.length), sealedFor(visit));
    } catch {
      throw new FormProblem(field, 'This form has expired. Enter it again.');
    }
  }

  /**
   * Checks the password of a form, then the code, within the limits of a sign-in.
   * @param asksCode false for a user without two-factor sign-in
   * @param fields the names of both fields
   * @returns null if both are right; the code is used up then
   * @throws ApiError too_many_requests
   */
  async problemIn(
    visit: SignedInVisit,
    asksCode: boolean,
    fields = { password: 'password', code: 'code' },
  ): Promise<FormProblem | null> {
    const { request, user } = visit;
    if (!(await this.isRight(visit, fields.password))) {
      return new FormProblem(fields.password, 'Wrong password.');
    }
    if (!asksCode) return null;
    const { password_id = '' } = request.session;
    await this.limits.takeCode(request, { user_id: user.id, password_id });
    const take = () => this.twoFactor.take(user.id, visit.field(fields.code));
    const problem = await problemWithCode(take, WRONG_CODE);
    return problem === null ? null : new FormProblem(fields.code, problem);
  }

  /**
   * Returns whether a field has the user's password. The limits of signing in apply here, too, in
   * case the browser is unattended.
   * @throws ApiError too_many_requests
   */
  async isRight(visit: SignedInVisit, field = 'password'): Promise<boolean> {
    const { request, user } = visit;
    await this.limits.takeAgain(request, user.id);
    return this.users.isPasswordOf(user.id, visit.field(field));
  }

  private keptFields(visit: SignedInVisit, secretField?: string): ReadonlyMap<string, string> {
    const kept = Array.from(visit.fields).filter(([name]) => !ASKED_FIELDS.has(name));
    return new Map(
      kept.map(([name, value]) => [name, name === secretField ? this.sealed(visit, value) : value]),
    );
  }

  private sealed(visit: SignedInVisit, text: string): string {
    if (text === '' || text.startsWith(SEAL)) return text;
    return SEAL + this.cipher.encrypt(text, sealedFor(visit));
  }
}

/** Returns the context that binds an encrypted value to the session in which it was entered. */
function sealedFor({ user, request }: SignedInVisit): string {
  return `${user.id} ${request.sessionID}`;
}

function confirmPage(
  { user }: SignedInVisit,
  { action, sentence, button, isDangerous = false, back = action }: Confirmed,
  { kept, asksCode, problems = [] }: Asked,
): Page {
  const title = asksCode ? 'Enter your password and a code' : 'Enter your password';
  const last = `You last entered ${asksCode ? 'both' : 'it'} more than ${FRESH_MINUTES} minutes ago.`;
  return pageOf(
    { title, problems, frame: 'card' },
    <>
      <p>{sentence}</p>
      <Form action={action} hidden={kept}>
        <Field
          label="Password"
          name="password"
          type="password"
          autocomplete="current-password"
          hint={`${last} You are signed in as ${readableEmail(user.email)}.`}
          autofocus
          required
        />
        {asksCode && <AnyCodeField />}
        <button class={isDangerous ? 'danger' : undefined}>{button}</button>
      </Form>
      <LinkLine href={back}>Cancel</LinkLine>
    </>,
  );
}
