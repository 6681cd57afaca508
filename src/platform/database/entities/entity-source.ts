import {
  DataSource,
  EntitySchema,
  QueryFailedError,
  type DataSourceOptions,
  type QueryRunner,
  type ReplicationMode,
} from 'typeorm';
import type { Column } from './columns.js';

const READS = /^\s*(SELECT|WITH|SHOW)\b/i;
const BEGINS = /^(START|BEGIN) TRANSACTION$/;

type RunQuery = <Result>(query: () => Promise<Result>) => Promise<Result>;

/** Runs TypeORM on the service's own connections. Writes are only possible in a session. */
export class EntitySource extends DataSource {
  private readonly known = new WeakSet<QueryRunner>();
  private readonly ofSessions = new WeakSet<QueryRunner>();

  /**
   * Creates a source; `initialize` makes it usable.
   * @param runQuery wraps each statement, for example in retries
   */
  constructor(
    options: DataSourceOptions,
    private readonly runQuery: RunQuery = (query) => query(),
  ) {
    super(options);
  }

  override createQueryRunner(mode?: ReplicationMode): QueryRunner {
    const runner = super.createQueryRunner(mode);
    // The SQLite driver always returns the same runner.
    if (this.known.has(runner)) return runner;
    this.known.add(runner);
    const query = runner.query.bind(runner);
    return Object.assign(runner, {
      query: (...parameters: Parameters<typeof query>) =>
        this.run(runner, parameters[0], () => query(...parameters)),
    });
  }

  /**
   * Returns a runner whose transactions are begun and ended by a session. TypeORM sees a
   * transaction in progress, and uses savepoints for its own.
   */
  async sessionRunner(): Promise<QueryRunner> {
    const runner = this.createQueryRunner();
    this.ofSessions.add(runner);
    await runner.startTransaction();
    return runner;
  }

  private async run(runner: QueryRunner, sql: string, query: () => Promise<unknown>) {
    if (this.ofSessions.has(runner)) {
      if (BEGINS.test(sql)) return undefined;
    } else if (!READS.test(sql)) {
      throw new Error('To write entities, use the manager of a session in database.write.');
    }
    return this.runQuery(() => query().catch(throwDriverError));
  }
}

/** Throws the driver's error instead of TypeORM's own error, which quotes values. */
function throwDriverError(error: unknown): never {
  throw error instanceof QueryFailedError ? error.driverError : error;
}

/**
 * Returns the entities without column options that have unwanted effects in repositories: TypeORM
 * turns a datetime into a Date in local time, and reads a column with a default again after each
 * INSERT.
 */
export function withoutConversions(entities: readonly EntitySchema[]): EntitySchema[] {
  return entities.map(({ options }) => {
    const columns = Object.entries<Column | undefined>(options.columns).map(
      ([name, column]): [string, object] => [name, withoutConversion(column)],
    );
    return new EntitySchema(Object.assign({}, options, { columns: Object.fromEntries(columns) }));
  });
}

function withoutConversion(column: Column | undefined): object {
  const type = column?.type === 'datetime' ? 'varchar' : column?.type;
  return { ...column, type, default: undefined };
}
