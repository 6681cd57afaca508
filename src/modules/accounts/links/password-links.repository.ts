import { Injectable } from '@nestjs/common';
import { LessThanOrEqual, Repository } from 'typeorm';
import { runByKeys, selectByKeys } from '../../../database/bulk.js';
import { Database, type Session } from '../../../database/database.js';
import { InjectRepository } from '../../../database/entities/inject-repository.js';
import type { User } from '../account.model.js';
import { IS_PROVISIONAL, MAY_SIGN_IN } from '../provisional/provisional-user.model.js';
import { PasswordLinkEntity, type PasswordLinkRow } from './password-link.entity.js';
import type { LinkedUser } from './password-link.model.js';

const USER_COLUMNS = 'u.id, u.name, u.email, u.display_name, u.status';

/** Runs all SQL on the links with which users set a password. */
@Injectable()
export class PasswordLinksRepository {
  constructor(
    private readonly database: Database,
    @InjectRepository(PasswordLinkEntity) private readonly links: Repository<PasswordLinkRow>,
  ) {}

  /** Returns the active user of a working link, if the user may sign in. */
  async linkedUser(token_hash: string, now: string): Promise<LinkedUser | null> {
    const [found] = await this.database.select<LinkedUser>(
      `SELECT ${USER_COLUMNS}, l.kind, l.sign_in_email
       FROM password_links l JOIN users u ON u.id = l.user_id
       WHERE l.token_hash = ? AND l.expires > ? AND u.status = 'active' AND ${MAY_SIGN_IN}`,
      [token_hash, now],
    );
    return found ?? null;
  }

  /**
   * Returns active users who sign in with this e-mail and have a password, without provisional
   * users.
   */
  usersWhoSignInWith(sign_in_email: string, limit: number): Promise<User[]> {
    return this.database.select<User>(
      `SELECT ${USER_COLUMNS} FROM users u JOIN user_passwords p ON p.user_id = u.id
       WHERE u.sign_in_email = ? AND u.status = 'active' AND NOT ${IS_PROVISIONAL} ORDER BY u.id LIMIT ?`,
      [sign_in_email, limit],
    );
  }

  /**
   * Returns the next active users after an id who have neither a password nor a working link,
   * without provisional users.
   */
  async uninvitedAfter(id: number, now: string, limit: number): Promise<number[]> {
    const rows = await this.database.select<Pick<User, 'id'>>(
      `SELECT u.id FROM users u
         LEFT JOIN user_passwords p ON p.user_id = u.id
         LEFT JOIN password_links l ON l.user_id = u.id AND l.expires > ?
       WHERE u.id > ? AND u.status = 'active' AND p.user_id IS NULL AND l.user_id IS NULL
         AND NOT ${IS_PROVISIONAL}
       ORDER BY u.id LIMIT ?`,
      [now, id, limit],
    );
    return rows.map((row) => row.id);
  }

  /** Saves a user's link and replaces the earlier one. */
  async save(session: Session, link: PasswordLinkRow): Promise<void> {
    await this.of(session).upsert(link, ['user_id']);
  }

  /**
   * Uses up a link. Only one of several concurrent calls succeeds.
   * @returns false if the link does not work any more
   */
  async use(session: Session, token_hash: string, now: string): Promise<boolean> {
    const sql = 'DELETE FROM password_links WHERE token_hash = ? AND expires > ?';
    return (await session.run(sql, [token_hash, now])) > 0;
  }

  async endOf(session: Session, user_id: number): Promise<void> {
    await this.of(session).delete({ user_id });
  }

  /**
   * Ends the links of users that were created for another e-mail than the given one.
   * @param emails e-mail of each user, by user id
   */
  async endForOtherEmails(session: Session, emails: ReadonlyMap<number, string>): Promise<void> {
    const users = [...emails.keys()];
    const select = 'SELECT user_id, sign_in_email FROM password_links';
    const links = await selectByKeys<PasswordLinkRow>(session, select, ['user_id'], users);
    const others = links.filter((link) => link.sign_in_email !== emails.get(link.user_id));
    const ids = others.map(({ user_id }) => user_id);
    await runByKeys(session, 'DELETE FROM password_links', ['user_id'], ids);
  }

  async removeExpired(now: string): Promise<void> {
    const isExpired = { expires: LessThanOrEqual(now) };
    await this.database.write((session) => this.of(session).delete(isExpired));
  }

  private of({ manager }: Session): Repository<PasswordLinkRow> {
    return manager.withRepository(this.links);
  }
}
