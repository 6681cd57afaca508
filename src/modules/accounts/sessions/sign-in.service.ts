import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Database, type Session } from '../../../platform/database/database.js';
import { OPERATOR } from '../../../platform/values/author.js';
import { signInEmailOf, type SignedInUser } from '../account.model.js';
import { AccountsRepository } from '../accounts.repository.js';
import { PasswordsService } from '../passwords/passwords.service.js';
import { PasswordHashes } from '../passwords/password-hashes.js';
import { MAX_WITH_SAME_EMAIL, PasswordsRepository } from '../passwords/passwords.repository.js';
import { SessionsRepository } from './sessions.repository.js';

/** The statement on shared e-mails reads every password, so it does not run with each sign-in. */
const READ_EVERY_MS = 60_000;

/** Signs users in to the account pages and sets their passwords. */
@Injectable()
export class SignInService {
  private most: Promise<number> | null = null;
  private readAt = 0;

  constructor(
    private readonly database: Database,
    private readonly accounts: AccountsRepository,
    private readonly hashes: PasswordHashes,
    private readonly passwords: PasswordsRepository,
    private readonly sessions: SessionsRepository,
    private readonly changes: PasswordsService,
  ) {}

  /**
   * Finds the user with this e-mail and password, even if suspended. If there is none, the time
   * does not reveal whether no user, one user or several users have the e-mail.
   */
  async userWith(email: string, password: string): Promise<SignedInUser | null> {
    const hashes = Math.max(1, await this.mostWithSameEmail());
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
   * Sets a user's password and ends all sessions of the user. If the operator sets it, this admits
   * a provisional user.
   * @param by the user or the operator
   * @throws PasswordRefusedError if the password is too short, too long or easily guessed
   * @throws UnknownAccountError if there is no such user
   */
  async setPassword(user_id: number, password: string, by = OPERATOR): Promise<SignedInUser> {
    const user = await this.accounts.knownUser(user_id);
    const known = await this.changes.prepare(user, password);
    await this.database.write(async (session) => {
      // The lock orders this with an import that changes the user at the same time: either the
      // import sees the new password, or this code sees the new e-mail.
      await this.accounts.lockUser(session, user_id);
      if (by === OPERATOR) {
        await this.accounts.resetSignInEmail(session, user_id);
        await this.accounts.admit(session, user_id);
      }
      await this.changes.store(session, known, by, {});
    });
    return { ...user, password_id: known.password_id };
  }

  /**
   * Ends all sessions of a user, including those being created with the current password.
   * @returns the new id of the password, with which a session may begin
   */
  signOutEverywhere(user_id: number): Promise<string> {
    return this.database.write((session) => this.endSessions(session, user_id));
  }

  /** Ends all sessions of a user in a transaction. @returns the new id of the password */
  async endSessions(session: Session, user_id: number): Promise<string> {
    const password_id = randomUUID();
    await this.passwords.changeId(session, user_id, password_id);
    await this.sessions.endAllOf(session, user_id);
    return password_id;
  }

  /**
   * Returns how many users share the most shared e-mail: usually one. It is at most a minute old.
   * Each sign-in takes as many hashes, so that its time does not reveal whether its e-mail is
   * shared.
   */
  private mostWithSameEmail(): Promise<number> {
    const now = performance.now();
    if (this.most === null || now - this.readAt >= READ_EVERY_MS) {
      this.readAt = now;
      this.most = this.passwords.mostWithSameEmail();
      this.most.catch(() => {
        this.most = null;
      });
    }
    return this.most;
  }
}
