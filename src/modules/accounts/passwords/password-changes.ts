import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { dateTimeOf } from '../../../platform/values/time.js';
import type { Session } from '../../../platform/database/database.js';
import { MailerService } from '../../../platform/mail/mailer.service.js';
import { NO_APPLICATION } from '../../../platform/values/author.js';
import { AuditService } from '../../audit/index.js';
import type { User } from '../account.model.js';
import { AccountsRepository } from '../accounts.repository.js';
import { AccountMails } from './account-mails.js';
import { PasswordLinksRepository } from './password-links.repository.js';
import { SessionsRepository } from '../sessions/sessions.repository.js';
import { PasswordHashes } from './password-hashes.js';
import { checkPassword } from './password.model.js';
import { PasswordsRepository, type KnownPassword } from './passwords.repository.js';

/**
 * Sets passwords. Every new password ends the user's sessions and links and notifies the user, no
 * matter who sets it.
 */
@Injectable()
export class PasswordChanges {
  constructor(
    private readonly accounts: AccountsRepository,
    private readonly hashes: PasswordHashes,
    private readonly passwords: PasswordsRepository,
    private readonly sessions: SessionsRepository,
    private readonly links: PasswordLinksRepository,
    private readonly audit: AuditService,
    private readonly mailer: MailerService,
    private readonly mails: AccountMails,
  ) {}

  /**
   * Checks and hashes a new password.
   * @throws PasswordRefusedError if the password is too short, too long or easily guessed
   */
  async prepare(user: User, password: string): Promise<KnownPassword> {
    checkPassword(password.normalize('NFC'), user);
    const password_hash = await this.hashes.hashOf(password);
    return { user_id: user.id, password_hash, password_id: randomUUID() };
  }

  /**
   * Stores a password. The caller has locked the user.
   * @param by the user or the operator
   * @param after details for the audit log
   */
  async store(session: Session, known: KnownPassword, by: number, after: object): Promise<void> {
    const { user_id } = known;
    const changed = dateTimeOf(new Date());
    await this.passwords.savePassword(session, known, changed);
    await this.sessions.endAllOf(session, user_id);
    await this.links.endOf(session, user_id);
    await this.audit.record(session, {
      user_id: by,
      application_id: NO_APPLICATION,
      action: 'password.set',
      subject: `user ${user_id}`,
      before: null,
      after,
    });
    session.onEnd(() => {
      this.tell(user_id, changed);
    });
  }

  /** Notifies the user by mail, if mail is configured. */
  private tell(user_id: number, changed: string): void {
    this.mailer.later(async () => {
      const account = await this.accounts.signInById(user_id);
      return account === null ? [] : [this.mails.ofNewPassword(account, changed)];
    });
  }
}
