import { Injectable } from '@nestjs/common';
import { Database } from '../../../database/database.js';
import type { User } from '../account.model.js';
import { ALL_USERS } from '../two-factor/two-factor.model.js';
import type { PageUser } from './page-user.model.js';

interface PageUserRow extends User {
  readonly confirmed: string | null;
  readonly requirements: number;
  readonly notices: number;
}

/**
 * Reads the user of a browser session. Every account page needs all of this, so one statement
 * replaces the four that TypeORM would run.
 */
@Injectable()
export class PageUsersRepository {
  constructor(private readonly database: Database) {}

  async byId(user_id: number): Promise<PageUser | null> {
    const [row] = await this.database.select<PageUserRow>(
      `SELECT u.id, u.name, u.email, u.display_name, u.status,
         (SELECT t.confirmed FROM user_two_factor t WHERE t.user_id = u.id) AS confirmed,
         (SELECT COUNT(*) FROM two_factor_requirements r WHERE r.user_id IN (?, u.id)) AS requirements,
         (SELECT COUNT(*) FROM sign_in_networks n WHERE n.user_id = u.id AND n.notice <> 'none') AS notices
       FROM users u WHERE u.id = ?`,
      [ALL_USERS, user_id],
    );
    if (row === undefined) return null;
    const { confirmed, requirements, notices, ...user } = row;
    return {
      user,
      hasTwoFactor: confirmed !== null,
      mustHaveTwoFactor: requirements > 0,
      hasNotices: notices > 0,
    };
  }
}
