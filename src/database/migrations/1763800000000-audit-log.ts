import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createTables } from './create-table.js';

export class AuditLog1763800000000 implements MigrationInterface {
  readonly name = 'AuditLog1763800000000';

  async up(runner: QueryRunner): Promise<void> {
    await createTables(runner, [
      {
        name: 'audit_log',
        columns: {
          id: 'GENERATED',
          created: 'DATETIME NOT NULL',
          user_id: 'BIGINT NOT NULL',
          application_id: 'BIGINT NOT NULL',
          action: 'VARCHAR(255) NOT NULL',
          subject: 'VARCHAR(255) NOT NULL',
          state_before: 'TEXT',
          state_after: 'TEXT NOT NULL',
        },
        primaryKey: [],
      },
    ]);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE audit_log');
  }
}
