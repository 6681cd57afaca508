import type { MigrationInterface, QueryRunner } from 'typeorm';

const COLUMNS = {
  walk_from: 'BIGINT',
  kinds: 'TEXT',
  reasons: 'TEXT',
  product_ids: 'TEXT',
} as const;

/** Adds the filters of webhook endpoints, and the positions from which they get reasons. */
export class WebhookFilters1771100000000 implements MigrationInterface {
  readonly name = 'WebhookFilters1771100000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const [column, type] of Object.entries(COLUMNS)) {
      // MySQL cannot roll back DDL, so an interrupted run may have added the column.
      if (await runner.hasColumn('webhook_endpoints', column)) continue;
      await runner.query(`ALTER TABLE webhook_endpoints ADD COLUMN ${column} ${type}`);
    }
    await runner.query('UPDATE webhook_endpoints SET walk_from = position WHERE walk_from IS NULL');
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const column of Object.keys(COLUMNS)) {
      await runner.query(`ALTER TABLE webhook_endpoints DROP COLUMN ${column}`);
    }
  }
}
