import { Module, type DynamicModule, type OnApplicationShutdown } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import { Metrics } from '../observability/metrics.js';
import { Settings } from '../../config/settings.js';
import type { Schema } from './data-source.js';
import { DatabaseFailures } from './database-failures.js';
import { Database } from './database.js';
import { PersonalTables } from './extensions/personal-scope.js';
import { storedPersonalTables } from './extensions/stored-personal-tables.js';
import type { MysqlSettings } from '../../config/settings/database-url.js';
import { connectAnyHost } from './mysql/connect-any-host.js';
import { migrate } from './migrations/migrate-database.js';
import { MysqlCluster } from './mysql/mysql-cluster.js';
import { MysqlDatabase } from './mysql/mysql-database.js';
import { MysqlPool, type ConnectionProvider, type PoolLimits } from './mysql/mysql-pool.js';
import { MysqlReplicas } from './mysql/mysql-replicas.js';
import { SqliteDatabase } from './sqlite/sqlite-database.js';

/** Connects, runs migrations, and provides `Database`. */
@Module({})
export class DatabaseModule implements OnApplicationShutdown {
  constructor(private readonly database: Database) {}

  static of(schema: Schema): DynamicModule {
    return {
      module: DatabaseModule,
      global: true,
      providers: [
        DatabaseFailures,
        {
          provide: Database,
          inject: [Settings, Metrics, DatabaseFailures],
          useFactory: (settings: Settings, metrics: Metrics, failures: DatabaseFailures) =>
            openDatabase(settings, schema, metrics, failures),
        },
        {
          provide: PersonalTables,
          inject: [Database, Settings],
          useFactory: (database: Database, settings: Settings) =>
            personalTablesOf(database, settings, schema),
        },
      ],
      exports: [Database, DatabaseFailures, PersonalTables],
    };
  }

  async onApplicationShutdown(): Promise<void> {
    await this.database.close();
  }
}

/** Returns the tables that requests may read: without an installed extension, none. */
async function personalTablesOf(
  database: Database,
  settings: Settings,
  { extensions }: Schema,
): Promise<PersonalTables> {
  const { dialect } = database;
  const tables = extensions.length === 0 ? [] : await storedPersonalTables(database, dialect);
  const name = settings.database.dialect === 'sqlite' ? 'main' : settings.database.database;
  return new PersonalTables(tables, name);
}

/** Milliseconds that a request waits for a connection, or for a server to be available again. */
const REQUEST_WAIT_MS = 1_000;
/** Milliseconds that a CLI command waits for a cluster to be available again. */
const COMMAND_WAIT_MS = 30_000;

/** Runs migrations and opens the connections. */
async function openDatabase(
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
  // TypeORM uses the connections of the service from here on.
  await (await connectMigrated(settings, schema)).destroy();
  const limits = limitsOf(database, settings);
  const parts = {
    pool: openConnections(database, limits, metrics),
    replicas: openReplicas(settings, limits, metrics),
    retry: limits,
    failures,
  };
  return MysqlDatabase.open(parts, database.database, schema.entities).catch(
    async (error: unknown) => {
      await parts.replicas?.close();
      await parts.pool.close();
      throw error;
    },
  );
}

function connectMigrated(settings: Settings, schema: Schema): Promise<DataSource> {
  return connectAnyHost(settings.database, schema, async (dataSource) => {
    await migrate(dataSource, schema, settings.migrations);
    return dataSource;
  });
}

/**
 * Returns the limits of a pool. All nodes of a cluster may be blocked at the same time, so callers
 * wait as long as for a slow statement.
 */
function limitsOf(
  { hosts }: MysqlSettings,
  { databaseConnections, statementMs, workers }: Settings,
): PoolLimits {
  const ofCluster = Math.max(REQUEST_WAIT_MS, statementMs ?? COMMAND_WAIT_MS);
  const maxWaitMs = hosts.length > 1 ? ofCluster : REQUEST_WAIT_MS;
  return { connections: databaseConnections, processes: workers, statementMs, maxWaitMs };
}

function openConnections(
  database: MysqlSettings,
  limits: PoolLimits,
  metrics: Metrics,
): ConnectionProvider {
  const cluster = database.hosts.length > 1 ? new MysqlCluster(database, limits) : null;
  const provider = cluster ?? new MysqlPool(database, database.hosts[0], limits);
  const help = 'Connections in use, requests waiting for one, and the maximum.';
  metrics.gauge('database_connections', help, 'state', () => ({
    ...provider.usage,
    limit: limits.connections,
  }));
  if (cluster !== null) {
    metrics.gauge('database_hosts', 'Cluster hosts by state.', 'state', () => cluster.counts);
  }
  return provider;
}

function openReplicas(
  { replicas }: Settings,
  limits: PoolLimits,
  metrics: Metrics,
): MysqlReplicas | null {
  if (replicas.length === 0) return null;
  const opened = new MysqlReplicas(replicas, { ...limits, maxWaitMs: REQUEST_WAIT_MS });
  metrics.gauge('database_replicas', 'Replicas by state.', 'state', () => opened.counts);
  return opened;
}
