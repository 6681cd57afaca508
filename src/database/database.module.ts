import { Module, type DynamicModule, type OnApplicationShutdown } from '@nestjs/common';
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
          inject: [Settings],
          useFactory: (settings: Settings) => openDatabase(settings, schema),
        },
      ],
      exports: [Database],
    };
  }

  async onApplicationShutdown(): Promise<void> {
    await this.database.close();
  }
}

async function openDatabase(settings: Settings, schema: Schema): Promise<Database> {
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
  return new MysqlDatabase(
    new MysqlPool(database, { connections: databaseConnections, statementMs }),
  );
}
