import { Injectable } from '@nestjs/common';
import { replaceRows, rowsByKeys } from '../../database/bulk.js';
import { Database, type Reader, type Session } from '../../database/database.js';
import type {
  ApiApplication,
  ApplicationState,
  Principal,
  StoredKey,
  User,
  UserStatus,
} from './account.model.js';

const USER_COLUMNS = ['id', 'name', 'email', 'display_name', 'processor_email', 'status'] as const;
type UserRow = [number, string, string, string | null, string, UserStatus];

const APPLICATION_COLUMNS = 'a.id, a.user_id, a.name, a.state, a.created, a.expires';
type ApplicationRow = [number, number, string, ApplicationState, string, string | null];

/** All SQL on users, API applications and keys. */
@Injectable()
export class AccountsRepository {
  constructor(private readonly database: Database) {}

  /** Finds whom a key opens the service for, at a moment: active, and neither of both expired. */
  async principalByKeyHash(key_hash: string, now: string): Promise<Principal | null> {
    const [row] = await this.database.rows<
      [number, number, UserStatus, string | null, string | null]
    >(
      `SELECT a.user_id, a.id, u.status, k.expires, a.expires
       FROM api_keys k JOIN api_applications a ON a.id = k.application_id JOIN users u ON u.id = a.user_id
       WHERE k.key_hash = ? AND a.state = 'active'
         AND (k.expires IS NULL OR k.expires > ?) AND (a.expires IS NULL OR a.expires > ?)`,
      [key_hash, now, now],
    );
    if (row === undefined) return null;
    const [user_id, application_id, status, ...ends] = row;
    const expires = ends.filter((end) => end !== null).sort()[0] ?? null;
    return { user_id, application_id, suspended: status === 'suspended', expires };
  }

  async userById(id: number): Promise<User | null> {
    return (await this.usersByIds(this.database, [id]))[0] ?? null;
  }

  async usersByIds(reader: Reader, ids: Iterable<number>): Promise<User[]> {
    const rows = await rowsByKeys<UserRow>(
      reader,
      `SELECT ${USER_COLUMNS.join(', ')} FROM users`,
      ['id'],
      Array.from(ids, (id) => [id]),
    );
    return rows.map(([id, name, email, display_name, processor_email, status]) => ({
      id,
      name,
      email,
      display_name,
      processor_email,
      status,
    }));
  }

  async saveUsers(session: Session, users: readonly User[]): Promise<void> {
    const rows = users.map((user) => USER_COLUMNS.map((column) => user[column]));
    await replaceRows(session, 'users', USER_COLUMNS, rows, ['id']);
  }

  async hasUser(session: Session, id: number): Promise<boolean> {
    return (await this.usersByIds(session, [id])).length > 0;
  }

  async hasAnyUser(): Promise<boolean> {
    return (await this.database.rows('SELECT id FROM users LIMIT 1', [])).length > 0;
  }

  /** @returns the id that the database gave */
  async insertApplication(
    session: Session,
    application: Omit<ApiApplication, 'id'>,
    key: StoredKey,
  ): Promise<number> {
    const { user_id, name, state, created, expires } = application;
    await session.run(
      'INSERT INTO api_applications (user_id, name, state, created, expires) VALUES (?, ?, ?, ?, ?)',
      [user_id, name, state, created, expires],
    );
    const [row] = await session.rows<[number]>(session.dialect.lastGivenNumber, []);
    if (row === undefined) throw new Error('the database gave no number');
    const [id] = row;
    await this.insertKey(session, id, key, created);
    return id;
  }

  async insertKey(
    session: Session,
    application_id: number,
    key: StoredKey,
    created: string,
  ): Promise<void> {
    await session.run(
      'INSERT INTO api_keys (key_hash, application_id, encrypted_key, created) VALUES (?, ?, ?, ?)',
      [key.key_hash, application_id, key.encrypted_key, created],
    );
  }

  async applications(): Promise<ApiApplication[]> {
    const rows = await this.database.rows<ApplicationRow>(
      `SELECT ${APPLICATION_COLUMNS} FROM api_applications a ORDER BY a.id`,
      [],
    );
    return rows.map(applicationOf);
  }

  /** Reads an application and keeps it locked until the session's end. */
  async lockedApplication(session: Session, id: number): Promise<ApiApplication | null> {
    const [row] = await session.rows<ApplicationRow>(
      `SELECT ${APPLICATION_COLUMNS} FROM api_applications a WHERE a.id = ? ${session.dialect.forUpdate}`,
      [id],
    );
    return row === undefined ? null : applicationOf(row);
  }

  async setState(session: Session, id: number, state: ApplicationState): Promise<void> {
    await session.run('UPDATE api_applications SET state = ? WHERE id = ?', [state, id]);
  }

  /** Makes every key of the application end at a moment, those that end sooner excepted. */
  async endKeys(session: Session, application_id: number, at: string): Promise<void> {
    await session.run(
      'UPDATE api_keys SET expires = ? WHERE application_id = ? AND (expires IS NULL OR expires > ?)',
      [at, application_id, at],
    );
  }

  /** The present key of an application: the one that no rotation has given an end. */
  async presentKey(application_id: number): Promise<StoredKey | null> {
    const [row] = await this.database.rows<[string, string]>(
      'SELECT key_hash, encrypted_key FROM api_keys WHERE application_id = ? AND expires IS NULL',
      [application_id],
    );
    return row === undefined ? null : { key_hash: row[0], encrypted_key: row[1] };
  }
}

function applicationOf(row: ApplicationRow): ApiApplication {
  const [id, user_id, name, state, created, expires] = row;
  return { id, user_id, name, state, created, expires };
}
