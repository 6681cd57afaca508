import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the positions from which listeners get reasons. Null is the position itself. */
export class ListenerWalks1771320000000 implements MigrationInterface {
  readonly name = 'ListenerWalks1771320000000';

  async up(runner: QueryRunner): Promise<void> {
    // MySQL cannot roll back DDL, so an interrupted run may have added the column.
    if (await runner.hasColumn('change_cursors', 'walk_from')) return;
    await runner.query('ALTER TABLE change_cursors ADD COLUMN walk_from BIGINT');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE change_cursors DROP COLUMN walk_from');
  }
}
