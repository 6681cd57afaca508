import {
  createTables,
  dateTime,
  entityOf,
  key,
  longText,
  text,
  wholeNumber,
  type EntityRow,
  type MigrationInterface,
  type QueryRunner,
} from 'vendor-reporting-api/extension';

/** Each row is the text of a vendor on a sale. */
export const SampleNameEntity = entityOf({
  name: 'SampleName',
  tableName: 'sample_name',
  columns: {
    vendor_id: key(wholeNumber()),
    transaction_id: key(text(64)),
    text: longText(),
    /** Time of the last change, in UTC. */
    saved: dateTime(),
  },
});
export type SampleName = EntityRow<typeof SampleNameEntity>;

/** The number at the end of the name is the time of writing, in milliseconds since 1970. */
export class SampleName1700000000000 implements MigrationInterface {
  readonly name = 'SampleName1700000000000';

  async up(runner: QueryRunner): Promise<void> {
    await createTables(runner, [
      {
        name: 'sample_name',
        columns: {
          vendor_id: 'BIGINT NOT NULL',
          transaction_id: 'VARCHAR(64) NOT NULL',
          text: 'TEXT NOT NULL',
          saved: 'DATETIME NOT NULL',
        },
        primaryKey: ['vendor_id', 'transaction_id'],
        indexes: { sample_name_by_time: ['vendor_id', 'saved'] },
      },
    ]);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE sample_name');
  }
}

/** Migrations in their order. A released migration is never changed; add another one. */
export const MIGRATIONS = [SampleName1700000000000];
