import { Module, type DynamicModule, type OnApplicationShutdown } from '@nestjs/common';
import { Settings } from '../config/settings.js';
import { createDataSource, type Schema } from './data-source.js';
import { Database } from './database.js';
import { migrate } from './migrator.js';
import { MysqlDatabase } from './mysql-database.js';
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
  const dataSource = await createDataSource(settings.database, schema).initialize();
  try {
    await migrate(dataSource, settings.migrations);
    return settings.database.dialect === 'sqlite'
      ? await SqliteDatabase.open(dataSource, settings.database.path)
      : MysqlDatabase.open(dataSource);
  } catch (error) {
    await dataSource.destroy();
    throw error;
  }
}
