import { Module, type DynamicModule, type OnApplicationShutdown } from '@nestjs/common';
import { Metrics } from '../common/metrics.js';
import { Settings } from '../config/settings.js';
import type { Schema } from './data-source.js';
import { Database } from './database.js';
import { openDatabase } from './open-database.js';

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
