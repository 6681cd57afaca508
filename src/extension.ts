import type { Type } from '@nestjs/common';
import type { EntitySchema } from 'typeorm';
import type { Migration } from './database/data-source.js';

/** An added module with its tables; see docs/adding-a-module.md. */
export interface Extension {
  readonly module: Type;
  readonly entities: readonly EntitySchema[];
  /** Migrations that run in this order, after those of the service. */
  readonly migrations: readonly Migration[];
}
