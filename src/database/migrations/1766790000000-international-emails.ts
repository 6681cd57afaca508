import type { MigrationInterface, QueryRunner } from 'typeorm';
import { comparableEmail } from '../../common/email.js';
import { isSqlite } from './create-table.js';

interface StoredEmail {
  readonly id: number;
  readonly sign_in_email: string;
}

/** Lets users with an international domain sign in with either form of their e-mail. */
export class InternationalEmails1766790000000 implements MigrationInterface {
  readonly name = 'InternationalEmails1766790000000';

  async up(runner: QueryRunner): Promise<void> {
    const isNotAscii = isSqlite(runner)
      ? "sign_in_email GLOB '*[^ -~]*'"
      : "sign_in_email REGEXP '[^ -~]'";
    const rows = (await runner.query(
      `SELECT id, sign_in_email FROM users WHERE sign_in_email LIKE '%xn--%' OR ${isNotAscii}`,
    )) as StoredEmail[];
    for (const { id, sign_in_email } of rows) {
      const values = [comparableEmail(sign_in_email), id];
      await runner.query('UPDATE users SET sign_in_email = ? WHERE id = ?', values);
    }
  }

  /** Changes nothing: a user of the previous version could also have an e-mail in the new form. */
  down(): Promise<void> {
    return Promise.resolve();
  }
}
