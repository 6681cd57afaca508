import { Injectable } from '@nestjs/common';
import { selectByKeys } from '../../../database/bulk.js';
import { Database, type Session } from '../../../database/database.js';
import { IS_PROVISIONAL, type ProvisionalUser } from './provisional-user.model.js';

type ProvisionalRow = Omit<ProvisionalUser, 'has_password' | 'has_application'> & {
  readonly password_of: number | null;
};

/**
 * This condition is true for an application that works. Sources are left out because they belong to
 * the operator.
 */
const IS_ACTIVE = "state = 'active' AND access <> 'source'";

/**
 * Runs the SQL on users that the operator has not named. It is written by hand because it joins
 * passwords and applications.
 */
@Injectable()
export class ProvisionalUsersRepository {
  constructor(private readonly database: Database) {}

  /** Returns the next provisional users after an id, ordered by id. */
  async after(id: number, limit: number): Promise<ProvisionalUser[]> {
    const rows = await this.database.select<ProvisionalRow>(
      `SELECT u.id, u.name, u.email, u.display_name, u.status, u.source_vendor_id,
         p.user_id AS password_of
       FROM users u LEFT JOIN user_passwords p ON p.user_id = u.id
       WHERE u.id > ? AND ${IS_PROVISIONAL} ORDER BY u.id LIMIT ?`,
      [id, limit],
    );
    const owners = await selectByKeys<{ readonly user_id: number }>(
      this.database,
      'SELECT DISTINCT user_id FROM api_applications',
      ['user_id'],
      rows.map(({ id }) => id),
      `AND ${IS_ACTIVE}`,
    );
    const withApplication = new Set(owners.map(({ user_id }) => user_id));
    return rows.map(({ password_of, ...user }) => {
      const has_application = withApplication.has(user.id);
      return { ...user, has_password: password_of !== null, has_application };
    });
  }

  /** Admits a locked user if a source created the user and the operator has not named the user. */
  async admit(session: Session, id: number): Promise<void> {
    await session.run(
      "UPDATE users SET admitted = 'operator' WHERE id = ? AND source_vendor_id IS NOT NULL",
      [id],
    );
  }

  /** Returns the ids of a user's API applications that are not revoked, without sources. */
  async activeApplications(session: Session, user_id: number): Promise<number[]> {
    const rows = await session.select<{ readonly id: number }>(
      `SELECT id FROM api_applications WHERE user_id = ? AND ${IS_ACTIVE}`,
      [user_id],
    );
    return rows.map(({ id }) => id);
  }
}
