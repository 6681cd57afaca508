import type SqliteConnection from 'better-sqlite3';
import type { EntitySchema } from 'typeorm';
import { EntitySource, withoutConversions } from './entity-source.js';

/**
 * Opens TypeORM on an existing connection. Its driver gets the connection in place of the
 * connection class.
 */
export async function openSqliteEntities(
  connection: SqliteConnection.Database,
  entities: readonly EntitySchema[],
  runQuery: ConstructorParameters<typeof EntitySource>[1],
): Promise<EntitySource> {
  const source = new EntitySource(
    {
      type: 'better-sqlite3',
      database: connection.name,
      entities: withoutConversions(entities),
      driver: function given() {
        return connection;
      },
    },
    runQuery,
  );
  return source.initialize();
}
