import type { MigrationInterface, QueryRunner } from 'typeorm';

const INDEX = 'daily_clicks_by_product_affiliate';

/** Adds the index from which queries read the next affiliates with clicks on a product. */
export class ClicksOfAffiliates1771330000000 implements MigrationInterface {
  readonly name = 'ClicksOfAffiliates1771330000000';

  async up(runner: QueryRunner): Promise<void> {
    // MySQL cannot roll back DDL, so an interrupted run may have added the index.
    const table = await runner.getTable('daily_clicks');
    if (table?.indices.some(({ name }) => name === INDEX) === true) return;
    await runner.query(`CREATE INDEX ${INDEX} ON daily_clicks (product_id, affiliate_id)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropIndex('daily_clicks', INDEX);
  }
}
