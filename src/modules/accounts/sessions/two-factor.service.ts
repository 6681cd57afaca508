import { createHash, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { generateSecret, generateURI, verifySync } from 'otplib';
import { Settings } from '../../../config/settings.js';
import { Database, type Session } from '../../../platform/database/database.js';
import { DomainError } from '../../../platform/errors/domain-error.js';
import { SecretStore } from '../../../platform/secrets/secret-store.js';
import { BY_OPERATOR, OPERATOR } from '../../../platform/values/author.js';
import { dateTimeOf } from '../../../platform/values/time.js';
import { plainCode } from '../../../platform/values/typed-digits.js';
import { AuditService } from '../../audit/index.js';
import { UnreadableKeyError, type User } from '../account.model.js';
import { ALL_USERS } from '../accounts.entity.js';
import { AccountsRepository } from '../accounts.repository.js';
import { userEntry } from '../audited-actions.js';
import { SignInService } from './sign-in.service.js';
import { TwoFactorRepository } from './two-factor.repository.js';

export const RECOVERY_CODES = 10;

export interface TwoFactorState {
  /** Time when two-factor sign-in was turned on, in UTC. Null if it is off. */
  readonly since: string | null;
  /** Number of unused recovery codes. */
  readonly codesLeft: number;
  /** True if the operator requires two-factor sign-in of this user. */
  readonly isRequired: boolean;
}

/**
 * A proposed secret has what an authenticator app needs. It is shown to the user and never logged.
 */
export interface ProposedSecret {
  /** The secret in base32. */
  readonly secret: string;
  /** The secret as an `otpauth:` link. */
  readonly link: string;
}

/** Encrypts the secrets of authenticator apps. Each is bound to its user. */
@Injectable()
export class TwoFactorSecrets extends SecretStore {
  constructor(settings: Settings) {
    super(settings, {
      position: 4,
      title: 'Secrets of two-factor sign-in',
      purpose: 'vendor-reporting-api two-factor',
      table: 'user_two_factor',
      key: 'user_id',
      columns: ['encrypted_secret'],
      contextOf: ({ user_id }) => user_id,
      audited: (rows) =>
        rows.map(({ user_id }) => ({
          action: 'two_factor.rewrap',
          subject: `user ${user_id}`,
          after: {},
        })),
      unreadable: (cause) =>
        new UnreadableKeyError('a secret of two-factor sign-in cannot be decrypted', { cause }),
    });
  }
}

/**
 * All authenticator apps support these parameters (RFC 6238): SHA-1, six digits, a new code every
 * 30 seconds.
 */
const STEP_SECONDS = 30;
const CODE = /^\d{6}$/;
/** Maximum length of a typed code with separators. */
const LONGEST = 40;
const ISSUER = 'Vendor Reporting API';

/** Returns false for text that cannot be a code. */
function isTotpCode(typed: string): boolean {
  return typed.length <= LONGEST && CODE.test(plainCode(typed));
}

/** Crockford's base32 in lower case, in which no letter looks like a digit. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
/** 16 characters have 80 random bits. */
const LENGTH = 16;
const GROUPS = /.{4}(?!$)/g;
const MISTAKEN: Readonly<Record<string, string>> = { o: '0', i: '1', l: '1' };
/** Length of a code with a separator between any two characters. */
const MAX_TYPED = 2 * LENGTH;

/** Returns new codes, such as `4k2m-9p7q-x3vd-r8ht`. */
function newRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY_CODES }, () =>
    Array.from(randomBytes(LENGTH), (byte) => ALPHABET.charAt(byte % ALPHABET.length))
      .join('')
      .replace(GROUPS, '$&-'),
  );
}

/**
 * Returns the stored form of a code. A fast hash is enough, because codes are random.
 * @returns null for text that cannot be a code
 */
function hashOfRecoveryCode(user_id: number, typed: string): string | null {
  if (typed.length > MAX_TYPED) return null;
  const code = plainCode(typed)
    .toLowerCase()
    .replace(/[oil]/g, (letter) => MISTAKEN[letter] ?? letter);
  if (code.length !== LENGTH) return null;
  return createHash('sha256').update(`${user_id} ${code}`).digest('hex');
}

/** Manages the second factor of a sign-in: codes of an authenticator app, and recovery codes. */
@Injectable()
export class TwoFactorService {
  constructor(
    private readonly database: Database,
    private readonly repository: TwoFactorRepository,
    private readonly secrets: TwoFactorSecrets,
    private readonly accounts: AccountsRepository,
    private readonly signIns: SignInService,
    private readonly audit: AuditService,
  ) {}

  async stateOf(user_id: number): Promise<TwoFactorState> {
    const since = (await this.repository.of(user_id))?.confirmed ?? null;
    return {
      since,
      codesLeft: since === null ? 0 : await this.repository.countRecoveryCodes(user_id),
      isRequired: (await this.repository.requirementsOf(user_id)).length > 0,
    };
  }

  async isOn(user_id: number): Promise<boolean> {
    return (await this.repository.of(user_id)) !== null;
  }

  /**
   * Returns a new encrypted secret of 160 random bits. It takes effect when it is confirmed; until
   * then, the session keeps it.
   */
  propose(user_id: number): string {
    return this.secrets.encrypt(generateSecret(), user_id);
  }

  /** @param proposed result of `propose` */
  proposalFor({ id, email }: Pick<User, 'id' | 'email'>, proposed: string): ProposedSecret {
    const secret = this.secrets.decrypt(proposed, id);
    return { secret, link: generateURI({ issuer: ISSUER, label: email, secret }) };
  }

