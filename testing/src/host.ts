import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { findService } from './find-service.js';
import type { Access } from './ledger/access-row.js';

/** The parts of a declaration that the checks read. The service reads all of it. */
export interface Declaration {
  readonly name: string;
  readonly versions?: readonly number[];
}

export interface StartOptions {
  /** Folder of the extension, with its package.json, or its declaration. */
  readonly extension: string | Declaration;
  /** Settings by name. */
  readonly environment: Readonly<Record<string, string>>;
}

/** A column value, as the database returns it. */
export type Value = string | number | bigint | Uint8Array | null;
export type StoredRow = Readonly<Record<string, Value>>;

/** An extension that a service has loaded. */
export interface LoadedExtension {
  readonly name: string;
  readonly versions: readonly number[];
  /** Names of its tables. */
  readonly tables: readonly string[];
  /** Its declared columns with personal data, by table. */
  readonly personal: Readonly<Record<string, readonly string[]>>;
}

/** A class whose instance the service provides. */
export type Provided<T> = abstract new (...args: never[]) => T;

/** The service in this process. */
export interface StartedService {
  readonly port: number;
  readonly extension: LoadedExtension;
  /** Tables of the ledger whose rows belong to a vendor, by their column `vendor_id`. */
  readonly ledgerTables: readonly string[];
  /** Returns the instance of a class of the service or of the extension. */
  get<T>(type: Provided<T>): T;
  /** @throws Error with every rejected record */
  importRecords(records: readonly object[]): Promise<unknown>;
  createKey(user_id: number, access: Access): Promise<string>;
  setPassword(user_id: number, password: string): Promise<unknown>;
  erase(email: string): Promise<unknown>;
  /** Returns all stored rows by table. */
  storedRows(): Promise<Readonly<Record<string, readonly StoredRow[]>>>;
  /**
   * Returns the SQL of each statement that this process sends to the database during `work`, except
   * those of the jobs of the service itself.
   */
  statementsDuring(work: () => Promise<unknown>): Promise<readonly string[]>;
  /** Waits until the listeners of the extension have received all changes. */
  settled(): Promise<void>;
  stop(): Promise<void>;
}

/** The only module of the service that this package loads: `dist/testing-host.js`. */
export interface Host {
  startService(options: StartOptions): Promise<StartedService>;
}

/**
 * Loads the host of the service that findService finds.
 * @throws Error if there is none
 */
export async function loadHost(): Promise<Host> {
  const file = join(findService(), 'dist', 'testing-host.js');
  const loaded: unknown = await import(pathToFileURL(file).href);
  if (isHost(loaded)) return loaded;
  throw new Error(`${file} is of another version of the service: build it again.`);
}

function isHost(loaded: unknown): loaded is Host {
  return typeof loaded === 'object' && loaded !== null && 'startService' in loaded;
}
