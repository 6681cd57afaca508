import type { MigrationInterface, QueryRunner } from 'typeorm';
import { FLAG } from './create-table.js';

/** Lets applications allow changes over MCP. */
export class McpWrites1771300000000 implements MigrationInterface {
  readonly name = 'McpWrites1771300000000';

  async up(runner: QueryRunner): Promise<void> {
    // MySQL cannot roll back DDL, so an interrupted run may have added the column.
    if (await runner.hasColumn('api_applications', 'mcp_writes')) return;
    await runner.query(`ALTER TABLE api_applications ADD COLUMN mcp_writes ${FLAG} DEFAULT 0`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE api_applications DROP COLUMN mcp_writes');
  }
}
