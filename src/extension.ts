import type { Type } from '@nestjs/common';
import type { EntitySchema } from 'typeorm';
import type { Migration } from './database/data-source.js';

/** A module that a back office adds to the service, with its tables (docs/adding-a-module.md). */
export interface Extension {
  readonly module: Type;
  readonly entities: readonly EntitySchema[];
  /** Run after the service's own, in this order. */
  readonly migrations: readonly Migration[];
}
