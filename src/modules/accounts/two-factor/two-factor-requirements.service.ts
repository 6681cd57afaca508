import { Injectable } from '@nestjs/common';
import { dateTimeOf } from '../../../common/time.js';
import { Database } from '../../../database/database.js';
import { NO_APPLICATION, OPERATOR } from '../../audit/audit.model.js';
import { AuditService } from '../../audit/audit.service.js';
import { AccountsRepository } from '../accounts.repository.js';
import { UnknownAccountError } from '../account.model.js';
import { ALL_USERS } from './two-factor.model.js';
import { TwoFactorRepository } from './two-factor.repository.js';

/** Stores which users the operator requires to use two-factor sign-in. */
@Injectable()
export class TwoFactorRequirementsService {
  constructor(
    private readonly database: Database,
    private readonly repository: TwoFactorRepository,
    private readonly accounts: AccountsRepository,
    private readonly audit: AuditService,
  ) {}

  /**
   * Requires two-factor sign-in, or ends the requirement.
   * @param user_id a user, or ALL_USERS for all present and future users
   * @returns true if it is required now; for a user, also if it is required of all users
   * @throws UnknownAccountError if there is no such user
   */
  async set(user_id: number, isRequired: boolean): Promise<boolean> {
    await this.database.write(async (session) => {
      if (user_id !== ALL_USERS && !(await this.accounts.lockUser(session, user_id))) {
        throw new UnknownAccountError(`There is no user ${user_id}.`);
      }
      const created = dateTimeOf(new Date());
      if (isRequired) await this.repository.require(session, { user_id, created });
      else await this.repository.stopRequiring(session, user_id);
      await this.audit.record(session, {
        user_id: OPERATOR,
        application_id: NO_APPLICATION,
        action: 'two_factor.require',
        subject: user_id === ALL_USERS ? 'all users' : `user ${user_id}`,
        before: null,
        after: { required: isRequired },
      });
    });
    return (await this.repository.requirementsOf(user_id)).length > 0;
  }
}
