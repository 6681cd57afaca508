import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Database, type Session } from '../../../database/database.js';
import { OPERATOR } from '../../audit/audit.model.js';
import { signInEmailOf, UnknownAccountError, type SignedInUser } from '../account.model.js';
import { AccountsRepository } from '../accounts.repository.js';
import { PasswordChanges } from '../passwords/password-changes.js';
import { PasswordHashes } from '../passwords/password-hashes.js';
import { MAX_WITH_SAME_EMAIL, PasswordsRepository } from '../passwords/passwords.repository.js';
import { ProvisionalUsersRepository } from '../provisional/provisional-users.repository.js';
import { SharedEmails } from '../passwords/shared-emails.js';
import { SessionsRepository } from './sessions.repository.js';

/** Passwords of the account pages, and signing in. */
@Injectable()
export class SignInService {
  constructor(
    private readonly database: Database,
    private readonly accounts: AccountsRepository,
    private readonly hashes: PasswordHashes,
    private readonly passwords: PasswordsRepository,
    private readonly sharedEmails: SharedEmails,
    private readonly sessions: SessionsRepository,
    private readonly changes: PasswordChanges,
    private readonly provisional: ProvisionalUsersRepository,
  ) {}

  /**
   * Finds the user with this e-mail and password, also if suspended. If there is none, it takes the same
   * time whether nobody has the e-mail, or one user, or several.
   */
  async userWith(email: string, password: string): Promise<SignedInUser | null> {
    const hashes = Math.max(1, await this.sharedEmails.mostUsers());
    const known = await this.passwords.passwordsOf(signInEmailOf(email), MAX_WITH_SAME_EMAIL);
    for (const { user_id, password_hash, password_id } of known) {
      if (!(await this.hashes.isPassword(password_hash, password, 'sign-in'))) continue;
      const user = await this.accounts.userById(user_id);
      return user === null ? null : { ...user, password_id };
    }
    for (let compared = known.length; compared < hashes; compared += 1) {
      await this.hashes.compareWithNothing(password, 'sign-in');
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
   * Sets a user's password, and signs the user out everywhere. The operator admits a provisional user by it.
   * @param by the user or the operator
   * @throws PasswordRefusedError for a password that is too short, too long or easily guessed
   * @throws UnknownAccountError if there is no such user
   */
  async setPassword(user_id: number, password: string, by = OPERATOR): Promise<SignedInUser> {
    const user = await this.accounts.userById(user_id);
    if (user === null) throw new UnknownAccountError(`There is no user ${user_id}.`);
    const known = await this.changes.prepare(user, password);
    await this.database.write(async (session) => {
      // An import that changes the user at the same time sees the password, or this sees its e-mail.
      await this.accounts.lockUser(session, user_id);
      if (by === OPERATOR) {
        await this.accounts.resetSignInEmail(session, user_id);
        await this.provisional.admit(session, user_id);
      }
      await this.changes.store(session, known, by, {});
    });
    return { ...user, password_id: known.password_id };
  }

  /**
   * Ends all sessions of a user, also those that are being created with the current password.
   * @returns the new id of the password, with which a session may begin
   */
  signOutEverywhere(user_id: number): Promise<string> {
    return this.database.write((session) => this.endSessions(session, user_id));
  }

  /** The same in a transaction. */
  async endSessions(session: Session, user_id: number): Promise<string> {
    const password_id = randomUUID();
    await this.passwords.changeId(session, user_id, password_id);
    await this.sessions.endAllOf(session, user_id);
    return password_id;
  }
}
