import {
  DataSource,
  EntitySchema,
  QueryFailedError,
  type DataSourceOptions,
  type QueryRunner,
  type ReplicationMode,
} from 'typeorm';
import type { Column } from '../columns.js';

const READS = /^\s*(SELECT|WITH|SHOW)\b/i;
const BEGINS = /^(START|BEGIN) TRANSACTION$/;

type Asking = <Result>(ask: () => Promise<Result>) => Promise<Result>;

/** TypeORM on the service's own connections: it reads by itself, and writes in a session alone. */
export class EntitySource extends DataSource {
  private readonly known = new WeakSet<QueryRunner>();
  private readonly ofSessions = new WeakSet<QueryRunner>();

  /** @param asking runs each statement: with the retries of the database, say */
  constructor(
    options: DataSourceOptions,
    private readonly asking: Asking = (ask) => ask(),
  ) {
    super(options);
  }

  override createQueryRunner(mode?: ReplicationMode): QueryRunner {
    const runner = super.createQueryRunner(mode);
    // The driver of SQLite always gives the same one.
    if (this.known.has(runner)) return runner;
    this.known.add(runner);
    const query = runner.query.bind(runner);
    return Object.assign(runner, {
      query: (...asked: Parameters<typeof query>) =>
        this.ask(runner, asked[0], () => query(...asked)),
    });
  }

  /**
   * A runner for transactions that a session begins and ends. TypeORM finds one begun, and makes
   * savepoints in it where it is asked for transactions of its own.
   */
  async sessionRunner(): Promise<QueryRunner> {
    const runner = this.createQueryRunner();
    this.ofSessions.add(runner);
    await runner.startTransaction();
    return runner;
  }

  private async ask(runner: QueryRunner, sql: string, query: () => Promise<unknown>) {
    if (this.ofSessions.has(runner)) {
      if (BEGINS.test(sql)) return undefined;
    } else if (!READS.test(sql)) {
      throw new Error('Entities are written in database.write, by the manager of its session.');
    }
    return this.asking(() => withErrorOfDriver(query));
  }
}

/** TypeORM's own error hides what the driver's means, and quotes values. */
async function withErrorOfDriver<Result>(query: () => Promise<Result>): Promise<Result> {
  try {
    return await query();
  } catch (error) {
    throw error instanceof QueryFailedError ? error.driverError : error;
  }
}

/**
 * The entities as repositories take them. Of a date-time TypeORM would make a Date in local time, and
 * what has a default it would read again after each INSERT, in any order; a row is written whole.
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
