import type { Schema } from './database/data-source.js';
import { MIGRATIONS } from './database/migrations/index.js';
import { ENTITIES } from './entities.js';
import type { Extension } from './extension.js';
import { EXTENSIONS } from './extensions.js';

/** Returns the tables of the service and of the added modules. */
export function schemaOf(extensions: readonly Extension[] = EXTENSIONS): Schema {
  return {
    entities: [...ENTITIES, ...extensions.flatMap(({ entities }) => entities)],
    migrations: MIGRATIONS,
    extensionMigrations: extensions.flatMap(({ migrations }) => migrations),
  };
}
