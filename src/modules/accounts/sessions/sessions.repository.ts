import { Injectable } from '@nestjs/common';
import { LessThan, LessThanOrEqual, MoreThan, Repository } from 'typeorm';
import { Database, type Session } from '../../../platform/database/database.js';
import { InjectRepository } from '../../../platform/database/entities/inject-repository.js';
import { columnsOf } from '../../../platform/database/named-rows.js';
import type { User, UserRow } from '../account.model.js';
import {
  SessionEntity,
  type SessionRow,
  SignInNetworkEntity,
  USER_COLUMNS,
  UserEntity,
} from '../accounts.entity.js';
import { countRequirements } from './two-factor.repository.js';

/**
 * A page user is the user of a browser session, with the properties that decide which pages open.
 */
export interface PageUser {
  readonly user: User;
  readonly hasTwoFactor: boolean;
  readonly mustHaveTwoFactor: boolean;
  /** True if there may be notices of sign-ins. */
  readonly hasNotices: boolean;
}

interface PageUserRow extends User {
  readonly confirmed: string | null;
  readonly requirements: number;
  readonly notices: number;
}

const OPEN_COLUMNS = ['session_hash', 'data', 'created', 'expires'] as const;
type OpenRow = Pick<SessionRow, (typeof OPEN_COLUMNS)[number]>;

/** Runs all SQL on sessions. */
@Injectable()
export class SessionsRepository {
  constructor(
    private readonly database: Database,
    @InjectRepository(SessionEntity) private readonly sessions: Repository<SessionRow>,
    @InjectRepository(UserEntity) private readonly users: Repository<UserRow>,
  ) {}

  /**
   * Finds an open session. Every read compares the id of the password, because a session may be
   * saved just after the password has changed.
   * @returns a session that has not expired, began after `begunAfter`, and has its user's current
   *   password
   */
  async find(session_hash: string, now: string, begunAfter: string): Promise<OpenRow | null> {
    const open = this.open(now, begunAfter).andWhere({ session_hash });
    return (await open.getRawOne<OpenRow>()) ?? null;
  }

  /** Returns the open sessions of a user, by the rules of `find`, with the last used first. */
  ofUser(user_id: number, now: string, begunAfter: string, most: number): Promise<OpenRow[]> {
    return this.open(now, begunAfter)
      .andWhere({ user_id })
      .orderBy('s.expires', 'DESC')
      .addOrderBy('s.session_hash')
      .limit(most)
      .getRawMany<OpenRow>();
  }

  /** Returns the user of a browser session, with all that every account page needs. */
  async pageUserById(user_id: number): Promise<PageUser | null> {
    const row = await this.users
      .createQueryBuilder('u')
      .select(columnsOf('u', USER_COLUMNS))
      .addSelect('t.confirmed', 'confirmed')
      .addSelect(countRequirements, 'requirements')
      .addSelect(
        (query) =>
          query
            .select('COUNT(*)')
            .from(SignInNetworkEntity, 'n')
            .where("n.user_id = u.id AND n.notice <> 'none'"),
        'notices',
      )
      .leftJoin('user_two_factor', 't', 't.user_id = u.id')
      .where({ id: user_id })
      .getRawOne<PageUserRow>();
    if (row === undefined) return null;
    const { confirmed, requirements, notices, ...user } = row;
    return {
      user,
      hasTwoFactor: confirmed !== null,
      mustHaveTwoFactor: requirements > 0,
      hasNotices: notices > 0,
    };
  }

  /** Inserts a session, or changes its content and its expiry time. */
  async save(stored: SessionRow): Promise<void> {
    await this.database.write((session) =>
      this.of(session)
        .createQueryBuilder()
        .insert()
        .values(stored)
        .orUpdate(['data', 'expires'], ['session_hash'])
        .execute(),
    );
  }

  /** Updates a session. One that has ended in the meantime stays ended. */
  async change(session_hash: string, data: string): Promise<void> {
    await this.database.write((session) => this.of(session).update({ session_hash }, { data }));
  }

  /** Extends a session, unless it already lasts until `unlessAfter`. */
  async prolong(session_hash: string, expires: string, unlessAfter: string): Promise<void> {
    const expiresEarlier = { session_hash, expires: LessThan(unlessAfter) };
    await this.database.write((session) => this.of(session).update(expiresEarlier, { expires }));
  }

  async end(session_hash: string): Promise<void> {
    await this.database.write((session) => this.of(session).delete({ session_hash }));
  }

  /** Ends a session of a user. Sessions of other users stay. */
  async endOneOf(user_id: number, session_hash: string): Promise<void> {
    await this.database.write((session) => this.of(session).delete({ session_hash, user_id }));
  }

  async endAllOf(session: Session, user_id: number): Promise<void> {
    await this.of(session).delete({ user_id });
  }

  async removeExpired(now: string): Promise<void> {
    const isExpired = { expires: LessThanOrEqual(now) };
    await this.database.write((session) => this.of(session).delete(isExpired));
  }

  /** Returns a query for open sessions. */
  private open(now: string, begunAfter: string) {
    return this.sessions
      .createQueryBuilder('s')
      .select(columnsOf('s', OPEN_COLUMNS))
      .innerJoin('user_passwords', 'p', 'p.user_id = s.user_id AND p.password_id = s.password_id')
      .where({ expires: MoreThan(now), created: MoreThan(begunAfter) });
  }

  private of({ manager }: Session): Repository<SessionRow> {
    return manager.withRepository(this.sessions);
  }
}
