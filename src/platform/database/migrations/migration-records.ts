import type { DataSource, QueryRunner } from 'typeorm';
import type { Migration, Schema } from '../data-source.js';
import { createTables } from './create-table.js';

/** The migrations before the baseline, in their order. */
export const FORMER_NAMES: readonly string[] = [
  'Ledger1763700000000',
  'AuditLog1763800000000',
  'RecurringCancels1763900000000',
  'AffiliateSales1764000000000',
  'LongestRefundDays1764100000000',
  'KeyLife1764200000000',
  'ReportSums1764300000000',
  'SignIn1764400000000',
  'BuyersProcessorEmail1764500000000',
  'OverruledFields1764600000000',
  'CancelRetries1764700000000',
  'PasswordIds1764800000000',
  'KeysShown1764900000000',
  'RenderedTransactions1765000000000',
  'ApplicationAccess1765100000000',
  'RecordVersions1765200000000',
  'ArrivalOfEachVendor1765300000000',
  'UsersOfSources1765400000000',
  'Changes1765500000000',
  'Webhooks1765600000000',
  'Upstreams1765700000000',
  'PaymentsOfAgreements1765800000000',
  'CustomersIndex1765900000000',
  'RefundCohorts1766000000000',
  'UnpaidCommissions1766100000000',
  'RecurringLists1766150000000',
  'TrackingSums1766200000000',
  'TrackingYears1766250000000',
  'ErasedPeople1766300000000',
  'Retention1766350000000',
  'PersonalReads1766400000000',
  'PasswordLinks1766500000000',
  'TwoFactor1766600000000',
  'SparseIndexes1766700000000',
  'InternationalEmails1766790000000',
  'PartialRefunds1766800000000',
  'NotifiedSales1766860000000',
  'PaymentRounds1766870000000',
  'UpstreamProblems1766880000000',
  'RecurringTexts1766900000000',
  'UsersOfVendors1766950000000',
  'AffiliatesOfVendors1767000000000',
  'ProvisionalRecords1767200000000',
  'ErasureFiles1767300000000',
  'FoldedEmails1767400000000',
  'FailingDeliveries1767500000000',
];

export interface KnownMigration {
  readonly name: string;
  readonly create: Migration;
  /** The table that records it. Extensions cannot use up a name of the service. */
  readonly table: 'migrations' | 'extension_migrations';
}

/** Lists migrations in their order. */
export interface Migrations {
  readonly applied: readonly KnownMigration[];
  readonly pending: readonly KnownMigration[];
  /** Names of migrations applied by a newer version, or of an extension that has been removed. */
  readonly unknown: readonly string[];
  /** Names of all applied migrations that are recorded as those of extensions. */
  readonly ofExtensions: readonly string[];
}

/** Returns the word with which migrations of an extension begin: `GiftCards` for `gift-cards`. */
export function migrationPrefixOf(extension: string): string {
  return extension.replaceAll(/(?:^|-)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

/** Returns the extension whose migrations have such names, or null if there is none. */
export function extensionOf(migration: string, extensions: readonly string[]): string | null {
  const own = extensions.filter((name) => migration.startsWith(migrationPrefixOf(name)));
  return own.sort((one, other) => other.length - one.length)[0] ?? null;
}

/** Returns all migrations of this version in the order in which they run. */
export function knownMigrations({ migrations, extensionMigrations }: Schema): KnownMigration[] {
  return [
    ...migrations.map((create) => known(create, 'migrations')),
    ...extensionMigrations.map((create) => known(create, 'extension_migrations')),
  ];
}

function known(create: Migration, table: KnownMigration['table']): KnownMigration {
  return { name: create.name, create, table };
}

/** Reads which migrations have been applied, without creating the tables that record them. */
export async function migrationsOf(dataSource: DataSource, schema: Schema): Promise<Migrations> {
  const runner = dataSource.createQueryRunner();
  try {
    const ofService = await recordedNames(runner, 'migrations');
    const ofExtensions = await recordedNames(runner, 'extension_migrations');
    const all = knownMigrations(schema);
    const own = all.filter(({ table }) => table === 'migrations').map(({ name }) => name);
    // Before the baseline, migrations of extensions were recorded with those of the service.
    const others = ofService.filter((name) => ![...FORMER_NAMES, ...own].includes(name));
    const isApplied = ({ name, table }: KnownMigration) =>
      table === 'migrations'
        ? ofService.includes(name)
        : ofExtensions.includes(name) || others.includes(name);
    const names = all.map(({ name }) => name);
    return {
      applied: all.filter(isApplied),
      pending: all.filter((migration) => !isApplied(migration)),
      unknown: [...others, ...ofExtensions].filter((name) => !names.includes(name)),
      ofExtensions,
    };
  } finally {
    await runner.release();
  }
}

/** Returns the names that a table records, in the order in which they were applied. */
export async function recordedNames(
  runner: QueryRunner,
  table: KnownMigration['table'],
): Promise<string[]> {
  if (!(await runner.hasTable(table))) return [];
  const rows = await runner.dataSource.query<{ readonly name: string }[]>(
    `SELECT name FROM ${table} ORDER BY id`,
    [],
    runner,
  );
  return rows.map(({ name }) => name);
}

/** Applies a migration and records it, in one transaction where the database can roll back DDL. */
export async function applyMigration(
  dataSource: DataSource,
  { name, create, table }: KnownMigration,
): Promise<void> {
  const runner = dataSource.createQueryRunner();
  try {
    await runner.beforeMigration();
    await runner.startTransaction();
    await new create().up(runner);
    await createTables(runner, [
      {
        name: table,
        columns: { id: 'GENERATED', timestamp: 'BIGINT NOT NULL', name: 'VARCHAR(255) NOT NULL' },
        primaryKey: [],
      },
    ]);
    await runner.query(`INSERT INTO ${table} (timestamp, name) VALUES (?, ?)`, [
      Number(name.slice(-13)),
      name,
    ]);
    await runner.commitTransaction();
    await runner.afterMigration();
  } catch (error) {
    // The first error says more than that of the rollback, which fails if the connection is lost.
    await runner.rollbackTransaction().catch(() => undefined);
    throw error;
  } finally {
    await runner.release();
  }
}
