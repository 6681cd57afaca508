/**
 * The part of the service that the package `vendor-reporting-api-testing` loads. The build makes
 * dist/testing-host.js from it, which shares its modules with the other entries, so that every
 * class exists once. As a module that Node.js loads first, it records the statements of a command.
 */
import 'reflect-metadata';
import { AsyncLocalStorage } from 'node:async_hooks';
import { appendFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import SqliteConnection from 'better-sqlite3';
import mysql from 'mysql2';
import {
  InstalledFeatures,
  type ExtensionDeclaration,
  type LoadedExtension,
} from '../../src/feature.js';
import type { Environment } from '../../src/config/settings.js';
import { ExtensionSweepCheck } from '../../src/modules/privacy/extension-rows/extension-sweep.job.js';
import { createApp } from '../../src/start/configure-app.js';
import { DeclaredNames } from '../../src/start/extensions/declared/declared-names.js';
import { loadExtensions } from '../../src/start/extensions/load-extensions.js';
import { readSettings } from '../../src/start/load-settings.js';
import type { StartedService } from '../src/host.js';
import { HostedService } from './hosted-service.js';
import { noteStatements } from './note-statements.mjs';
import { listen } from './service-works.js';

/** Functions that receive the SQL of each statement of this process. */
const listeners = new Set<(sql: string) => void>();
/**
 * Tells whose work runs: the jobs of a service, or the checks themselves, whose statements are not
 * recorded. All other work belongs to requests.
 */
const worker = new AsyncLocalStorage<'jobs' | 'checks'>();
/** Stacks are this deep while statements are recorded, so that they show who sends a statement. */
const STACK_DEPTH = 100;

// The drivers keep prepared statements, so they are watched before a service is created.
noteStatements({ sqlite: SqliteConnection.prototype, mysql: mysql.Connection.prototype }, (sql) => {
  for (const listener of listeners) listener(sql);
});
recordCommand(process.env);

/**
 * Appends each statement that the extension sends in this process to a file, as a line of JSON. The
 * package names the file for a command whose statements it checks.
 */
function recordCommand({
  VENDOR_REPORTING_STATEMENTS: file = '',
  EXTENSIONS = '',
}: Environment): void {
  if (file === '') return;
  Error.stackTraceLimit = STACK_DEPTH;
  const files = urlOf(EXTENSIONS);
  listeners.add((sql) => {
    if (isSentBy(files)) appendFileSync(file, `${JSON.stringify(sql)}\n`);
  });
}

interface Options {
  /** Folder of the extension, or its declaration. */
  readonly extension: string | ExtensionDeclaration;
  /** Settings by name. */
  readonly environment: Readonly<Record<string, string>>;
}

/**
 * Starts the service with one extension, as its first process starts it.
 * @throws Error if the service or the extension cannot start
 */
export async function startService({ extension, environment }: Options): Promise<StartedService> {
  const extensions = await loaded(extension);
  const settings = readSettings(environment, extensions);
  // Jobs belong to the background. Requests belong to what listens.
  const app = await worker.run('jobs', () => createApp(settings, extensions));
  // Its statements name the tables of the extension, at any moment.
  await app.get(ExtensionSweepCheck).beforeApplicationShutdown();
  const [installed] = app.get(InstalledFeatures).extensions;
  if (installed === undefined) throw new Error('The extension has no module.');
  const files = typeof extension === 'string' ? urlOf(extension) : null;
  return new HostedService(app, await listen(app), installed, {
    during: (work, isOwn) => statementsDuring(work, files === null ? isOwn : () => isSentBy(files)),
    without: (work) => worker.run('checks', work),
  });
}

function loaded(extension: Options['extension']): Promise<readonly LoadedExtension[]> {
  if (typeof extension === 'string') return loadExtensions({ EXTENSIONS: extension });
  new DeclaredNames().take(extension);
  return Promise.resolve([{ declaration: extension, version: '0.0.0', folder: process.cwd() }]);
}

/**
 * Records the statements of a work. The jobs of the service itself send statements at any moment,
 * which are left out.
 * @param isOwn returns true for a statement of the extension among those of jobs
 */
async function statementsDuring(
  work: () => Promise<unknown>,
  isOwn: (sql: string) => boolean,
): Promise<readonly string[]> {
  const noted = new Set<string>();
  const depth = Error.stackTraceLimit;
  const note = (sql: string) => {
    const by = worker.getStore();
    if (by === undefined || (by === 'jobs' && isOwn(sql))) noted.add(sql);
  };
  Error.stackTraceLimit = STACK_DEPTH;
  listeners.add(note);
  try {
    await work();
  } finally {
    listeners.delete(note);
    Error.stackTraceLimit = depth;
  }
  return [...noted];
}

/** Returns the URL with which those of all modules of an extension begin. */
function urlOf(folder: string): string {
  return pathToFileURL(`${folder}/`).href;
}

/** Returns true if the code that runs was called by a module below this URL. */
function isSentBy(files: string): boolean {
  return (new Error('stack').stack ?? '').includes(files);
}
