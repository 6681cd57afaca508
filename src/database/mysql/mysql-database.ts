import { codeOf } from '../../common/is-error.js';
import { UnknownOutcomeError } from '../../common/errors/database-unavailable.js';
import type { DatabaseFailures } from '../database-failures.js';
import {
  Database,
  type InTransaction,
  type Reader,
  type Session,
  type SqlRow,
  type SqlValue,
} from '../database.js';
import { MYSQL, type Dialect } from '../dialect.js';
import type { MysqlConnection } from './mysql-connection.js';
import type { ConnectionProvider } from './mysql-pool.js';
import type { MysqlReplicas } from './mysql-replicas.js';
import { mayBeDoneElsewhere, retrying, type Patience } from '../retry.js';
import { TransactionEnd } from '../transaction-end.js';

const LOCKING_NOTHING: Dialect = { ...MYSQL, forUpdate: '' };

/** MySQL and MariaDB, through prepared statements. */
export class MysqlDatabase extends Database {
  readonly dialect = MYSQL;
  override readonly hasReplicas: boolean;

  /** @param pool whose database has its migrations applied */
  constructor(
    private readonly pool: ConnectionProvider,
    private readonly replicas: MysqlReplicas | null,
    private readonly patience: Patience,
    private readonly failures: DatabaseFailures,
  ) {
    super();
    this.hasReplicas = replicas !== null;
  }

  select<Row extends object>(sql: string, values: readonly SqlValue[]): Promise<Row[]> {
    return this.read((connection) => connection.select<Row>(sql, values));
  }

  rows<Row extends SqlRow>(sql: string, values: readonly SqlValue[]): Promise<Row[]> {
    return this.read((connection) => connection.rows<Row>(sql, values));
  }

  override async readRecent<Result>(
    isRecent: (replica: Reader) => Promise<boolean>,
    work: (reader: Reader) => Promise<Result>,
  ): Promise<Result> {
    const read = await this.replicas?.read(isRecent, work);
    return read ? read.result : work(this);
  }

  write<Result>(work: (session: Session) => Promise<Result>): Promise<Result> {
    return this.failures.noting(retrying(() => this.transaction(work), this.patience));
  }

  override writeIdempotent<Result>(work: (session: Session) => Promise<Result>): Promise<Result> {
    const patience = { ...this.patience, findsOutWhatWasDone: true };
    return this.failures.noting(retrying(() => this.transaction(work), patience));
  }

  dryRun<Result>(
    table: string,
    work: (inTransaction: InTransaction) => Promise<Result>,
  ): Promise<Result> {
    return this.pool.withConnection(async (connection) => {
      try {
        await connection.command(table);
        return await work((part) => transactionOn(connection, LOCKING_NOTHING, part));
      } finally {
        // The table goes with it.
        connection.discard();
      }
    });
  }

  async close(): Promise<void> {
    await this.replicas?.close();
    await this.pool.close();
  }

  private read<Row>(work: (connection: MysqlConnection) => Promise<Row[]>): Promise<Row[]> {
    return this.failures.noting(retrying(() => this.pool.withConnection(work), this.patience));
  }

  private transaction<Result>(work: (session: Session) => Promise<Result>): Promise<Result> {
    return this.pool.withConnection((connection) => transactionOn(connection, MYSQL, work));
  }
}

async function transactionOn<Result>(
  connection: MysqlConnection,
  dialect: Dialect,
  work: (session: Session) => Promise<Result>,
): Promise<Result> {
  await connection.begin();
  const ending = new TransactionEnd();
  try {
    const result = await work(sessionOn(connection, dialect, ending));
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
  dialect: Dialect,
  { onEnd }: TransactionEnd,
): Session {
  return {
    dialect,
    select: (sql, values) => connection.select(sql, values),
    rows: (sql, values) => connection.rows(sql, values),
    run: (sql, values) => connection.run(sql, values),
    onEnd,
  };
}
