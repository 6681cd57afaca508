import 'reflect-metadata';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Environment } from '../../../src/config/settings.js';
import { readSettings } from '../../../src/start/load-settings.js';
import { createApp } from '../../../src/start/configure-app.js';
import type { LoadedExtension } from '../../../src/feature.js';
import type { UserAccess } from '../../../src/api/access/principal.js';
import { ApiApplicationsService } from '../../../src/modules/accounts/applications/api-applications.service.js';
import {
  type ImportSummary,
  ImportService,
} from '../../../src/modules/records-in/import.service.js';
import {
  basic,
  envelopeOf,
  send,
  type Answer,
  type EnvelopeBody,
  type Request,
} from '../http/http.js';
import { createTestDatabase, type TestDatabase } from '../sql/test-database.js';

export const TEST_SECRET = 'a secret of the tests, long enough for a check';

/** On a busy machine a statement may take longer than the default limit of one second. */
export const PATIENT = { DATABASE_STATEMENT_MS: '20000' };

/** The service as `main` starts it, with a port and a database of its own. */
export class TestService {
  private constructor(
    readonly app: NestExpressApplication,
    readonly database: TestDatabase,
    readonly port: number,
  ) {}

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
    await app.listen(0, '127.0.0.1');
    const server: Server = app.getHttpServer();
    return new TestService(app, database, (server.address() as AddressInfo).port);
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

  send(request: Request): Promise<Answer> {
    return send(this.port, request);
  }

  /** Sends a GET request with a key; other headers may be added. */
  get(path: string, key: string, headers: Record<string, string> = {}): Promise<Answer> {
    return this.send({ path, headers: { ...basic(key), ...headers } });
  }

  /** Sends a PUT request with a key. A body that is neither text nor bytes is sent as JSON. */
  put(path: string, key: string, body: unknown, type = 'application/json'): Promise<Answer> {
    const sent = typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
    return this.send({
      method: 'PUT',
      path,
      headers: { ...basic(key), 'Content-Type': type },
      body: sent,
    });
  }

  async envelope(path: string, key: string): Promise<EnvelopeBody> {
    return envelopeOf(await this.get(path, key));
  }

  /** Creates an API application for a user in the ledger, and returns its key. */
  async key(user_id: number, access: UserAccess = 'full'): Promise<string> {
    const applications = this.app.get(ApiApplicationsService);
    return (await applications.createApplication(user_id, 'tests', null, { access })).key;
  }

  /** Creates a source for one vendor, or for all vendors, and returns its key. */
  async sourceKey(vendor_id: number | null): Promise<string> {
    const applications = this.app.get(ApiApplicationsService);
    return (await applications.createSource(vendor_id, 'tests', null)).key;
  }

  /**
   * Imports ledger records.
   * @throws Error with every rejected line
   */
  async import(records: readonly object[]): Promise<ImportSummary> {
    const problems: string[] = [];
    const lines = records.map((record) => Buffer.from(`${JSON.stringify(record)}\n`));
    const summary = await this.app.get(ImportService).import(Readable.from(lines), {
      source: 'test',
      dryRun: false,
      strict: false,
      onProblem: (line, problem) => problems.push(`line ${line}: ${problem}`),
      onWarning: () => undefined,
      onProgress: () => undefined,
    });
    if (problems.length > 0) throw new Error(problems.join('\n'));
    return summary;
  }
}
