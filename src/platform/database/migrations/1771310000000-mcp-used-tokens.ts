import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createTables, DATE_TIME, INTEGER } from './create-table.js';

/** Creates the table with the used confirmation tokens of MCP. */
export class McpUsedTokens1771310000000 implements MigrationInterface {
  readonly name = 'McpUsedTokens1771310000000';

  async up(runner: QueryRunner): Promise<void> {
    await createTables(runner, [
      {
        name: 'mcp_used_tokens',
        columns: { token_id: 'VARCHAR(32) NOT NULL', user_id: INTEGER, expires: DATE_TIME },
        primaryKey: ['token_id'],
        indexes: {
          mcp_used_tokens_by_user: ['user_id', 'expires'],
          mcp_used_tokens_by_expires: ['expires'],
        },
      },
    ]);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE mcp_used_tokens');
  }
}
