import { EventEmitter } from 'node:events';
import type { EntityManager, EntitySchema } from 'typeorm';
import type { SqlValue } from '../database.js';
import type { MysqlConnection } from '../mysql/mysql-connection.js';
import { EntitySource, withoutConversions } from './entity-source.js';

/**
 * Runs a statement.
 * @returns rows as objects, or the result of a write
 */
type Query = (sql: string, values: readonly SqlValue[]) => Promise<unknown>;

/** Matches commands that cannot be prepared. */
const SAVEPOINT_COMMANDS = /^(SAVEPOINT|RELEASE|ROLLBACK)\b/;

/** Runs TypeORM on the service's own pools. Its driver gets them in place of the mysql2 module. */
export class MysqlEntities {
  private readonly managers = new WeakMap<MysqlConnection, EntityManager>();

  private constructor(private readonly source: EntitySource) {}

  /**
   * Opens TypeORM without a connection of its own.
   * @param read runs a statement on any free connection
   */
  static async open(
    database: string,
    entities: readonly EntitySchema[],
    read: Query,
  ): Promise<MysqlEntities> {
    const source = new EntitySource({
      type: 'mysql',
      database,
      driver: { createPool: () => poolOf(read) },
      entities: withoutConversions(entities),
    });
    return new MysqlEntities(await source.initialize());
  }

  get manager(): EntityManager {
    return this.source.manager;
  }

  /** Returns a manager for transactions on one connection. It is made once per connection. */
  async managerOn(connection: MysqlConnection): Promise<EntityManager> {
    const known = this.managers.get(connection);
    if (known !== undefined) return known;
    const runner = await this.source.sessionRunner();
    const adapter: unknown = await runner.connect();
    if (!(adapter instanceof ConnectionAdapter)) throw new Error('unexpected connection');
    adapter.run = (sql, values) =>
      SAVEPOINT_COMMANDS.test(sql) ? connection.command(sql) : connection.query(sql, values);
    this.managers.set(connection, runner.manager);
    return runner.manager;
  }
}

/** Implements the part of a mysql2 connection that TypeORM's driver uses. */
class ConnectionAdapter extends EventEmitter {
  constructor(public run: Query) {
    super();
  }

  promise() {
    return {
      query: async (sql: string, values: readonly SqlValue[] = []) => [await this.run(sql, values)],
    };
  }

  release(): void {
    // The connection belongs to the caller.
  }
}

function poolOf(read: Query) {
  return {
    getConnection: (done: (error: null, connection: ConnectionAdapter) => void) => {
      done(null, new ConnectionAdapter(read));
    },
    end: (done: () => void) => {
      done();
    },
  };
}
