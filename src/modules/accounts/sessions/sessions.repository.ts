import { Injectable } from '@nestjs/common';
import { LessThan, LessThanOrEqual, Repository } from 'typeorm';
import { Database, type Session } from '../../../database/database.js';
import { InjectRepository } from '../../../database/entities/inject-repository.js';
import { SessionEntity, type SessionRow } from './session.entity.js';

/** All SQL on sessions. */
@Injectable()
export class SessionsRepository {
  constructor(
    private readonly database: Database,
    @InjectRepository(SessionEntity) private readonly sessions: Repository<SessionRow>,
  ) {}

  /**
   * A session that was being kept while the password changed may come after the change, on a cluster
   * from another node: so the password's id is compared whenever a session is read.
   * @returns what a session holds that has not expired, was begun after `begunAfter`, and has the
   *   password that its user has now
   */
  async dataOf(session_hash: string, now: string, begunAfter: string): Promise<string | null> {
    const [row] = await this.database.select<Pick<SessionRow, 'data'>>(
      `SELECT s.data FROM sessions s JOIN user_passwords p ON p.user_id = s.user_id
       WHERE s.session_hash = ? AND s.expires > ? AND s.created > ?
         AND s.password_id = p.password_id`,
      [session_hash, now, begunAfter],
    );
    return row?.data ?? null;
  }

  /** Adds a session, or changes what one holds; when it was begun stays. */
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

  /** Adds none: a session that was ended meanwhile stays so. */
  async change(session_hash: string, data: string): Promise<void> {
    await this.database.write((session) => this.of(session).update({ session_hash }, { data }));
  }

  /** Lets a session last longer, unless it does so already to within a while. */
  async prolong(session_hash: string, expires: string, unlessAfter: string): Promise<void> {
    const isSoonOver = { session_hash, expires: LessThan(unlessAfter) };
    await this.database.write((session) => this.of(session).update(isSoonOver, { expires }));
  }

  async end(session_hash: string): Promise<void> {
    await this.database.write((session) => this.of(session).delete({ session_hash }));
  }

  async endAllOf(session: Session, user_id: number): Promise<void> {
    await this.of(session).delete({ user_id });
  }

  async removeExpired(now: string): Promise<void> {
    const isOver = { expires: LessThanOrEqual(now) };
    await this.database.write((session) => this.of(session).delete(isOver));
  }

  private of({ manager }: Session): Repository<SessionRow> {
    return manager.withRepository(this.sessions);
  }
}
