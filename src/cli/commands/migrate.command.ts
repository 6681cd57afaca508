import { Command } from 'commander';
import { shownText } from '../../common/shown-text.js';
import { databaseMigrations, migrateDatabase } from '../../database/migrate-database.js';
import { schemaOf } from '../../schema.js';
import { withSettings } from '../with-service.js';

const UP_TO_DATE = 0;
const SOMETHING_PENDING = 1;

/** `migrate`: brings the schema up to date, whatever DATABASE_MIGRATIONS says of starts. */
export function migrateCommand(): Command {
  return new Command('migrate')
    .description('bring the schema of the database up to date')
    .option(
      '--status',
      'only show what is applied and what is pending; exit status 1: pending',
      false,
    )
    .action(({ status }: { readonly status: boolean }) => (status ? showStatus() : migrate()));
}

function migrate(): Promise<void> {
  return withSettings(async ({ database }) => {
    const applied = await migrateDatabase(database, schemaOf());
    for (const name of applied) print(`applied  ${name}`);
    print(
      `The schema is up to date: ${applied.length === 0 ? 'nothing was pending' : `${applied.length} applied`}.`,
    );
    return UP_TO_DATE;
  });
}

function showStatus(): Promise<void> {
  return withSettings(async ({ database }) => {
    const { applied, pending, unknown } = await databaseMigrations(database, schemaOf());
    for (const name of applied) print(`applied  ${name}`);
    for (const name of unknown) print(`unknown  ${name} (applied by another version)`);
    for (const name of pending) print(`pending  ${name}`);
    print(
      pending.length === 0
        ? 'The schema is up to date.'
        : `The schema is not up to date: ${pending.length} pending. Run "npm run cli -- migrate".`,
    );
    return pending.length === 0 ? UP_TO_DATE : SOMETHING_PENDING;
  });
}

function print(line: string): void {
  // A name may be of another version, and is as the database has it.
  process.stdout.write(`${shownText(line)}\n`);
}
