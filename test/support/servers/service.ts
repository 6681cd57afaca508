import 'reflect-metadata';
import { join } from 'node:path';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Environment } from '../../../src/config/settings.js';
import { readSettings } from '../../../src/start/load-settings.js';
import { createApp } from '../../../src/start/configure-app.js';
import type { LoadedExtension } from '../../../src/feature.js';
import type { UserAccess } from '../../../src/api/access/principal.js';
import { SignInService } from '../../../src/modules/accounts/sessions/sign-in.service.js';
import type { ImportSummary } from '../../../src/modules/records-in/import.service.js';
import {
  createKey,
  createSourceKey,
  importRecords,
  listen,
} from '../../../testing/host/service-works.js';
import { ServiceClient } from '../../../testing/src/service/client.js';
import { createTestDatabase, type TestDatabase } from '../sql/test-database.js';

export const TEST_SECRET = 'a secret of the tests, long enough for a check';

/** On a busy machine a statement may take longer than the default limit of one second. */
export const PATIENT = { DATABASE_STATEMENT_MS: '20000' };

/** The service as `main` starts it, with a port and a database of its own. */
export class TestService extends ServiceClient {
  private constructor(
    readonly app: NestExpressApplication,
    readonly database: TestDatabase,
    readonly port: number,
  ) {
    super();
  }

  /**
   * @param environment settings in addition to those that every test has
   * @param extensions modules in addition to the service's own
   */
  static async start(
    environment: Environment = {},
    extensions?: readonly LoadedExtension[],
  ): Promise<TestService> {
    return TestService.on(await createTestDatabase(), { ...PATIENT, ...environment }, extensions);
  }

  /** Starts the service on an existing database. */
  static async on(
    database: TestDatabase,
    environment: Environment,
    extensions?: readonly LoadedExtension[],
  ): Promise<TestService> {
    const settings = readSettings({
      NODE_ENV: 'test',
      DATABASE_URL: database.url,
      ERASURES_FILE: join(database.folder, 'erasures.ndjson'),
      KEY_ENCRYPTION_SECRET: TEST_SECRET,
      LOG_LEVEL: 'error',
      THROTTLE_LIMITS: 'off',
      ...environment,
    });
    const app = await createApp(settings, extensions);
    return new TestService(app, database, await listen(app));
  }

  /** Starts another instance on the same database. Stop it before this one. */
  beside(
    environment: Environment = {},
    extensions?: readonly LoadedExtension[],
  ): Promise<TestService> {
    const database = { ...this.database, drop: () => Promise.resolve() };
    return TestService.on(database, { ...PATIENT, ...environment }, extensions);
  }

  async stop(): Promise<void> {
    await this.app.close();
    await this.database.drop();
  }

  /** Sets the password of a user in the ledger. */
  async setPassword(user_id: number, password: string): Promise<void> {
    await this.app.get(SignInService).setPassword(user_id, password);
  }

  /** Creates an API application for a user in the ledger, and returns its key. */
  key(user_id: number, access: UserAccess = 'full'): Promise<string> {
    return createKey(this.app, user_id, access);
  }

  /** Creates a source for one vendor, or for all vendors, and returns its key. */
  sourceKey(vendor_id: number | null): Promise<string> {
    return createSourceKey(this.app, vendor_id);
  }

  /**
   * Imports ledger records.
   * @throws Error with every rejected line
   */
  import(records: readonly object[]): Promise<ImportSummary> {
    return importRecords(this.app, records);
  }
}
