import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { dateTimeOf } from '../../../platform/values/time.js';
import type { OperatorContact } from '../../../config/settings/operator-contact.js';
import { Settings } from '../../../config/settings.js';
import { Database, type Session } from '../../../platform/database/database.js';
import { DomainError } from '../../../platform/errors/domain-error.js';
import type { Mail } from '../../../platform/mail/mail.model.js';
import { MailerService } from '../../../platform/mail/mailer.service.js';
import { OPERATOR } from '../../../platform/values/author.js';
import { shownText } from '../../../platform/values/shown-text.js';
import { AuditService } from '../../audit/index.js';
import { signInEmailOf, type SignInAccount, type User } from '../account.model.js';
import { AccountsRepository } from '../accounts.repository.js';
import { userEntry } from '../audited-actions.js';
import { SessionsRepository } from '../sessions/sessions.repository.js';
import { PasswordHashes } from './password-hashes.js';
import {
  type KnownPassword,
  MAX_WITH_SAME_EMAIL,
  PasswordsRepository,
} from './passwords.repository.js';
import type { LinkKind } from '../accounts.entity.js';
import {
  checkPassword,
  EndedLinkError,
  LINK_HOURS,
  SuspendedUserError,
  type IssuedLink,
  type LinkedUser,
} from './password.model.js';

const FIRST_WORDS: Readonly<Record<LinkKind, string>> = {
  invitation: 'You are invited to the account pages at',
  forgotten: 'Somebody asked for a new password for the account pages at',
};
const LAST_WORDS: Readonly<Record<LinkKind, string>> = {
  invitation: 'If you do not expect this mail, ignore it.',
  forgotten: 'If that was not you, ignore this mail: your password stays as it is.',
};

