import type { MigrationInterface, QueryRunner } from 'typeorm';

const INDEXES = {
  audit_log_by_account: 'account_id, created, id, action',
  audit_log_by_subject: 'account_id, subject, created, id',
} as const;

/** Conditions on old entries of operators, and the text in the subject before the account. */
const OF_OPERATORS = [
  ["subject LIKE '% of user %' AND action NOT LIKE '%.rewrap'", ' of user '],
  ["subject LIKE 'user %' AND action NOT LIKE '%.rewrap'", 'user '],
  ["subject LIKE 'person at user %'", 'person at user '],
  ["subject LIKE 'vendor %' AND action LIKE 'retention.%'", 'vendor '],
] as const;

/** Adds the accounts whose activity shows the entries of the audit log. */
export class ActivityOfAccounts1771340000000 implements MigrationInterface {
  readonly name = 'ActivityOfAccounts1771340000000';

  async up(runner: QueryRunner): Promise<void> {
    // MySQL cannot roll back DDL, so an interrupted run may have added the column and an index.
    if (!(await runner.hasColumn('audit_log', 'account_id'))) {
      await runner.query('ALTER TABLE audit_log ADD COLUMN account_id BIGINT NOT NULL DEFAULT 0');
    }
    await runner.query('UPDATE audit_log SET account_id = user_id WHERE user_id > 0');
    for (const [condition, before] of OF_OPERATORS) {
      // The subject ends with the id, which both databases convert to a number.
      await runner.query(
        `UPDATE audit_log SET account_id = SUBSTR(subject, INSTR(subject, '${before}') + ${before.length}) + 0
          WHERE user_id = 0 AND ${condition}`,
      );
    }
    const table = await runner.getTable('audit_log');
    const existing = new Set(table?.indices.map(({ name }) => name));
    for (const [index, columns] of Object.entries(INDEXES)) {
      if (existing.has(index)) continue;
      await runner.query(`CREATE INDEX ${index} ON audit_log (${columns})`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const index of Object.keys(INDEXES)) await runner.dropIndex('audit_log', index);
    await runner.query('ALTER TABLE audit_log DROP COLUMN account_id');
  }
}
