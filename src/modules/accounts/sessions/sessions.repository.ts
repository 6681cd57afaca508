import { Injectable } from '@nestjs/common';
import { LessThan, LessThanOrEqual, Repository } from 'typeorm';
import { Database, type Session } from '../../../database/database.js';
import { InjectRepository } from '../../../database/entities/inject-repository.js';
import type { User } from '../account.model.js';
import { ALL_USERS } from '../two-factor/two-factor.model.js';
import type { PageUser } from './page-user.model.js';
import { SessionEntity, type SessionRow } from './session.entity.js';

interface PageUserRow extends User {
  readonly confirmed: string | null;
  readonly requirements: number;
  readonly notices: number;
}

type OpenRow = Pick<SessionRow, 'session_hash' | 'data' | 'created' | 'expires'>;

const OPEN = `SELECT s.session_hash, s.data, s.created, s.expires
  FROM sessions s JOIN user_passwords p ON p.user_id = s.user_id
  WHERE s.password_id = p.password_id AND s.expires > ? AND s.created > ?`;

/** Runs all SQL on sessions. */
@Injectable()
export class SessionsRepository {
  constructor(
    private readonly database: Database,
    @InjectRepository(SessionEntity) private readonly sessions: Repository<SessionRow>,
  ) {}

  /**
   * Finds an open session. Every read compares the id of the password, because a session may be
   * saved just after the password has changed.
   * @returns a session that has not expired, began after `begunAfter`, and has its user's current
   *   password
   */
  async find(session_hash: string, now: string, begunAfter: string): Promise<OpenRow | null> {
    const [row] = await this.database.select<OpenRow>(`${OPEN} AND s.session_hash = ?`, [
      now,
      begunAfter,
      session_hash,
    ]);
    return row ?? null;
  }

  /** Returns the open sessions of a user, by the rules of `find`, with the last used first. */
  ofUser(user_id: number, now: string, begunAfter: string, most: number): Promise<OpenRow[]> {
    return this.database.select<OpenRow>(
      `${OPEN} AND s.user_id = ? ORDER BY s.expires DESC, s.session_hash LIMIT ?`,
      [now, begunAfter, user_id, most],
    );
  }

  /**
   * Returns the user of a browser session. Every account page needs all of this, so one statement
   * replaces the four that TypeORM would run.
   */
  async pageUserById(user_id: number): Promise<PageUser | null> {
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

  private of({ manager }: Session): Repository<SessionRow> {
    return manager.withRepository(this.sessions);
  }
}
