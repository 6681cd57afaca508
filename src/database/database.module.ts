import { Module, type DynamicModule, type OnApplicationShutdown } from '@nestjs/common';
import { Metrics } from '../common/metrics.js';
import { Settings } from '../config/settings.js';
import { createDataSource, type Schema } from './data-source.js';
import { Database } from './database.js';
import { migrate } from './migrator.js';
import { MysqlDatabase } from './mysql-database.js';
import { MysqlPool } from './mysql-pool.js';
import { SqliteDatabase } from './sqlite-database.js';

/** Connects, brings the schema up to date, and gives every repository its `Database`. */
@Module({})
export class DatabaseModule implements OnApplicationShutdown {
  constructor(private readonly database: Database) {}

  static of(schema: Schema): DynamicModule {
    return {
      module: DatabaseModule,
      global: true,
      providers: [
        {
          provide: Database,
          inject: [Settings, Metrics],
          useFactory: (settings: Settings, metrics: Metrics) =>
            openDatabase(settings, schema, metrics),
        },
      ],
      exports: [Database],
    };
  }

  async onApplicationShutdown(): Promise<void> {
    await this.database.close();
  }
}

async function openDatabase(
  settings: Settings,
  schema: Schema,
  metrics: Metrics,
): Promise<Database> {
  const { database, databaseConnections, statementMs } = settings;
  const dataSource = await createDataSource(database, schema).initialize();
  try {
    await migrate(dataSource, settings.migrations);
    if (database.dialect === 'sqlite') return await SqliteDatabase.open(dataSource, database.path);
  } catch (error) {
    await dataSource.destroy();
    throw error;
  }
  // TypeORM has done what it is here for; the statements of the service have connections of their own.
  await dataSource.destroy();
  const pool = new MysqlPool(database, { connections: databaseConnections, statementMs });
  metrics.gauge(
    'database_connections',
    'Connections in use, requests that wait for one, and how many there may be.',
    'state',
    () => ({ ...pool.usage, limit: databaseConnections }),
  );
  return new MysqlDatabase(pool);
}
