import cluster from 'node:cluster';
import type { INestApplicationContext } from '@nestjs/common';
import { Metrics } from '../platform/observability/metrics.js';
import { ServiceLogger } from '../platform/observability/service-logger.js';
import { guardOutput } from '../platform/observability/guarded-output.js';
import { VERSION } from '../platform/files/project-files.js';
import type { LoadedExtension } from '../feature.js';
import { createApp } from './configure-app.js';
import { loadExtensions } from './extensions/load-extensions.js';
import { loadSettings, warnOfMistypedSettings } from './load-settings.js';
import type { Settings } from '../config/settings.js';
import { DatabaseFailures } from '../platform/database/database-failures.js';
import { AccountsRepository } from '../modules/accounts/index.js';
import { DemoService } from '../modules/demo/index.js';
import { DatabaseProbe } from '../platform/observability/database-probe.js';
import { Health } from '../platform/observability/health.js';
import { ManagementServer } from '../platform/observability/management-server.js';
import { GracefulShutdown } from '../api/server/graceful-shutdown.js';
import { reportUnknownHost } from '../api/server/unknown-host.js';
import { reloadTls } from '../api/server/service-adapter.js';
import { reportingStartErrors } from './start-errors.js';
import { Primary } from '../platform/workers/primary.js';
import { runWorker } from './worker.js';
import { type LedgerAtStart, welcome } from './welcome.js';

/** Starts the service, or one of its workers. */
export async function start(): Promise<void> {
  guardOutput();
  await reportingStartErrors(startProcess);
}

async function startProcess(): Promise<void> {
  if (cluster.isWorker) return runWorker();
  const extensions = await loadExtensions();
  warnOfMistypedSettings(extensions);
  const settings = loadSettings(extensions);
  const logger = new ServiceLogger(settings);
  const version = `Vendor Reporting API ${VERSION} starts on Node.js ${process.versions.node}.`;
  logger.log(version, 'Start');
  warnAboutPlainHttp(settings, logger);
  return settings.workers === 1
    ? runSingleProcess(settings, extensions)
    : runWithWorkers(settings, extensions);
}

async function runSingleProcess(
  settings: Settings,
  extensions: readonly LoadedExtension[],
): Promise<void> {
  const app = await createApp(settings, extensions);
  const logger = new ServiceLogger(settings);
  const server = app.getHttpServer();
  const stop = new GracefulShutdown(app, logger, settings.shutdownGraceMs);
  const probe = new DatabaseProbe(settings.database);
  const failures = app.get(DatabaseFailures);
  const health = new Health(probe, failures, () => server.listening, logger);
  for (const signal of ['SIGTERM', 'SIGINT']) {
    process.on(signal, () => {
      health.stop();
      stop.begin();
    });
  }
  process.on('SIGHUP', () => {
    reloadTls(server, settings.transport, logger);
  });
  const ledger = await ledgerAtStart(settings, app);
  const metrics = () => app.get(Metrics).registry.metrics();
  await new ManagementServer(settings.management, health, probe, metrics, logger).listen();
  await reportUnknownHost(app.listen(settings.port, settings.host));
  process.stdout.write(welcome(await app.getUrl(), ledger, settings));
}

async function runWithWorkers(
  settings: Settings,
  extensions: readonly LoadedExtension[],
): Promise<void> {
  // The app migrates the database, and reports errors that would make every worker fail.
  const app = await createApp(settings, extensions);
  const ledger = await ledgerAtStart(settings, app);
  await app.close();
  const address = await new Primary(settings).start();
  if (address !== null) process.stdout.write(welcome(address, ledger, settings));
}

/** Logs a warning if every request will get 403, since the cause would be hard to find. */
function warnAboutPlainHttp({ transport }: Settings, logger: ServiceLogger): void {
  const { requireHttps, tls, trustProxy } = transport;
  if (!requireHttps || tls !== null || trustProxy !== null) return;
  const cause = 'HTTPS is required, and neither TLS_CERT nor TRUST_PROXY is set';
  logger.warn(`${cause}: every request will be rejected.`, 'Start');
}

/** Loads the demo into an empty ledger, if no other database is set. */
async function ledgerAtStart(
  settings: Settings,
  app: INestApplicationContext,
): Promise<LedgerAtStart> {
  const isDemo = settings.databaseIsDefault && settings.environment !== 'production';
  const demo = isDemo ? await app.get(DemoService).prepare() : null;
  return { demo, isEmpty: await app.get(AccountsRepository).isEmpty() };
}
