import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { NestFactory } from '@nestjs/core';
import { AppModule } from '../../app.module.js';
import { extensionsIn, type Settings } from '../../config/settings.js';
import {
  partsOf,
  type InstalledExtension,
  type InstalledFeatures,
  type LoadedExtension,
} from '../../feature.js';
import {
  databaseMigrations,
  migrateDatabase,
} from '../../platform/database/migrations/migrate-database.js';
import { ExtensionTableError } from '../../platform/database/extensions/extension-tables.js';
import { StartError } from '../../platform/errors/domain-error.js';
import { isRecord } from '../../platform/values/is-record.js';
import { loadFeatures, loadModule, loadModules, loadPages } from '../installed-features.js';
import { loadEnvironment, loadSettings } from '../load-settings.js';
import { creatingParts } from './creating-parts.js';
import { DeclaredNames } from './declared/declared-names.js';
import {
  ExtensionError,
  failureOf,
  usingExtension,
} from '../../platform/errors/extension-error.js';
import { findExtension, type FoundExtension } from './find-extension.js';
import { loadExtension } from './load-extensions.js';
import { RegisteredParts } from './registered-parts.js';

interface Diagnosis {
  /** Name of the extension, or what EXTENSIONS calls it if it cannot be loaded. */
  readonly extension: string;
  /** One line for each problem. */
  readonly problems: readonly string[];
}

/** Checks each extension that EXTENSIONS names, whatever is wrong with the others. */
export async function diagnose(): Promise<Diagnosis[]> {
  const given = extensionsIn(loadEnvironment());
  if (given.length === 0) return [];
  const modules = await loadModules();
  const check = new Check(await RegisteredParts.of(modules, modules.map(partsOf)));
  const found: Diagnosis[] = [];
  for (const each of given) found.push(await check.of(each));
  const pending = await pendingMigrations(check.sound);
  const results: Diagnosis[] = [];
  for (const { extension, problems } of found) {
    const loaded = check.sound.find(({ declaration }) => declaration.name === extension);
    const own = loaded === undefined ? [] : await problemsOfUse(loaded);
    results.push({ extension, problems: [...problems, ...own, ...(pending.get(extension) ?? [])] });
  }
  return results;
}

class Check {
  /** Extensions that the service can load. */
  readonly sound: LoadedExtension[] = [];
  private readonly names = new DeclaredNames();

  constructor(private readonly registered: RegisteredParts) {}

  async of(given: string): Promise<Diagnosis> {
    let name = given;
    try {
      const found = findExtension(given);
      const loaded = await loadExtension(found);
      ({ name } = loaded.declaration);
      this.names.take(loaded.declaration);
      const extension = await loadModule(loaded);
      await this.registered.take(extension);
      this.sound.push(loaded);
      return { extension: name, problems: await this.problemsOfRows(found, extension) };
    } catch (error) {
      if (!(error instanceof StartError)) throw error;
      return { extension: name, problems: [error.message] };
    }
  }

  /** Compares the operations of an extension with its rows of the access matrix. */
  private async problemsOfRows(found: FoundExtension, extension: InstalledExtension) {
    const { name } = extension.declaration;
    const operations = await this.registered.operations(extension);
    const names = operations.map(({ method, path }) => `${method} ${path}`);
    if (names.length === 0) return [];
    const rows = await rowsOf(found, name);
    const problems = [
      ...names.filter((each) => !rows.includes(each)).map((each) => `no access row for ${each}`),
      ...rows
        .filter((each) => !names.includes(each))
        .map((each) => `an access row for ${each}, which is no operation`),
    ];
    return problems.map((problem) => new ExtensionError(name, problem).message);
  }
}

/** Returns the operations that have a row of the access matrix in the tests of the extension. */
async function rowsOf({ manifest, folder }: FoundExtension, name: string): Promise<string[]> {
  const { vendorReportingApi } = manifest;
  const path = isRecord(vendorReportingApi) ? vendorReportingApi.accessRows : undefined;
  if (typeof path !== 'string') {
    const wanted = '"vendorReportingApi": {"accessRows": "./dist/…"}';
    throw new ExtensionError(name, `its package.json names no access rows, as in ${wanted}`);
  }
  const file = pathToFileURL(join(folder, path)).href;
  const loaded: unknown = await usingExtension(name, `loading ${path}`, () => import(file));
  const rows: unknown = isRecord(loaded) ? loaded.default : undefined;
  if (!Array.isArray(rows)) throw new ExtensionError(name, `${path} exports no list by default`);
  return rows.map((row: unknown) => (isRecord(row) ? String(row.operation) : ''));
}

/** Finds what a start, or the first use of a table, would find. */
async function problemsOfUse(loaded: LoadedExtension): Promise<string[]> {
  const settings = loadSettings([loaded]);
  const features = await loadFeatures([loaded]);
  const problems = [
    await problemOfParts(loaded, features, settings),
    await problemOfTables(features, settings),
  ];
  return problems.filter((problem) => problem !== null);
}

/** Lets Nest look for the services that each part needs, and create none. */
async function problemOfParts(
  loaded: LoadedExtension,
  features: InstalledFeatures,
  settings: Settings,
): Promise<string | null> {
  const create = async () => {
    const module = AppModule.of(settings, features, await loadPages([loaded]));
    return NestFactory.createApplicationContext(module, {
      preview: true,
      logger: false,
      abortOnError: false,
    });
  };
  try {
    await (await creatingParts(features.extensions, create)).close();
    return null;
  } catch (error) {
    const { name } = loaded.declaration;
    return failureOf(name, 'creating its parts', error).message;
  }
}

/**
 * Compares the tables of an extension with what its migrations make of an empty SQLite database.
 * A migration may be for MySQL and MariaDB alone; its failure says nothing there.
 */
async function problemOfTables(
  { schema }: InstalledFeatures,
  { database }: Settings,
): Promise<string | null> {
  const folder = mkdtempSync(join(tmpdir(), 'vendor-reporting-doctor-'));
  try {
    await migrateDatabase({ dialect: 'sqlite', path: join(folder, 'empty.sqlite') }, schema);
    return null;
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    const isCompared = error instanceof ExtensionTableError || database.dialect === 'sqlite';
    return isCompared ? error.message : null;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns a line for each migration that is not applied yet, by extension. */
async function pendingMigrations(
  extensions: readonly LoadedExtension[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const { database } = loadSettings(extensions);
  const features = await loadFeatures(extensions);
  const { pending } = await databaseMigrations(database, features.schema);
  const names = new Set(pending.map(({ name }) => name));
  return new Map(
    features.extensions.map(({ declaration: { name }, parts }) => [
      name,
      parts.migrations
        .filter((migration) => names.has(migration.name))
        .map((migration) => {
          const problem = `the migration ${migration.name} is pending; run "npm run cli -- migrate"`;
          return new ExtensionError(name, problem).message;
        }),
    ]),
  );
}