/** Builds the mail with a link. Names come from the ledger, so each is kept on one line. */
function mailOfLink(
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

function mailOfNewPassword(
  { publicUrl, operatorContact }: Settings,
  account: SignInAccount,
  changed: string,
): Mail {
  return {
    to: account.sign_in_email,
    subject: 'Your password was set',
    text: lines(
      `The password of your account at ${publicUrl ?? ''} was set`,
      `on ${changed} UTC.`,
      ...accountLines(account),
      '',
      `If that was not you, contact ${operatorIn(operatorContact)} at once.`,
    ),
  };
}

/** Names the operator of the service with the address of the support, if it is set. */
function operatorIn(contact: OperatorContact | null): string {
  if (contact === null) return 'the operator of the service';
  return `${contact.name} (${contact.href.replace(/^mailto:/, '')})`;
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

const WITHOUT_URL =
  'PUBLIC_URL is not set: links begin with it. Example: PUBLIC_URL=https://reports.example.com';
const WITHOUT_MAIL = 'SMTP_URL is not set: no link can be sent. Without --mail, links are printed.';

const TOKEN_BYTES = 32;
const TOKEN = /^[\w-]{43}$/;
const FORGOTTEN_AFTER_MS = [5_000, 30_000] as const;
const USERS_PER_PAGE = 1_000;

const AUDIT_ACTIONS = { invitation: 'user.invite', forgotten: 'password.forgotten' } as const;

/**
 * Sets passwords, and issues and uses the links with which users set them: invitations, and links
 * for a forgotten password. Every new password ends the user's sessions and links and notifies the
 * user, no matter who sets it.
 */
@Injectable()
export class PasswordsService {
  constructor(
    private readonly settings: Settings,
    private readonly database: Database,
    private readonly accounts: AccountsRepository,
    private readonly hashes: PasswordHashes,
    private readonly passwords: PasswordsRepository,
    private readonly sessions: SessionsRepository,
    private readonly audit: AuditService,
    private readonly mailer: MailerService,
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

  /**
   * Creates a link for a user and ends the earlier one. This admits a provisional user.
   * @throws UnknownAccountError if there is no such user
   * @throws SuspendedUserError if the user is suspended
   * @throws DomainError if PUBLIC_URL is not set
   */
  async invite(user_id: number): Promise<IssuedLink> {
    const user = await this.accounts.knownUser(user_id);
    if (user.status !== 'active') throw new SuspendedUserError(`User ${user_id} is suspended.`);
    return this.issue(user, 'invitation', signInEmailOf(user.email));
  }

  /**
   * Invites a user and sends the link to the e-mail of the ledger. Throws the errors of `invite`,
   * too.
   * @throws MailError if the mail cannot be sent; the link is removed
   * @throws DomainError if SMTP_URL is not set; nothing is done
   */
  async inviteByMail(user_id: number): Promise<IssuedLink> {
    if (!this.mailer.isOn) throw new DomainError(WITHOUT_MAIL);
    const issued = await this.invite(user_id);
    try {
      await this.mailer.send(mailOfLink(this.settings, 'invitation', issued.user.email, issued));
    } catch (error) {
      await this.database.write((session) => this.passwords.endLinkOf(session, user_id));
      throw error;
    }
    return issued;
  }

  /**
   * Yields the ids of active users with neither a password nor a working link, ordered by id.
   * Provisional users are left out.
   */
  async *uninvited(): AsyncGenerator<number> {
    for (let last: number | undefined = 0; last !== undefined;) {
      const ids = await this.passwords.uninvitedAfter(last, dateTimeOf(new Date()), USERS_PER_PAGE);
      yield* ids;
      last = ids.at(-1);
    }
  }

  /**
   * Returns the user who can set a password with this token, or null. The call does not use up the
   * token.
   */
  async userOf(token: string): Promise<LinkedUser | null> {
    if (!TOKEN.test(token)) return null;
    return this.passwords.linkedUser(hashOf(token), dateTimeOf(new Date()));
  }

  /**
   * Sets the password of the link's user, who then signs in with it.
   * @throws EndedLinkError if the link does not work any more
   * @throws PasswordRefusedError if the password is too short, too long or easily guessed; the link
   *   still works
   */
  async setPassword(token: string, password: string): Promise<void> {
    const user = await this.userOf(token);
    if (user === null) throw new EndedLinkError();
    const known = await this.prepare(user, password);
    await this.database.write(async (session) => {
      await this.accounts.lockUser(session, user.id);
      if (!(await this.passwords.useLink(session, hashOf(token), dateTimeOf(new Date())))) {
        throw new EndedLinkError();
      }
      await this.accounts.setSignInEmail(session, user.id, signInEmailOf(user.sign_in_email));
      await this.store(session, known, user.id, { link: user.kind });
    });
  }

  /**
   * Sends a link to each user who has a password and signs in with this e-mail. Everything happens
   * in the background, so neither the response nor its time reveals whether there is such a user.
   * It starts at a random moment, because creating a link delays other requests by some
   * milliseconds.
   */
  forgotten(email: string): void {
    const sign_in_email = signInEmailOf(email);
    this.mailer.later(async () => {
      const users = await this.passwords.usersWhoSignInWith(sign_in_email, MAX_WITH_SAME_EMAIL);
      const mails: Mail[] = [];
      for (const user of users) {
        const issued = await this.issue(user, 'forgotten', sign_in_email);
        mails.push(mailOfLink(this.settings, 'forgotten', sign_in_email, issued));
      }
      return mails;
    }, FORGOTTEN_AFTER_MS);
  }

  /** Notifies the user by mail, if mail is configured. */
  private tell(user_id: number, changed: string): void {
    this.mailer.later(async () => {
      const account = await this.accounts.signInById(user_id);
      return account === null ? [] : [mailOfNewPassword(this.settings, account, changed)];
    });
  }

  private async issue(user: User, kind: LinkKind, sign_in_email: string): Promise<IssuedLink> {
    const { publicUrl } = this.settings;
    if (publicUrl === null) throw new DomainError(WITHOUT_URL);
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    const now = Date.now();
    const created = dateTimeOf(new Date(now));
    const expires = dateTimeOf(new Date(now + LINK_HOURS * 3_600_000));
    await this.passwords.removeExpiredLinks(created);
    await this.database.write(async (session) => {
      // A password set at the same time either ends the link or is set before it.
      await this.accounts.lockUser(session, user.id);
      if (kind === 'invitation') await this.accounts.admit(session, user.id);
      const token_hash = hashOf(token);
      const stored = { user_id: user.id, token_hash, kind, sign_in_email, created, expires };
      await this.passwords.saveLink(session, stored);
      const by = kind === 'invitation' ? OPERATOR : user.id;
      await this.audit.record(session, userEntry(AUDIT_ACTIONS[kind], user.id, by, { expires }));
    });
    return { user, link: `${publicUrl}/account/password/${token}`, expires };
  }
}

/**
 * Returns the stored form of a token. A fast hash is enough, because the token is as random as the
 * hash is long.
 */
function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
