import { Injectable } from '@nestjs/common';
import { LessThanOrEqual, MoreThan, Repository } from 'typeorm';
import { runByKeys, selectByKeys } from '../../../platform/database/bulk.js';
import { Database, type Session } from '../../../platform/database/database.js';
import { InjectRepository } from '../../../platform/database/entities/inject-repository.js';
import { columnsOf } from '../../../platform/database/named-rows.js';
import type { User, UserRow } from '../account.model.js';
import {
  PasswordLinkEntity,
  USER_COLUMNS,
  UserEntity,
  UserPasswordEntity,
  type PasswordLinkRow,
  type UserPasswordRow,
} from '../accounts.entity.js';
import { IS_PROVISIONAL, MAY_SIGN_IN } from '../seen/provisional-user.model.js';
import type { LinkedUser } from './password.model.js';

/**
 * Sign-in compares the passwords of at most this many users with the same e-mail. Few users share
 * an e-mail, and each comparison costs CPU time.
 */
export const MAX_WITH_SAME_EMAIL = 5;

export type KnownPassword = Omit<UserPasswordRow, 'changed'>;

const USER = columnsOf('u', USER_COLUMNS);

/** Runs all SQL on passwords, and on the links with which users set them. */
@Injectable()
export class PasswordsRepository {
  constructor(
    private readonly database: Database,
    @InjectRepository(UserEntity) private readonly users: Repository<UserRow>,
    @InjectRepository(UserPasswordEntity) private readonly passwords: Repository<UserPasswordRow>,
    @InjectRepository(PasswordLinkEntity) private readonly links: Repository<PasswordLinkRow>,
  ) {}

  /**
   * Returns the passwords of all users who may sign in with this e-mail. In the ledger, several
   * users can have the same e-mail.
   */
  passwordsOf(sign_in_email: string, limit: number): Promise<KnownPassword[]> {
    return this.users
      .createQueryBuilder('u')
      .select('p.user_id, p.password_hash, p.password_id')
      .innerJoin('user_passwords', 'p', 'p.user_id = u.id')
      .where({ sign_in_email })
      .andWhere(MAY_SIGN_IN)
      .orderBy('u.id')
      .limit(limit)
      .getRawMany<KnownPassword>();
  }

  /**
   * Returns the largest number of users who have a password and share an e-mail, up to
   * MAX_WITH_SAME_EMAIL.
   */
  async mostWithSameEmail(): Promise<number> {
    const row = await this.passwords
      .createQueryBuilder('p')
      .select('COUNT(*)', 'sharing')
      .innerJoin('users', 'u', 'u.id = p.user_id')
      .groupBy('u.sign_in_email')
      .orderBy('sharing', 'DESC')
      .limit(1)
      .getRawOne<{ readonly sharing: number }>();
    return Math.min(row?.sharing ?? 0, MAX_WITH_SAME_EMAIL);
  }

  async passwordHashOf(user_id: number): Promise<string | null> {
    return (await this.passwords.findOneBy({ user_id }))?.password_hash ?? null;
  }

  async savePassword(session: Session, known: KnownPassword, changed: string): Promise<void> {
    const passwords = session.manager.withRepository(this.passwords);
    await passwords.upsert({ ...known, changed }, ['user_id']);
  }

  /**
   * Removes the password. Nobody can sign in as the user any more, and all sessions become invalid.
   */
  async remove(session: Session, user_id: number): Promise<void> {
    await session.manager.withRepository(this.passwords).delete({ user_id });
  }

  /** Changes the id of the password, which ends the sessions that began with the previous id. */
  async changeId(session: Session, user_id: number, password_id: string): Promise<void> {
    await session.manager.withRepository(this.passwords).update({ user_id }, { password_id });
  }

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
  async saveLink(session: Session, link: PasswordLinkRow): Promise<void> {
    await this.linksIn(session).upsert(link, ['user_id']);
  }

  /**
   * Uses up a link. Only one of several concurrent calls succeeds.
   * @returns false if the link does not work any more
   */
  async useLink(session: Session, token_hash: string, now: string): Promise<boolean> {
    const works = { token_hash, expires: MoreThan(now) };
    return (await this.linksIn(session).delete(works)).affected !== 0;
  }

  async endLinkOf(session: Session, user_id: number): Promise<void> {
    await this.linksIn(session).delete({ user_id });
  }

  /**
   * Ends the links of users that were created for another e-mail than the given one. An import
   * does so for all users of a batch, so the statements are written by hand.
   * @param emails e-mail of each user, by user id
   */
  async endLinksForOtherEmails(
    session: Session,
    emails: ReadonlyMap<number, string>,
  ): Promise<void> {
    const users = [...emails.keys()];
    const select = 'SELECT user_id, sign_in_email FROM password_links';
    const links = await selectByKeys<PasswordLinkRow>(session, select, ['user_id'], users);
    const others = links.filter((link) => link.sign_in_email !== emails.get(link.user_id));
    const ids = others.map(({ user_id }) => user_id);
    await runByKeys(session, 'DELETE FROM password_links', ['user_id'], ids);
  }

  async removeExpiredLinks(now: string): Promise<void> {
    const isExpired = { expires: LessThanOrEqual(now) };
    await this.database.write((session) => this.linksIn(session).delete(isExpired));
  }

  private linksIn({ manager }: Session): Repository<PasswordLinkRow> {
    return manager.withRepository(this.links);
  }
}
