import { Injectable } from '@nestjs/common';
import { Database, type Session } from '../../../database/database.js';

export interface StoredSession {
  readonly session_hash: string;
  readonly user_id: number;
  /** Of the password that it began with. */
  readonly password_id: string;
  /** What the session holds, as JSON. */
  readonly data: string;
  /** Moments in UTC. */
  readonly created: string;
  readonly expires: string;
}

/** All SQL on sessions. */
@Injectable()
export class SessionsRepository {
  constructor(private readonly database: Database) {}

  /**
   * A session that was being kept while the password changed may come after the change, on a cluster
   * from another node: so the password's id is compared whenever a session is read.
   * @returns what a session holds that has not expired, was begun after `begunAfter`, and has the
   *   password that its user has now
   */
  async dataOf(session_hash: string, now: string, begunAfter: string): Promise<string | null> {
    const [row] = await this.database.rows<[string]>(
      `SELECT s.data FROM sessions s JOIN user_passwords p ON p.user_id = s.user_id
       WHERE s.session_hash = ? AND s.expires > ? AND s.created > ?
         AND s.password_id = p.password_id`,
      [session_hash, now, begunAfter],
    );
    return row?.[0] ?? null;
  }

  /** Adds a session, or changes what one holds; when it was begun stays. */
  async save(stored: StoredSession): Promise<void> {
    const { session_hash, user_id, password_id, data, created, expires } = stored;
    await this.database.write(async (session) => {
      const ending = session.dialect.onConflict(
        ['session_hash'],
        [
          { column: 'data', by: 'replace' },
          { column: 'expires', by: 'replace' },
        ],
      );
      await session.run(
        `INSERT INTO sessions (session_hash, user_id, password_id, data, created, expires)
         VALUES (?, ?, ?, ?, ?, ?) ${ending}`,
        [session_hash, user_id, password_id, data, created, expires],
      );
    });
  }

  /** Adds none: a session that was ended meanwhile stays so. */
  async change(session_hash: string, data: string): Promise<void> {
    await this.database.write((session) =>
      session.run('UPDATE sessions SET data = ? WHERE session_hash = ?', [data, session_hash]),
    );
  }

  /** Lets a session last longer, unless it does so already to within a while. */
  async prolong(session_hash: string, expires: string, unlessAfter: string): Promise<void> {
    await this.database.write((session) =>
      session.run('UPDATE sessions SET expires = ? WHERE session_hash = ? AND expires < ?', [
        ...[expires, session_hash, unlessAfter],
      ]),
    );
  }

  async end(session_hash: string): Promise<void> {
    await this.database.write((session) =>
      session.run('DELETE FROM sessions WHERE session_hash = ?', [session_hash]),
    );
  }

  async endAllOf(session: Session, user_id: number): Promise<void> {
    await session.run('DELETE FROM sessions WHERE user_id = ?', [user_id]);
  }

  async removeExpired(now: string): Promise<void> {
    await this.database.write((session) =>
      session.run('DELETE FROM sessions WHERE expires <= ?', [now]),
    );
  }
}
