import { EventEmitter } from 'node:events';
import type { EntityManager, EntitySchema } from 'typeorm';
import type { SqlValue } from '../database.js';
import type { MysqlConnection } from '../mysql/mysql-connection.js';
import { EntitySource, withoutConversions } from './entity-source.js';

/** Runs a statement of TypeORM's: rows as objects, or what it wrote. */
type Ask = (sql: string, values: readonly SqlValue[]) => Promise<unknown>;

/** Servers prepare none of these. */
const OF_SAVEPOINTS = /^(SAVEPOINT|RELEASE|ROLLBACK)\b/;

/** TypeORM on the pools of the service: its driver takes the module that makes its pool. */
export class MysqlEntities {
  private readonly managers = new WeakMap<MysqlConnection, EntityManager>();

  private constructor(private readonly source: EntitySource) {}

  /** @param read runs a statement on whichever connection is free */
  static async open(
    database: string,
    entities: readonly EntitySchema[],
    read: Ask,
  ): Promise<MysqlEntities> {
    const source = new EntitySource({
      ...{ type: 'mysql', database, driver: { createPool: () => poolOf(read) } },
      entities: withoutConversions(entities),
    });
    return new MysqlEntities(await source.initialize());
  }

  get manager(): EntityManager {
    return this.source.manager;
  }

  /** A manager whose statements run on one connection alone, in the transaction that it has begun. */
  async managerOn(connection: MysqlConnection): Promise<EntityManager> {
    const known = this.managers.get(connection);
    if (known !== undefined) return known;
    const runner = await this.source.sessionRunner();
    const lent: unknown = await runner.connect();
    if (!(lent instanceof LentConnection)) throw new Error('a connection of ours is expected');
    lent.ask = (sql, values) =>
      OF_SAVEPOINTS.test(sql) ? connection.command(sql) : connection.query(sql, values);
    this.managers.set(connection, runner.manager);
    return runner.manager;
  }
}

/** As much of a connection as TypeORM's driver asks for. Whoever lends it takes it back. */
class LentConnection extends EventEmitter {
  constructor(public ask: Ask) {
    super();
  }

  promise() {
    return {
      query: async (sql: string, values: readonly SqlValue[] = []) => [await this.ask(sql, values)],
    };
  }

  release(): void {
    // It was never taken from a pool.
  }
}

function poolOf(read: Ask) {
  return {
    getConnection: (done: (error: null, connection: LentConnection) => void) => {
      done(null, new LentConnection(read));
    },
    end: (done: () => void) => {
      done();
    },
  };
}
