import type { Type } from '@nestjs/common';
import type { EntitySchema } from 'typeorm';
import type { Migration } from './platform/database/data-source.js';
import type { FeatureDeclaration } from './feature.js';

/**
 * Adds a module with its tables to the service; see docs/adding-a-module.md. It can have the
 * settings, commands and pages of a feature.
 */
export interface Extension extends Omit<FeatureDeclaration, 'name' | 'module'> {
  readonly module: Type;
  readonly entities: readonly EntitySchema[];
  /**
   * Migrations that run in this order, after those of the service. The table
   * `extension_migrations` records them.
   */
  readonly migrations: readonly Migration[];
}
