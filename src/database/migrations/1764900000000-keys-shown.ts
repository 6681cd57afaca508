import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLE = 'api_applications';

/** When the key of an application was last shown, so that many looks at once are one in the audit log. */
export class KeysShown1764900000000 implements MigrationInterface {
  readonly name = 'KeysShown1764900000000';

  async up(runner: QueryRunner): Promise<void> {
    if (await runner.hasColumn(TABLE, 'last_shown')) return;
    await runner.query(`ALTER TABLE ${TABLE} ADD COLUMN last_shown DATETIME NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE ${TABLE} DROP COLUMN last_shown`);
  }
}
