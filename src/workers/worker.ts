import cluster from 'node:cluster';
import { Metrics } from '../observability/metrics/metrics.js';
import { ServiceLogger } from '../observability/log/service-logger.js';
import { loadSettings } from '../config/load-settings.js';
import { createApp } from '../configure-app.js';
import { DatabaseFailures } from '../database/database-failures.js';
import { answerWith } from '../observability/metrics/worker-metrics.js';
import { CleanStop } from '../server/lifecycle/clean-stop.js';
import { DATABASE_FAILURES, HEARTBEATS, REPORTS } from './messages.js';

/** One of several processes that answer on the one port. */
export async function runWorker(): Promise<void> {
  // A terminal and a service manager signal every process; what it means is for the primary to say.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => undefined);
  const settings = loadSettings();
  const app = await createApp(settings);
  answerWith(app.get(Metrics).registry);
  app.get(DatabaseFailures).listen((code) => {
    DATABASE_FAILURES.send(process, code);
  });
  const stop = new CleanStop(app, new ServiceLogger(settings), settings.shutdownGraceMs);
  HEARTBEATS.onEach(process, () => {
    HEARTBEATS.send(process, null);
  });
  process.on('message', (message) => {
    if (message === 'refuse')
      void stop.refuse().then(() => {
        REPORTS.send(process, 'refuses');
      });
    if (message === 'stop') stop.begin();
    // Nobody waits: an idle client has most of the time that a stop may take.
    if (message === 'retire') stop.begin(settings.shutdownGraceMs / 2);
  });
  cluster.worker?.on('disconnect', () => {
    // The primary is gone. Node would exit here and now, requests in hand or not.
    if (cluster.worker !== undefined) cluster.worker.exitedAfterDisconnect = true;
    stop.begin();
  });
  await app.listen(settings.port, settings.host);
  REPORTS.send(process, { listensOn: await app.getUrl() });
}
