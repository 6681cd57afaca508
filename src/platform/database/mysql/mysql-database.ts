import { Logger } from '@nestjs/common';
import type { EntityManager, EntitySchema } from 'typeorm';
import { codeOf } from '../../errors/is-error.js';
import { UnknownOutcomeError } from '../../errors/database-unavailable.js';
import type { DatabaseFailures } from '../database-failures.js';
import {
  Database,
  type InTransaction,
  type IsRecent,
  type Reader,
  type Session,
  type SqlValue,
  TransactionEnd,
  type Work,
} from '../database.js';
import { MYSQL, type Dialect } from '../dialect.js';
import type { MysqlConnection } from './mysql-connection.js';
import type { ConnectionProvider } from './mysql-pool.js';
import { type MysqlReplicas, readOn, readSnapshotOn } from './mysql-replicas.js';
import { isRetryableElsewhere, withRetries, type RetryOptions } from '../retry.js';
import { EventEmitter } from 'node:events';
import { EntitySource, withoutConversions } from '../entities/entity-source.js';

/**
 * Runs a statement.
 * @returns rows as objects, or the result of a write
 */
type Query = (sql: string, values: readonly SqlValue[]) => Promise<unknown>;

/** Matches commands that cannot be prepared. */
const SAVEPOINT_COMMANDS = /^(SAVEPOINT|RELEASE|ROLLBACK)\b/;

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

/** Returns a pool whose connections each stand for any free one. */
function poolOf(parts: MysqlParts) {
  const read: Query = (sql, values) =>
    reading(parts, (connection) => connection.query(sql, values));
  return {
    getConnection: (done: (error: null, connection: ConnectionAdapter) => void) => {
      done(null, new ConnectionAdapter(read));
    },
    end: (done: () => void) => {
      done();
    },
  };
}

const WITHOUT_LOCKS: Dialect = { ...MYSQL, forUpdate: '', locked: {} };

interface MysqlParts {
  /** Connections to a database whose migrations have been applied. */
  readonly pool: ConnectionProvider;
  readonly replicas: MysqlReplicas | null;
  readonly retry: RetryOptions;
  readonly failures: DatabaseFailures;
}

/** Accesses MySQL and MariaDB through prepared statements. */
export class MysqlDatabase extends Database {
  readonly dialect = MYSQL;
  readonly manager: EntityManager;
  override readonly hasReplicas: boolean;
  private readonly managers = new WeakMap<MysqlConnection, EntityManager>();

  private constructor(
    private readonly parts: MysqlParts,
    private readonly source: EntitySource,
  ) {
    super();
    this.manager = source.manager;
    this.hasReplicas = parts.replicas !== null;
  }

  /**
   * Opens the database and logs a warning if it may lose acknowledged writes.
   * @param name name of the database
   */
  static async open(
    parts: MysqlParts,
    name: string,
    entities: readonly EntitySchema[],
  ): Promise<MysqlDatabase> {
    // TypeORM runs on the service's own pools. Its driver gets them in place of the mysql2 module.
    const source = new EntitySource({
      type: 'mysql',
      database: name,
      driver: { createPool: () => poolOf(parts) },
      entities: withoutConversions(entities),
    });
    await source.initialize();
    const logger = new Logger('Database');
    await parts.pool.withConnection((connection) => warnOfLossyFlush(connection, logger));
    return new MysqlDatabase(parts, source);
  }

  select<Row extends object>(sql: string, values: readonly SqlValue[]): Promise<Row[]> {
    return reading(this.parts, (connection) => connection.select<Row>(sql, values));
  }

  override async readRecent<Result>(
    isRecent: IsRecent,
    work: Work<Reader, Result>,
  ): Promise<Result> {
    const read = await this.parts.replicas?.read(readOn, isRecent, work);
    return read ? read.result : work(this);
  }

  async readSnapshot<Result>(isRecent: IsRecent, work: Work<Reader, Result>): Promise<Result> {
    const read = await this.parts.replicas?.read(readSnapshotOn, isRecent, work);
    if (read) return read.result;
    return reading(this.parts, (connection) => readSnapshotOn(connection, work));
  }

  write<Result>(work: Work<Session, Result>): Promise<Result> {
    return this.writing(work, this.parts.retry);
  }

