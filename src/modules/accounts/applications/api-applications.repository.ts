import { Injectable } from '@nestjs/common';
import { generatedIds } from '../../../database/bulk.js';
import { Database, type Reader, type Session } from '../../../database/database.js';
import { OPERATOR } from '../../audit/audit.model.js';
import type { ApiApplication, ListedApplication, StoredKey, UserStatus } from '../account.model.js';

/** What its owner or the operator may change of an application, and what a revocation changes. */
export type ApplicationChange = Partial<
  Pick<ApiApplication, 'name' | 'state' | 'expires' | 'address_allow_list' | 'limits'>
>;

/** A key with all that decides about a request. */
export interface KeyRow {
  readonly key_hash: string;
  readonly user_id: number;
  readonly application_id: number;
  readonly user_status: UserStatus;
  /** When the key ends, and when its application does: moments in UTC, or null. */
  readonly ends: readonly (string | null)[];
  readonly address_allow_list: string | null;
  readonly limits: string | null;
}

const COLUMNS =
  'a.id, a.user_id, a.name, a.state, a.created, a.expires, a.address_allow_list, a.limits';

interface FoundKey extends Omit<KeyRow, 'ends'> {
  readonly key_expires: string | null;
  readonly application_expires: string | null;
}

interface FoundApplication extends ApiApplication {
  readonly last_used: string | null;
  readonly last_end: string | null;
}

/** All SQL on API applications and their keys. */
@Injectable()
export class ApiApplicationsRepository {
  constructor(private readonly database: Database) {}

  /** Finds a key by its hash, active at a moment: it has not expired, nor has its application. */
  async activeKey(key_hash: string, now: string): Promise<KeyRow | null> {
    const [row] = await this.database.select<FoundKey>(
      `SELECT k.key_hash, a.user_id, a.id AS application_id, u.status AS user_status,
         k.expires AS key_expires, a.expires AS application_expires, a.address_allow_list, a.limits
       FROM api_keys k JOIN api_applications a ON a.id = k.application_id JOIN users u ON u.id = a.user_id
       WHERE k.key_hash = ? AND a.state = 'active'
         AND (k.expires IS NULL OR k.expires > ?) AND (a.expires IS NULL OR a.expires > ?)`,
      [key_hash, now, now],
    );
    if (row === undefined) return null;
    const { key_expires, application_expires, ...key } = row;
    return { ...key, ends: [key_expires, application_expires] };
  }

  /** Notes that a key was used, unless that was noted after `before`, by whomever. */
  async noteUse(key_hash: string, now: string, before: string): Promise<void> {
    await this.database.write((session) =>
      session.run(
        'UPDATE api_keys SET last_used = ? WHERE key_hash = ? AND (last_used IS NULL OR last_used < ?)',
        [now, key_hash, before],
      ),
    );
  }

