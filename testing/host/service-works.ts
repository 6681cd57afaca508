import type { Server } from 'node:http';
import { Readable } from 'node:stream';
import type { INestApplicationContext } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { ApiApplicationsService } from '../../src/modules/accounts/applications/api-applications.service.js';
import type { UserAccess } from '../../src/api/access/principal.js';
import { ImportService, type ImportSummary } from '../../src/modules/records-in/import.service.js';

/** Makes the service listen on a free port of this machine, and returns the port. */
export async function listen(app: NestExpressApplication): Promise<number> {
  await app.listen(0, '127.0.0.1');
  const server: Server = app.getHttpServer();
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the service has no port');
  return address.port;
}

/**
 * Imports ledger records.
 * @throws Error with every rejected line
 */
export async function importRecords(
  app: INestApplicationContext,
  records: readonly object[],
): Promise<ImportSummary> {
  const problems: string[] = [];
  const lines = records.map((record) => Buffer.from(`${JSON.stringify(record)}\n`));
  const summary = await app.get(ImportService).import(Readable.from(lines), {
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

/** Creates an API application for a user in the ledger, and returns its key. */
export async function createKey(
  app: INestApplicationContext,
  user_id: number,
  access: UserAccess,
): Promise<string> {
  const applications = app.get(ApiApplicationsService);
  return (await applications.createApplication(user_id, 'tests', null, { access })).key;
}

/** Creates a source for one vendor, or for all vendors, and returns its key. */
export async function createSourceKey(
  app: INestApplicationContext,
  vendor_id: number | null,
): Promise<string> {
  const applications = app.get(ApiApplicationsService);
  return (await applications.createSource(vendor_id, 'tests', null)).key;
}
