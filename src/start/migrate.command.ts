import { Command } from 'commander';
import {
  databaseMigrations,
  migrateDatabase,
} from '../platform/database/migrations/migrate-database.js';
import { loadFeatures } from './installed-features.js';
import { shownText } from '../platform/values/shown-text.js';
import { printLine } from '../platform/commands/output.js';
import { withSettings } from './run-with-service.js';

const UP_TO_DATE = 0;
const SOMETHING_PENDING = 1;

/** Builds `migrate`, which brings the schema up to date, even with DATABASE_MIGRATIONS=off. */
export function migrateCommand(): Command {
  return new Command('migrate')
    .description('update the schema of the database')
    .option(
      '--status',
      'only show what is applied and what is pending; exit status 1: pending',
      false,
    )
    .action(({ status }: { readonly status: boolean }) => (status ? showStatus() : migrate()));
}

function migrate(): Promise<void> {
  return withSettings(async ({ database }, extensions) => {
    const applied = await migrateDatabase(database, (await loadFeatures(extensions)).schema);
    for (const name of applied) printLine(`applied  ${name}`);
    printLine(
      `The schema is up to date: ${applied.length === 0 ? 'nothing was pending' : `${applied.length} applied`}.`,
    );
    return UP_TO_DATE;
  });
}

/** Describes an applied migration that neither this version nor an installed extension has. */
function unknownLine(name: string, extension: string | null, installed: readonly string[]) {
  if (extension === null) return `unknown  ${name} (applied by another version)`;
  if (installed.includes(extension)) {
    return `applied  ${name} (by another version of the extension ${extension})`;
  }
  const owner = extension === '' ? 'an extension' : `the extension ${extension}`;
  return `unknown  ${name} (of ${owner}, which is not installed)`;
}

function showStatus(): Promise<void> {
  return withSettings(async ({ database }, extensions) => {
    const { schema } = await loadFeatures(extensions);
    const { applied, pending, unknown, staying } = await databaseMigrations(database, schema);
    for (const { name } of applied) printLine(`applied  ${name}`);
    const installed = schema.extensions.map(({ name }) => name);
    for (const { name, extension } of unknown) {
      printLine(shownText(unknownLine(name, extension, installed)));
    }
    for (const { name } of pending) printLine(`pending  ${name}`);
    for (const { table_name, extension } of staying) {
      const text = `stays    ${table_name} (of the extension ${extension}, which is not installed)`;
      printLine(shownText(text));
    }
    printLine(
      pending.length === 0
        ? 'The schema is up to date.'
        : `The schema is not up to date: ${pending.length} pending. Run "npm run cli -- migrate".`,
    );
    return pending.length === 0 ? UP_TO_DATE : SOMETHING_PENDING;
  });
}
