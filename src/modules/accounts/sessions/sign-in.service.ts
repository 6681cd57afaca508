import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { dateTimeOf } from '../../../common/time.js';
import { Database } from '../../../database/database.js';
import { NO_APPLICATION, OPERATOR } from '../../audit/audit.model.js';
import { AuditService } from '../../audit/audit.service.js';
import {
  signInEmailOf,
  UnknownAccountError,
  type SignedInUser,
  type User,
} from '../account.model.js';
import { AccountsRepository } from '../accounts.repository.js';
import { PasswordHashes } from '../passwords/password-hashes.js';
import { PasswordsRepository } from '../passwords/passwords.repository.js';
import { SessionsRepository } from './sessions.repository.js';

/** In characters. */
export const SHORTEST_PASSWORD = 12;
export const LONGEST_PASSWORD = 128;
/** Few users share an e-mail, and each costs a comparison. */
const MAX_WITH_SAME_EMAIL = 5;

/** A password is too short, too long or easily guessed. */
export class PasswordRefusedError extends Error {}

/** Passwords of the account pages, and signing in. */
@Injectable()
export class SignInService {
  constructor(
    private readonly database: Database,
    private readonly accounts: AccountsRepository,
    private readonly hashes: PasswordHashes,
    private readonly passwords: PasswordsRepository,
    private readonly sessions: SessionsRepository,
    private readonly audit: AuditService,
  ) {}

  /**
   * Finds the user with this e-mail and password, also if suspended. It takes the same time whether or
   * not the e-mail exists.
   */
  async userWith(email: string, password: string): Promise<SignedInUser | null> {
    const known = await this.passwords.passwordsOf(signInEmailOf(email), MAX_WITH_SAME_EMAIL);
    if (known.length === 0) await this.hashes.compareWithNothing(password);
    for (const { user_id, password_hash, password_id } of known) {
      if (!(await this.hashes.isPassword(password_hash, password))) continue;
      const user = await this.accounts.userById(user_id);
      return user === null ? null : { ...user, password_id };
    }
    return null;
  }

  async isPasswordOf(user_id: number, password: string): Promise<boolean> {
    const hash = await this.passwords.passwordHashOf(user_id);
    return hash !== null && (await this.hashes.isPassword(hash, password));
  }

  async hasPassword(user_id: number): Promise<boolean> {
    return (await this.passwords.passwordHashOf(user_id)) !== null;
  }

  /**
   * Sets a user's password, and signs the user out everywhere.
   * @param by the user or the operator
   * @throws PasswordRefusedError for a password that is too short, too long or easily guessed
   * @throws UnknownAccountError if there is no such user
   */
  async setPassword(user_id: number, password: string, by = OPERATOR): Promise<SignedInUser> {
    const user = await this.accounts.userById(user_id);
    if (user === null) throw new UnknownAccountError(`There is no user ${user_id}.`);
    checkPassword(password, user);
    const password_hash = await this.hashes.hashOf(password);
    const password_id = randomUUID();
    await this.database.write(async (session) => {
      // An import that changes the user at the same time sees the password, or this sees its e-mail.
      await this.accounts.lockUser(session, user_id);
      if (by === OPERATOR) await this.accounts.resetSignInEmail(session, user_id);
      const known = { user_id, password_hash, password_id };
      await this.passwords.savePassword(session, known, dateTimeOf(new Date()));
      await this.sessions.endAllOf(session, user_id);
      await this.audit.record(session, {
        ...{ user_id: by, application_id: NO_APPLICATION },
        ...{ action: 'password.set', subject: `user ${user_id}`, before: null, after: {} },
      });
    });
    return { ...user, password_id };
  }

  /** Ends all sessions of a user, also those that are being created with the current password. */
  async signOutEverywhere(user_id: number): Promise<void> {
    await this.database.write(async (session) => {
      await this.passwords.changeId(session, user_id, randomUUID());
      await this.sessions.endAllOf(session, user_id);
    });
  }
}

function checkPassword(password: string, { email, name }: User): void {
  const { length } = password;
  if (length < SHORTEST_PASSWORD || length > LONGEST_PASSWORD) {
    throw new PasswordRefusedError(
      `The password must have ${SHORTEST_PASSWORD} to ${LONGEST_PASSWORD} characters.`,
    );
  }
  const lower = password.toLowerCase();
  const isGuessable = [email, name].some((word) => word.toLowerCase() === lower);
  if (isGuessable || new Set(password).size < 4) {
    throw new PasswordRefusedError('The password is too easy to guess.');
  }
}
