import cluster from 'node:cluster';
import { Metrics, answerMetrics } from '../platform/observability/metrics.js';
import { ServiceLogger } from '../platform/observability/service-logger.js';
import { loadExtensions } from './extensions/load-extensions.js';
import { loadSettings } from './load-settings.js';
import { createApp } from './configure-app.js';
import { DatabaseFailures } from '../platform/database/database-failures.js';
import { GracefulShutdown } from '../api/server/graceful-shutdown.js';
import { DATABASE_FAILURES, HEARTBEATS, REPORTS } from '../platform/workers/process-messages.js';

export async function runWorker(): Promise<void> {
  // Terminals and service managers send signals to every process; only the primary acts on them.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => undefined);
  const extensions = await loadExtensions();
  const settings = loadSettings(extensions);
  const app = await createApp(settings, extensions);
  answerMetrics(app.get(Metrics).registry);
  app.get(DatabaseFailures).onFailure = (code) => {
    DATABASE_FAILURES.send(process, code);
  };
  const shutdown = new GracefulShutdown(app, new ServiceLogger(settings), settings.shutdownGraceMs);
  HEARTBEATS.onEach(process, () => {
    HEARTBEATS.send(process, null);
  });
  process.on('message', (message) => {
    if (message === 'stop-accepting')
      void shutdown.connections.stopAccepting().then(() => {
        REPORTS.send(process, 'not-accepting');
      });
    if (message === 'stop') shutdown.begin();
    // A replacement is already running, so idle clients get half of the grace time.
    if (message === 'retire') shutdown.begin(settings.shutdownGraceMs / 2);
  });
  cluster.worker?.on('disconnect', () => {
    // The primary has ended. Without this flag, Node would exit immediately and drop requests.
    if (cluster.worker !== undefined) cluster.worker.exitedAfterDisconnect = true;
    shutdown.begin();
  });
  await app.listen(settings.port, settings.host);
  REPORTS.send(process, { listensOn: await app.getUrl() });
}
