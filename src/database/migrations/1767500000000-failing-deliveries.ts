import type { MigrationInterface, QueryRunner } from 'typeorm';
import { addColumns, dropColumns, type NewColumn } from './create-table.js';

/**
 * Instances of the previous version do not know the columns: they send at most the default,
 * endpoints that they create have the default, and deliveries that they write end at no known
 * cursor.
 */
const COLUMNS: readonly NewColumn[] = [
  ['webhook_endpoints', 'max_bytes', 'BIGINT NOT NULL DEFAULT 92160'],
  ['webhook_deliveries', 'position', 'BIGINT NULL'],
  ['webhook_deliveries', 'skipped', 'DATETIME NULL'],
];

/** Limits the size of an endpoint's deliveries, and lets endpoints skip deliveries that fail. */
export class FailingDeliveries1767500000000 implements MigrationInterface {
  readonly name = 'FailingDeliveries1767500000000';

  async up(runner: QueryRunner): Promise<void> {
    await addColumns(runner, COLUMNS);
  }

  async down(runner: QueryRunner): Promise<void> {
    await dropColumns(runner, COLUMNS);
  }
}