  override writeIdempotent<Result>(work: Work<Session, Result>): Promise<Result> {
    return this.writing(work, { ...this.parts.retry, isIdempotent: true });
  }

  override writeBatch<Result>(work: Work<Session, Result>): Promise<Result> {
    return this.writing(work, { ...this.parts.retry, repeatsTimeouts: true });
  }

  dryRun<Result>(table: string, work: Work<InTransaction, Result>): Promise<Result> {
    return this.parts.pool.withConnection(async (connection) => {
      try {
        await connection.command(table);
        return await work((part) => this.transactionOn(connection, WITHOUT_LOCKS, part));
      } finally {
        // Closing the connection also drops the temporary table.
        connection.discard();
      }
    });
  }

  async close(): Promise<void> {
    await this.parts.replicas?.close();
    await this.parts.pool.close();
  }

  private writing<Result>(work: Work<Session, Result>, retry: RetryOptions): Promise<Result> {
    const { pool, failures } = this.parts;
    const transaction = () =>
      pool.withConnection((connection) => this.transactionOn(connection, MYSQL, work));
    return failures.track(withRetries(transaction, retry));
  }

  private async transactionOn<Result>(
    connection: MysqlConnection,
    dialect: Dialect,
    work: Work<Session, Result>,
  ): Promise<Result> {
    await connection.begin();
    const ending = new TransactionEnd();
    try {
      const manager = await this.managerOn(connection);
      const result = await work({
        dialect,
        manager,
        select: (sql, values) => connection.select(sql, values),
        run: (sql, values) => connection.run(sql, values),
        onEnd: ending.onEnd,
      });
      await commit(connection, ending);
      return result;
    } catch (error) {
      await connection.end('ROLLBACK').catch(() => {
        // Closing the connection also rolls back. The caller gets the first error.
        connection.discard();
      });
      throw error;
    }
  }

  /** Returns a manager for transactions on one connection. It is made once per connection. */
  private async managerOn(connection: MysqlConnection): Promise<EntityManager> {
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

function reading<Result>(
  { pool, retry, failures }: MysqlParts,
  read: Work<MysqlConnection, Result>,
): Promise<Result> {
  return failures.track(withRetries(() => pool.withConnection(read), retry));
}

/**
 * Commits the transaction.
 * @throws UnknownOutcomeError if the connection is lost before the response, or the node loses its
 *   cluster; a conflict at the commit has a known outcome, and is thrown unchanged
 */
async function commit(connection: MysqlConnection, ending: TransactionEnd): Promise<void> {
  try {
    await connection.end('COMMIT');
  } catch (error) {
    const isUnknown = isRetryableElsewhere(error) || codeOf(error) === 'ER_ERROR_DURING_COMMIT';
    if (!isUnknown) throw error;
    ending.notify('unknown');
    throw new UnknownOutcomeError(error);
  }
  ending.notify('committed');
}

const NAMES = ['innodb_flush_log_at_trx_commit', 'sync_binlog', 'log_bin'] as const;
const ADVICE = 'see docs/operating/database.md, "What an acknowledged write survives"';

/** Warns if a commit that the server has acknowledged may be lost when its machine fails. */
async function warnOfLossyFlush(connection: MysqlConnection, logger: Logger): Promise<void> {
  const names = NAMES.map((name) => `'${name}'`).join(', ');
  const rows = await connection.command<readonly [string, string]>(
    `SHOW GLOBAL VARIABLES WHERE Variable_name IN (${names})`,
  );
  for (const setting of lossyFlushSettings(new Map(rows))) {
    logger.warn(`${setting}: an acknowledged write may be lost with a power failure; ${ADVICE}.`);
  }
}

/**
 * Returns the settings that can lose a commit, such as `sync_binlog = 0`.
 * @param values by variable; a variable that the server does not have is ignored
 */
export function lossyFlushSettings(values: ReadonlyMap<string, string>): string[] {
  const flushed = NAMES.slice(0, values.get('log_bin') === 'ON' ? 2 : 1);
  return flushed.flatMap((name) => {
    const value = values.get(name) ?? '1';
    return value === '1' ? [] : [`${name} = ${value}`];
  });
}
