import { Injectable } from '@nestjs/common';
import type { Session } from '../../../platform/database/database.js';
import { OPERATOR } from '../../../platform/values/author.js';
import { AuditService } from '../../audit/index.js';
import { signInEmailOf } from '../account.model.js';
import { AccountsRepository, hasAccess, type UserRights } from '../accounts.repository.js';
import { userEntry } from '../audited-actions.js';
import { ApiApplicationsService } from '../applications/api-applications.service.js';
import { PasswordsRepository } from '../passwords/passwords.repository.js';
import { SessionsRepository } from '../sessions/sessions.repository.js';
import { TwoFactorRepository } from '../sessions/two-factor.repository.js';
import type { NamedUser } from './provisional-user.model.js';

/**
 * Manages users that a source or an upstream created. They are provisional until the operator names
 * them.
 */
@Injectable()
export class ProvisionalUsersService {
  constructor(
    private readonly accounts: AccountsRepository,
    private readonly passwords: PasswordsRepository,
    private readonly sessions: SessionsRepository,
    private readonly twoFactor: TwoFactorRepository,
    private readonly applications: ApiApplicationsService,
    private readonly audit: AuditService,
  ) {}

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
    await this.applications.revokeAllOf(session, id);
    const entry = userEntry('user.access-removed', id, OPERATOR, { sign_in_email: email });
    await this.audit.record(session, { ...entry, before: { sign_in_email } });
  }
}
