import { Injectable } from '@nestjs/common';
import { LessThanOrEqual, MoreThan, Repository } from 'typeorm';
import { runByKeys, selectByKeys } from '../../../platform/database/bulk.js';
import { Database, type Session } from '../../../platform/database/database.js';
import { InjectRepository } from '../../../platform/database/entities/inject-repository.js';
import { columnsOf } from '../../../platform/database/named-rows.js';
import type { User, UserRow } from '../account.model.js';
import { IS_PROVISIONAL, MAY_SIGN_IN } from '../seen/provisional-users.repository.js';
import {
  PasswordLinkEntity,
  USER_COLUMNS,
  UserEntity,
  type PasswordLinkRow,
} from '../accounts.entity.js';
import type { LinkedUser } from './password.model.js';

const USER = columnsOf('u', USER_COLUMNS);

/** Runs all SQL on the links with which users set a password. */
@Injectable()
export class PasswordLinksRepository {
  constructor(
    private readonly database: Database,
    @InjectRepository(PasswordLinkEntity) private readonly links: Repository<PasswordLinkRow>,
    @InjectRepository(UserEntity) private readonly users: Repository<UserRow>,
  ) {}

  /** Returns the active user of a working link, if the user may sign in. */
  async linkedUser(token_hash: string, now: string): Promise<LinkedUser | null> {
    const found = await this.links
      .createQueryBuilder('l')
      .select(`${USER}, l.kind, l.sign_in_email`)
      .innerJoin('users', 'u', 'u.id = l.user_id')
      .where({ token_hash, expires: MoreThan(now) })
      .andWhere(`u.status = 'active' AND ${MAY_SIGN_IN}`)
      .getRawOne<LinkedUser>();
    return found ?? null;
  }

  /**
   * Returns active users who sign in with this e-mail and have a password, without provisional
   * users.
   */
  usersWhoSignInWith(sign_in_email: string, limit: number): Promise<User[]> {
    return this.users
      .createQueryBuilder('u')
      .select(USER)
      .innerJoin('user_passwords', 'p', 'p.user_id = u.id')
      .where({ sign_in_email, status: 'active' })
      .andWhere(`NOT ${IS_PROVISIONAL}`)
      .orderBy('u.id')
      .limit(limit)
      .getRawMany<User>();
  }

  /**
   * Returns the next active users after an id who have neither a password nor a working link,
   * without provisional users.
   */
  async uninvitedAfter(id: number, now: string, limit: number): Promise<number[]> {
    const rows = await this.users
      .createQueryBuilder('u')
      .select('u.id', 'id')
      .leftJoin('user_passwords', 'p', 'p.user_id = u.id')
      .leftJoin('password_links', 'l', 'l.user_id = u.id AND l.expires > :now', { now })
      .where({ id: MoreThan(id), status: 'active' })
      .andWhere(`p.user_id IS NULL AND l.user_id IS NULL AND NOT ${IS_PROVISIONAL}`)
      .orderBy('u.id')
      .limit(limit)
      .getRawMany<Pick<User, 'id'>>();
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
    const works = { token_hash, expires: MoreThan(now) };
    return (await this.of(session).delete(works)).affected !== 0;
  }

  async endOf(session: Session, user_id: number): Promise<void> {
    await this.of(session).delete({ user_id });
  }

  /**
   * Ends the links of users that were created for another e-mail than the given one. An import
   * does so for all users of a batch, so the statements are written by hand.
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
