import type SqliteConnection from 'better-sqlite3';
import type { EntitySchema } from 'typeorm';
import { EntitySource, withoutConversions } from './entity-source.js';

/** TypeORM on one connection of the service: its driver takes the class that makes its connection. */
export async function openSqliteEntities(
  connection: SqliteConnection.Database,
  entities: readonly EntitySchema[],
  asking: ConstructorParameters<typeof EntitySource>[1],
): Promise<EntitySource> {
  const source = new EntitySource(
    {
      ...{
        type: 'better-sqlite3',
        database: connection.name,
        entities: withoutConversions(entities),
      },
      driver: function given() {
        return connection;
      },
    },
    asking,
  );
  return source.initialize();
}
