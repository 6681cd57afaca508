import { Injectable } from '@nestjs/common';
import type { Session } from '../../../platform/database/database.js';
import { BY_OPERATOR } from '../../../platform/values/author.js';
import { AuditService } from '../../audit/index.js';
import { signInEmailOf } from '../account.model.js';
import { AccountsRepository, type UserRights } from '../accounts.repository.js';
import { ApiApplicationsService } from '../applications/api-applications.service.js';
import { PasswordsRepository } from '../passwords/passwords.repository.js';
import { SessionsRepository } from '../sessions/sessions.repository.js';
import { TwoFactorRepository } from '../sessions/two-factor.repository.js';
import {
  ProvisionalUsersRepository,
  type NamedUser,
  type ProvisionalUser,
} from './provisional-users.repository.js';

const USERS_PER_PAGE = 1_000;

/**
 * Manages users that a source or an upstream created. They are provisional until the operator names
 * them.
 */
@Injectable()
export class ProvisionalUsersService {
  constructor(
    private readonly repository: ProvisionalUsersRepository,
    private readonly accounts: AccountsRepository,
    private readonly passwords: PasswordsRepository,
    private readonly sessions: SessionsRepository,
    private readonly twoFactor: TwoFactorRepository,
    private readonly applications: ApiApplicationsService,
    private readonly audit: AuditService,
  ) {}

  /** Yields all provisional users, ordered by id, and keeps one page of them in memory. */
  async *users(): AsyncGenerator<ProvisionalUser> {
    for (let last: number | undefined = 0; last !== undefined;) {
      const page: ProvisionalUser[] = await this.repository.after(last, USERS_PER_PAGE);
      yield* page;
      last = page.at(-1)?.id;
    }
  }

  /**
   * Checks locked users before the operator's first record of them is saved. If the record has
   * another e-mail than the one with which a user got a password or an application, these may
   * belong to someone else. They are removed together with links and sessions.
   */
  async confirm(session: Session, named: readonly NamedUser[]): Promise<void> {
    const emails = new Map(named.map(({ id, email }) => [id, signInEmailOf(email)]));
    await this.passwords.endLinksForOtherEmails(session, emails);
    for (const rights of await this.accounts.rightsOf(session, [...emails.keys()])) {
      const email = emails.get(rights.id) ?? rights.sign_in_email;
      if (email !== rights.sign_in_email && hasAccess(rights)) {
        await this.removeAccess(session, rights, email);
      }
    }
  }

  private async removeAccess(session: Session, { id, sign_in_email }: UserRights, email: string) {
    await this.passwords.remove(session, id);
    await this.sessions.endAllOf(session, id);
    await this.twoFactor.remove(session, id);
    for (const application_id of await this.repository.activeApplications(session, id)) {
      await this.applications.revokeIn(session, application_id);
    }
    await this.audit.record(session, {
      ...BY_OPERATOR,
      action: 'user.access-removed',
      subject: `user ${id}`,
      before: { sign_in_email },
      after: { sign_in_email: email },
    });
  }
}

function hasAccess({ admitted, password_of, application_id }: UserRights): boolean {
  return admitted !== null || password_of !== null || application_id !== null;
}
