import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Settings } from '../../../config/settings.js';
import type { Session } from '../../../platform/database/database.js';
import type { Mail } from '../../../platform/mail/mail.model.js';
import { MailerService } from '../../../platform/mail/mailer.service.js';
import { shownText } from '../../../platform/values/shown-text.js';
import { dateTimeOf } from '../../../platform/values/time.js';
import { AuditService } from '../../audit/index.js';
import type { SignInAccount, User } from '../account.model.js';
import type { LinkKind } from '../accounts.entity.js';
import { AccountsRepository } from '../accounts.repository.js';
import { userEntry } from '../audited-actions.js';
import { SessionsRepository } from '../sessions/sessions.repository.js';
import { PasswordHashes } from './password-hashes.js';
import { checkPassword, type IssuedLink } from './password.model.js';
import { type KnownPassword, PasswordsRepository } from './passwords.repository.js';

const FIRST_WORDS: Readonly<Record<LinkKind, string>> = {
  invitation: 'You are invited to the account pages at',
  forgotten: 'Somebody asked for a new password for the account pages at',
};
const LAST_WORDS: Readonly<Record<LinkKind, string>> = {
  invitation: 'If you do not expect this mail, ignore it.',
  forgotten: 'If that was not you, ignore this mail: your password stays as it is.',
};

/** Builds the mail with a link. Names come from the ledger, so each is kept on one line. */
export function mailOfLink(
  { publicUrl }: Settings,
  kind: LinkKind,
  to: string,
  { user, link, expires }: IssuedLink,
): Mail {
  return {
    to,
    subject: 'Set your password',
    text: lines(
      `${FIRST_WORDS[kind]} ${publicUrl ?? ''}`,
      ...accountLines(user),
      '',
      'Set your password here:',
      link,
      '',
      `The link works once, until ${expires} UTC.`,
      LAST_WORDS[kind],
    ),
  };
}

function mailOfNewPassword({ publicUrl }: Settings, account: SignInAccount, changed: string): Mail {
  return {
    to: account.sign_in_email,
    subject: 'Your password was set',
    text: lines(
      `The password of your account at ${publicUrl ?? ''} was set`,
      `on ${changed} UTC.`,
      ...accountLines(account),
      '',
      'If that was not you, ask the operator of the service at once.',
    ),
  };
}

/**
 * Returns lines that identify the account. Several accounts can share an e-mail and even a name.
 */
function accountLines({ id, name }: Pick<User, 'id' | 'name'>): readonly string[] {
  return [`Account: ${shownText(name)}`, `Account ID: ${id}`];
}

function lines(...all: readonly string[]): string {
  return `${all.join('\n')}\n`;
}

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
    private readonly audit: AuditService,
    private readonly mailer: MailerService,
    private readonly settings: Settings,
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
    await this.passwords.endLinkOf(session, user_id);
    await this.audit.record(session, userEntry('password.set', user_id, by, after));
    session.onEnd(() => {
      this.tell(user_id, changed);
    });
  }

  /** Notifies the user by mail, if mail is configured. */
  private tell(user_id: number, changed: string): void {
    this.mailer.later(async () => {
      const account = await this.accounts.signInById(user_id);
      return account === null ? [] : [mailOfNewPassword(this.settings, account, changed)];
    });
  }
}
