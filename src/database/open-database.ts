import type { DataSource } from 'typeorm';
import type { Metrics } from '../observability/metrics/metrics.js';
import type { MysqlSettings } from '../config/settings/database-url.js';
import type { Settings } from '../config/settings.js';
import { connectAnyHost } from './mysql/connect-any-host.js';
import type { Schema } from './data-source.js';
import type { DatabaseFailures } from './database-failures.js';
import type { Database } from './database.js';
import { migrate } from './migrator.js';
import { MysqlCluster } from './mysql/mysql-cluster.js';
import { MysqlDatabase } from './mysql/mysql-database.js';
import { MysqlPool, type ConnectionProvider, type PoolLimits } from './mysql/mysql-pool.js';
import { MysqlReplicas } from './mysql/mysql-replicas.js';
import { SqliteDatabase } from './sqlite/sqlite-database.js';

/** How long a request waits for a connection, and for a server that may come back. */
const SHORT_MS = 1_000;
/** The same of a command, which has no haste, where there is a cluster to come back. */
const LONG_MS = 30_000;

/** Brings the schema up to date, and opens the connections that the settings ask for. */
export async function openDatabase(
  settings: Settings,
  schema: Schema,
  metrics: Metrics,
  failures: DatabaseFailures,
): Promise<Database> {
  const { database } = settings;
  if (database.dialect === 'sqlite') {
    const dataSource = await connectMigrated(settings, schema);
    return SqliteDatabase.open({
      dataSource,
      path: database.path,
      entities: schema.entities,
      failures,
    }).catch(async (error: unknown) => {
      await dataSource.destroy();
      throw error;
    });
  }
  // The service has its own connections, and TypeORM uses those from now on.
  await (await connectMigrated(settings, schema)).destroy();
  const limits = limitsOf(database, settings);
  const parts = {
    pool: openConnections(database, limits, metrics),
    replicas: openReplicas(settings, metrics),
    ...{ patience: limits, failures },
  };
  return MysqlDatabase.open(parts, database.database, schema.entities).catch(
    async (error: unknown) => {
      await parts.replicas?.close();
      await parts.pool.close();
      throw error;
    },
  );
}

/** Connects, and brings the schema up to date or finds that it is. */
function connectMigrated(settings: Settings, schema: Schema): Promise<DataSource> {
  return connectAnyHost(settings.database, schema, async (dataSource) => {
    await migrate(dataSource, settings.migrations);
    return dataSource;
  });
}

/**
 * The nodes of a cluster may all wait for each other: who bears a statement as long as that lasts bears
 * the rest of it, too.
 */
function limitsOf(
  { hosts }: MysqlSettings,
  { databaseConnections, statementMs }: Settings,
): PoolLimits {
  const ofCluster = Math.max(SHORT_MS, statementMs ?? LONG_MS);
  const patienceMs = hosts.length > 1 ? ofCluster : SHORT_MS;
  return { connections: databaseConnections, statementMs, patienceMs };
}

function openConnections(
  database: MysqlSettings,
  limits: PoolLimits,
  metrics: Metrics,
): ConnectionProvider {
  const lender =
    database.hosts.length > 1
      ? new MysqlCluster(database, limits)
      : new MysqlPool(database, database.hosts[0], limits);
  metrics.gauge(
    'database_connections',
    'Connections in use, requests that wait for one, and how many there may be.',
    'state',
    () => ({ ...lender.usage, limit: limits.connections }),
  );
  if (lender instanceof MysqlCluster) {
    metrics.gauge(
      'database_hosts',
      'Hosts of the cluster that are up, and that are passed over.',
      'state',
      () => lender.counts,
    );
  }
  return lender;
}

function openReplicas(
  { replicas, databaseConnections, statementMs }: Settings,
  metrics: Metrics,
): MysqlReplicas | null {
  if (replicas.length === 0) return null;
  // What one has no connection for is asked elsewhere.
  const limits = { connections: databaseConnections, statementMs, patienceMs: SHORT_MS };
  const opened = new MysqlReplicas(replicas, limits);
  metrics.gauge(
    'database_replicas',
    'Replicas that are up, and that are passed over.',
    'state',
    () => opened.counts,
  );
  return opened;
}
