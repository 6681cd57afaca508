import { Module, type DynamicModule, type OnApplicationShutdown } from '@nestjs/common';
import { Metrics } from '../observability/metrics.js';
import { Settings } from '../../config/settings.js';
import type { Schema } from './data-source.js';
import { DatabaseFailures } from './database-failures.js';
import { Database } from './database.js';
import { openDatabase } from './open-database.js';

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
      ],
      exports: [Database, DatabaseFailures],
    };
  }

  async onApplicationShutdown(): Promise<void> {
    await this.database.close();
  }
}
