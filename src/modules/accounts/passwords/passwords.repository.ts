import { Injectable } from '@nestjs/common';
import { replaceRows } from '../../../database/bulk.js';
import { Database, type Session } from '../../../database/database.js';

const COLUMNS = ['user_id', 'password_hash', 'changed', 'password_id'] as const;

export interface KnownPassword {
  readonly user_id: number;
  readonly password_hash: string;
  readonly password_id: string;
}

/** All SQL on passwords. */
@Injectable()
export class PasswordsRepository {
  constructor(private readonly database: Database) {}

  /** Of every user with this e-mail who has a password: the ledger lets two users have one e-mail. */
  async passwordsOf(sign_in_email: string, most: number): Promise<KnownPassword[]> {
    const rows = await this.database.rows<[number, string, string]>(
      `SELECT u.id, p.password_hash, p.password_id FROM users u JOIN user_passwords p ON p.user_id = u.id
       WHERE u.sign_in_email = ? ORDER BY u.id LIMIT ?`,
      [sign_in_email, most],
    );
    return rows.map(([user_id, password_hash, password_id]) => ({
      ...{ user_id, password_hash, password_id },
    }));
  }

  async passwordHashOf(user_id: number): Promise<string | null> {
    const [row] = await this.database.rows<[string]>(
      'SELECT password_hash FROM user_passwords WHERE user_id = ?',
      [user_id],
    );
    return row?.[0] ?? null;
  }

  async savePassword(
    session: Session,
    { user_id, password_hash, password_id }: KnownPassword,
    changed: string,
  ): Promise<void> {
    const row = [user_id, password_hash, changed, password_id];
    await replaceRows(session, 'user_passwords', COLUMNS, [row], ['user_id']);
  }

  /** Ends what counts under the id that the password had. */
  async changeId(session: Session, user_id: number, password_id: string): Promise<void> {
    await session.run('UPDATE user_passwords SET password_id = ? WHERE user_id = ?', [
      ...[password_id, user_id],
    ]);
  }
}
