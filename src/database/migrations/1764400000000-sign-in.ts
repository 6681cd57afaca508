import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createTables, isSqlite } from './create-table.js';

/** Adds passwords and sessions of the account pages, and the normalised e-mail for sign-in. */
export class SignIn1764400000000 implements MigrationInterface {
  readonly name = 'SignIn1764400000000';

  async up(runner: QueryRunner): Promise<void> {
    await createTables(runner, [
      {
        name: 'user_passwords',
        columns: {
          user_id: 'BIGINT NOT NULL',
          password_hash: 'VARCHAR(255) NOT NULL',
          changed: 'DATETIME NOT NULL',
        },
        primaryKey: ['user_id'],
      },
      {
        name: 'sessions',
        columns: {
          session_hash: 'VARCHAR(64) NOT NULL',
          user_id: 'BIGINT NOT NULL',
          data: 'TEXT NOT NULL',
          created: 'DATETIME NOT NULL',
          expires: 'DATETIME NOT NULL',
        },
        primaryKey: ['session_hash'],
        indexes: [
          { name: 'sessions_by_user', columns: ['user_id'] },
          { name: 'sessions_by_expires', columns: ['expires'] },
        ],
      },
    ]);
    if (!(await runner.hasColumn('users', 'sign_in_email'))) await addSignInEmail(runner);
    await fillSignInEmails(runner);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      isSqlite(runner)
        ? 'DROP INDEX users_by_sign_in_email'
        : 'DROP INDEX users_by_sign_in_email ON users',
    );
    await runner.query('ALTER TABLE users DROP COLUMN sign_in_email');
    await runner.query('DROP TABLE sessions');
    await runner.query('DROP TABLE user_passwords');
  }
}

/**
 * Adds the column and its index in one statement on MySQL, where DDL commits implicitly: an
 * interruption leaves both or neither.
 */
async function addSignInEmail(runner: QueryRunner): Promise<void> {
  const column = "ADD COLUMN sign_in_email VARCHAR(255) NOT NULL DEFAULT ''";
  const index = 'INDEX users_by_sign_in_email';
  if (isSqlite(runner)) {
    await runner.query(`ALTER TABLE users ${column}`);
    await runner.query(`CREATE ${index} ON users (sign_in_email)`);
  } else {
    await runner.query(`ALTER TABLE users ${column}, ADD ${index} (sign_in_email)`);
  }
}

/** Computes the e-mails outside SQL, since LOWER() of SQLite only converts ASCII. */
async function fillSignInEmails(runner: QueryRunner): Promise<void> {
  await runner.query('UPDATE users SET sign_in_email = email');
  const rows = (await runner.query('SELECT id, email FROM users')) as {
    id: number;
    email: string;
  }[];
  for (const { id, email } of rows) {
    const lower = email.trim().toLowerCase();
    if (lower === email) continue;
    await runner.query('UPDATE users SET sign_in_email = ? WHERE id = ?', [lower, id]);
  }
}
