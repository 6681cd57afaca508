import { Injectable } from '@nestjs/common';
import { replaceRows } from '../../database/bulk.js';
import { Database, type Session } from '../../database/database.js';

const COLUMNS = ['user_id', 'password_hash', 'changed'] as const;

/** All SQL on passwords. */
@Injectable()
export class PasswordsRepository {
  constructor(private readonly database: Database) {}

  /** Of every user with this e-mail who has a password: the ledger lets two users have one e-mail. */
  async passwordsOf(sign_in_email: string, most: number): Promise<[number, string][]> {
    return this.database.rows<[number, string]>(
      `SELECT u.id, p.password_hash FROM users u JOIN user_passwords p ON p.user_id = u.id
       WHERE u.sign_in_email = ? ORDER BY u.id LIMIT ?`,
      [sign_in_email, most],
    );
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
    user_id: number,
    password_hash: string,
    changed: string,
  ): Promise<void> {
    const row = [user_id, password_hash, changed];
    await replaceRows(session, 'user_passwords', COLUMNS, [row], ['user_id']);
  }
}