  /**
   * Turns two-factor sign-in on and ends all sessions, because they began without it.
   * @param proposed result of `propose`
   * @returns the recovery codes in plain text, which are shown only once, and the new id of the
   *   password, with which a session may begin; null if the code is wrong, or two-factor sign-in is
   *   already on
   */
  async confirm(user_id: number, proposed: string, code: string) {
    const last_step = this.stepOf(code, proposed, user_id);
    if (last_step === null) return null;
    const recoveryCodes = newRecoveryCodes();
    const confirmed = dateTimeOf(new Date());
    const password_id = await this.database.write(async (session) => {
      await this.accounts.lockUser(session, user_id);
      if ((await this.repository.of(user_id, session)) !== null) return null;
      const row = { user_id, encrypted_secret: proposed, confirmed, last_step };
      await this.repository.add(session, row);
      await this.storeRecoveryCodes(session, user_id, recoveryCodes);
      await this.audit.record(session, userEntry('two_factor.on', user_id));
      return this.signIns.endSessions(session, user_id);
    });
    return password_id === null ? null : { recoveryCodes, password_id };
  }

  /**
   * Uses up a code of the app or a recovery code. Each code is accepted once.
   * @returns false if the code is wrong or was used
   * @throws UnreadableKeyError for a code of the app, if KEY_ENCRYPTION_SECRET has changed
   */
  async take(user_id: number, code: string): Promise<boolean> {
    if (!isTotpCode(code)) {
      return this.database.write((session) => this.takeRecoveryCode(session, user_id, code));
    }
    const row = await this.repository.of(user_id);
    const step = row === null ? null : this.stepOf(code, row.encrypted_secret, user_id);
    if (row === null || step === null) return false;
    return this.database.write((session) => this.repository.takeStep(session, row, step));
  }

  /** Replaces all recovery codes. @returns the new ones, or null if two-factor sign-in is off */
  async renewRecoveryCodes(user_id: number): Promise<readonly string[] | null> {
    const codes = newRecoveryCodes();
    return this.database.write(async (session) => {
      await this.accounts.lockUser(session, user_id);
      if ((await this.repository.of(user_id, session)) === null) return null;
      await this.storeRecoveryCodes(session, user_id, codes);
      await this.audit.record(session, userEntry('two_factor.new-recovery-codes', user_id));
      return codes;
    });
  }

  async turnOff(user_id: number): Promise<void> {
    await this.database.write(async (session) => {
      await this.accounts.lockUser(session, user_id);
      if (await this.repository.remove(session, user_id)) {
        await this.audit.record(session, userEntry('two_factor.off', user_id));
      }
    });
  }

  /**
   * Turns two-factor sign-in off for a user whose device is lost, and ends all sessions. The
   * password alone signs in again.
   * @throws UnknownAccountError if there is no such user
   * @throws DomainError if two-factor sign-in is off
   */
  async reset(user_id: number): Promise<void> {
    await this.database.write(async (session) => {
      await this.accounts.lockKnownUser(session, user_id);
      if (!(await this.repository.remove(session, user_id))) {
        throw new DomainError(`User ${user_id} has no two-factor sign-in.`);
      }
      await this.signIns.endSessions(session, user_id);
      await this.audit.record(session, userEntry('two_factor.reset', user_id, OPERATOR));
    });
  }

  /**
   * Requires two-factor sign-in, or ends the requirement. Only the operator does.
   * @param user_id a user, or ALL_USERS for all present and future users
   * @returns true if it is required now; for a user, also if it is required of all users
   * @throws UnknownAccountError if there is no such user
   */
  async setRequired(user_id: number, isRequired: boolean): Promise<boolean> {
    await this.database.write(async (session) => {
      if (user_id !== ALL_USERS) await this.accounts.lockKnownUser(session, user_id);
      const created = dateTimeOf(new Date());
      const requirements = await this.repository.requirementsOf(user_id, session);
      const required = requirements.some((each) => each.user_id === user_id);
      if (isRequired) await this.repository.require(session, { user_id, created });
      else await this.repository.stopRequiring(session, user_id);
      await this.audit.record(session, {
        ...BY_OPERATOR,
        account_id: user_id,
        action: 'two_factor.require',
        subject: user_id === ALL_USERS ? 'all users' : `user ${user_id}`,
        before: { required },
        after: { required: isRequired },
      });
    });
    return (await this.repository.requirementsOf(user_id)).length > 0;
  }

  /**
   * Returns the time step of a code. The codes of the steps before and after are accepted, too,
   * because clocks differ and people take time to type.
   * @returns null if the code is wrong
   */
  private stepOf(typed: string, encrypted: string, user_id: number): number | null {
    const secret = this.secrets.decrypt(encrypted, user_id);
    if (!isTotpCode(typed)) return null;
    const [token, epoch] = [plainCode(typed), Math.floor(Date.now() / 1_000)];
    const result = verifySync({ secret, token, epoch, epochTolerance: STEP_SECONDS });
    return result.valid && 'timeStep' in result ? result.timeStep : null;
  }

  private async takeRecoveryCode(session: Session, user_id: number, typed: string) {
    const code_hash = hashOfRecoveryCode(user_id, typed);
    if (code_hash === null) return false;
    if (!(await this.repository.takeRecoveryCode(session, { user_id, code_hash }))) return false;
    const left = await this.repository.countRecoveryCodes(user_id, session);
    const entry = userEntry('two_factor.recovery-code', user_id, user_id, { left });
    await this.audit.record(session, { ...entry, before: { left: left + 1 } });
    return true;
  }

  private storeRecoveryCodes(session: Session, user_id: number, codes: readonly string[]) {
    const hashes = codes
      .map((code) => hashOfRecoveryCode(user_id, code))
      .filter((hash) => hash !== null);
    return this.repository.replaceRecoveryCodes(session, user_id, hashes);
  }
}