  /** @returns the id that the database gave */
  async insertApplication(
    session: Session,
    application: Omit<ApiApplication, 'id'>,
    key: StoredKey,
  ): Promise<number> {
    const { user_id, name, state, created, expires, address_allow_list, limits } = application;
    await session.run(
      `INSERT INTO api_applications
         (user_id, name, state, created, expires, address_allow_list, limits)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
      [user_id, name, state, created, expires, address_allow_list, limits],
    );
    const [id] = await generatedIds(session, 1);
    if (id === undefined) throw new Error('the database gave no number');
    await this.insertKey(session, id, key, created);
    return id;
  }

  async countActive(session: Session, user_id: number): Promise<number> {
    const [row] = await session.select<{ readonly count: number }>(
      "SELECT COUNT(*) AS count FROM api_applications WHERE user_id = ? AND state = 'active'",
      [user_id],
    );
    return row?.count ?? 0;
  }

  /** @returns false where the key was shown after `unlessAfter` already */
  async noteShown(
    session: Session,
    id: number,
    now: string,
    unlessAfter: string,
  ): Promise<boolean> {
    const sql =
      'UPDATE api_applications SET last_shown = ? WHERE id = ? AND (last_shown IS NULL OR last_shown < ?)';
    return (await session.run(sql, [now, id, unlessAfter])) > 0;
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

  /**
   * @param by OPERATOR for those of all users
   * @param now an old key works that ends after this moment
   * @param id of the only one that is asked for
   */
  async applications(by: number, now: string, id?: number): Promise<ListedApplication[]> {
    const { condition, values } = visibleTo(by);
    const [isThis, these] = id === undefined ? ['', values] : ['AND a.id = ?', [...values, id]];
    const rows = await this.database.select<FoundApplication>(
      `SELECT ${COLUMNS},
         (SELECT MAX(k.last_used) FROM api_keys k WHERE k.application_id = a.id) AS last_used,
         (SELECT MAX(k.expires) FROM api_keys k WHERE k.application_id = a.id) AS last_end
       FROM api_applications a WHERE ${condition} ${isThis} ORDER BY a.id`,
      these,
    );
    return rows.map(({ last_end, ...application }) => ({
      ...application,
      old_key_ends: endOfOldKeys(application, last_end, now),
    }));
  }

  /** Reads an application and keeps it locked until the session's end. */
  async lockedApplication(
    session: Session,
    id: number,
    by: number,
  ): Promise<ApiApplication | null> {
    const { condition, values } = visibleTo(by);
    const [application] = await session.select<ApiApplication>(
      `SELECT ${COLUMNS} FROM api_applications a
       WHERE a.id = ? AND ${condition} ${session.dialect.forUpdate}`,
      [id, ...values],
    );
    return application ?? null;
  }

  async change(session: Session, id: number, change: ApplicationChange): Promise<void> {
    const columns = Object.keys(change).map((column) => `${column} = ?`);
    await session.run(`UPDATE api_applications SET ${columns.join(', ')} WHERE id = ?`, [
      ...Object.values(change),
      id,
    ]);
  }

  /** Makes every key of the application end at a moment, those that end sooner excepted. */
  async endKeys(session: Session, application_id: number, at: string): Promise<void> {
    await session.run(
      'UPDATE api_keys SET expires = ? WHERE application_id = ? AND (expires IS NULL OR expires > ?)',
      [at, application_id, at],
    );
  }

  /** When the last of the application's old keys ends; null where none works at the moment `now`. */
  async oldKeyEnds(
    session: Session,
    application: ApiApplication,
    now: string,
  ): Promise<string | null> {
    const [row] = await session.select<{ readonly last_end: string | null }>(
      'SELECT MAX(expires) AS last_end FROM api_keys WHERE application_id = ?',
      [application.id],
    );
    return endOfOldKeys(application, row?.last_end ?? null, now);
  }

  /** Ends the keys that a rotation has given a later end. */
  async endOldKeys(session: Session, application_id: number, at: string): Promise<void> {
    await session.run('UPDATE api_keys SET expires = ? WHERE application_id = ? AND expires > ?', [
      ...[at, application_id, at],
    ]);
  }

  /** The present key of an application: the one that no rotation has given an end. */
  async presentKey(reader: Reader, application_id: number): Promise<StoredKey | null> {
    const [key] = await reader.select<StoredKey>(
      'SELECT key_hash, encrypted_key FROM api_keys WHERE application_id = ? AND expires IS NULL',
      [application_id],
    );
    return key ?? null;
  }
}

/** A user sees the user's own applications, the operator all. */
function visibleTo(by: number): { readonly condition: string; readonly values: number[] } {
  return by === OPERATOR
    ? { condition: '1 = 1', values: [] }
    : { condition: 'a.user_id = ?', values: [by] };
}

/** Old keys end with their application at the latest. @param last the latest end of an old key */
function endOfOldKeys(
  { state, expires }: ApiApplication,
  last: string | null,
  now: string,
): string | null {
  if (last === null || state === 'revoked') return null;
  const end = expires !== null && expires < last ? expires : last;
  return end > now ? end : null;
}
