import type { EntityManager, EntitySchema } from 'typeorm';
import { codeOf } from '../../common/errors/is-error.js';
import { UnknownOutcomeError } from '../../common/errors/database-unavailable.js';
import type { DatabaseFailures } from '../database-failures.js';
import {
  Database,
  type InTransaction,
  type Reader,
  type Session,
  type SqlValue,
} from '../database.js';
import { MYSQL, type Dialect } from '../dialect.js';
import { MysqlEntities } from '../entities/mysql-entities.js';
import type { MysqlConnection } from './mysql-connection.js';
import type { ConnectionProvider } from './mysql-pool.js';
import type { MysqlReplicas } from './mysql-replicas.js';
import { mayBeDoneElsewhere, retrying, type Patience } from '../retry.js';
import { TransactionEnd } from '../transaction-end.js';

const LOCKING_NOTHING: Dialect = { ...MYSQL, forUpdate: '', locked: {} };

/** What the database is made of. */
export interface MysqlParts {
  /** Its database has its migrations applied. */
  readonly pool: ConnectionProvider;
  readonly replicas: MysqlReplicas | null;
  readonly patience: Patience;
  readonly failures: DatabaseFailures;
}

/** MySQL and MariaDB, through prepared statements. */
export class MysqlDatabase extends Database {
  readonly dialect = MYSQL;
  override readonly hasReplicas: boolean;

  private constructor(
    private readonly parts: MysqlParts,
    private readonly entities: MysqlEntities,
  ) {
    super();
    this.hasReplicas = parts.replicas !== null;
  }

  /** @param name of the database */
  static async open(
    parts: MysqlParts,
    name: string,
    entities: readonly EntitySchema[],
  ): Promise<MysqlDatabase> {
    const opened = await MysqlEntities.open(name, entities, (sql, values) =>
      reading(parts, (connection) => connection.query(sql, values)),
    );
    return new MysqlDatabase(parts, opened);
  }

  get manager(): EntityManager {
    return this.entities.manager;
  }

  select<Row extends object>(sql: string, values: readonly SqlValue[]): Promise<Row[]> {
    return reading(this.parts, (connection) => connection.select<Row>(sql, values));
  }

  override async readRecent<Result>(
    isRecent: (replica: Reader) => Promise<boolean>,
    work: (reader: Reader) => Promise<Result>,
  ): Promise<Result> {
    const read = await this.parts.replicas?.read(isRecent, work);
    return read ? read.result : work(this);
  }

  write<Result>(work: (session: Session) => Promise<Result>): Promise<Result> {
    return this.writing(work, this.parts.patience);
  }

  override writeIdempotent<Result>(work: (session: Session) => Promise<Result>): Promise<Result> {
    return this.writing(work, { ...this.parts.patience, findsOutWhatWasDone: true });
  }

  dryRun<Result>(
    table: string,
    work: (inTransaction: InTransaction) => Promise<Result>,
  ): Promise<Result> {
    return this.parts.pool.withConnection(async (connection) => {
      try {
        await connection.command(table);
        return await work((part) => this.transactionOn(connection, LOCKING_NOTHING, part));
      } finally {
        // The table goes with it.
        connection.discard();
      }
    });
  }

  async close(): Promise<void> {
    await this.parts.replicas?.close();
    await this.parts.pool.close();
  }

  private writing<Result>(
    work: (session: Session) => Promise<Result>,
    patience: Patience,
  ): Promise<Result> {
    const { pool, failures } = this.parts;
    const transaction = () =>
      pool.withConnection((connection) => this.transactionOn(connection, MYSQL, work));
    return failures.noting(retrying(transaction, patience));
  }

  private async transactionOn<Result>(
    connection: MysqlConnection,
    dialect: Dialect,
    work: (session: Session) => Promise<Result>,
  ): Promise<Result> {
    await connection.begin();
    const ending = new TransactionEnd();
    try {
      const manager = await this.entities.managerOn(connection);
      const result = await work(sessionOn(connection, manager, dialect, ending));
      await commit(connection, ending);
      return result;
    } catch (error) {
      await connection.end('ROLLBACK').catch(() => {
        // The transaction ends with its connection; the first error is the one to tell.
        connection.discard();
      });
      throw error;
    }
  }
}

function reading<Result>(
  { pool, patience, failures }: MysqlParts,
  read: (connection: MysqlConnection) => Promise<Result>,
): Promise<Result> {
  return failures.noting(retrying(() => pool.withConnection(read), patience));
}

/**
 * @throws UnknownOutcomeError where the connection is lost before the answer comes, or the node loses
 *   its cluster; that another transaction was preferred is known, and thrown as it is
 */
async function commit(connection: MysqlConnection, ending: TransactionEnd): Promise<void> {
  try {
    await connection.end('COMMIT');
  } catch (error) {
    const isUnknown = mayBeDoneElsewhere(error) || codeOf(error) === 'ER_ERROR_DURING_COMMIT';
    if (!isUnknown) throw error;
    ending.tell('unknown');
    throw new UnknownOutcomeError(error);
  }
  ending.tell('committed');
}

function sessionOn(
  connection: MysqlConnection,
  manager: EntityManager,
  dialect: Dialect,
  { onEnd }: TransactionEnd,
): Session {
  return {
    ...{ dialect, manager, onEnd },
    select: (sql, values) => connection.select(sql, values),
    run: (sql, values) => connection.run(sql, values),
  };
}
