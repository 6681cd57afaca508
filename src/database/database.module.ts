import { Module, type DynamicModule, type OnApplicationShutdown } from '@nestjs/common';
import type { EntitySchema } from 'typeorm';
import { Settings } from '../config/settings.js';
import { createDataSource } from './data-source.js';
import { Database } from './database.js';
import { migrate } from './migrator.js';
import { MysqlDatabase } from './mysql-database.js';
import { SqliteDatabase } from './sqlite-database.js';

/** Connects, brings the schema up to date, and gives every repository its `Database`. */
@Module({})
export class DatabaseModule implements OnApplicationShutdown {
  constructor(private readonly database: Database) {}

  static forEntities(entities: readonly EntitySchema[]): DynamicModule {
    return {
      module: DatabaseModule,
      global: true,
      providers: [
        {
          provide: Database,
          inject: [Settings],
          useFactory: (settings: Settings) => openDatabase(settings, entities),
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
  entities: readonly EntitySchema[],
): Promise<Database> {
  const dataSource = await createDataSource(settings.database, entities).initialize();
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
