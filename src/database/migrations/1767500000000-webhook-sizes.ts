import type { MigrationInterface, QueryRunner } from 'typeorm';
import { addColumns, dropColumns, type NewColumn } from './create-table.js';

/**
 * An instance of the version before does not know the column: it sends at most the default, and endpoints that it
 * creates have the default.
 */
const COLUMNS: readonly NewColumn[] = [
  ['webhook_endpoints', 'max_bytes', 'BIGINT NOT NULL DEFAULT 92160'],
];

/** Bounds the size of an endpoint's deliveries. */
export class WebhookSizes1767500000000 implements MigrationInterface {
  readonly name = 'WebhookSizes1767500000000';

  async up(runner: QueryRunner): Promise<void> {
    await addColumns(runner, COLUMNS);
  }

  async down(runner: QueryRunner): Promise<void> {
    await dropColumns(runner, COLUMNS);
  }
}
