import { DatabaseLostError, UnknownOutcomeError } from '../common/errors/database-away.js';
import { Database, type Session, type SqlRow, type SqlValue } from './database.js';
import { MYSQL } from './dialect.js';
import type { MysqlConnection } from './mysql-connection.js';
import type { MysqlPool } from './mysql-pool.js';
import { retrying } from './retry.js';

/** MySQL and MariaDB, through prepared statements. */
export class MysqlDatabase extends Database {
  readonly dialect = MYSQL;

  /** @param pool whose database has its migrations applied */
  constructor(private readonly pool: MysqlPool) {
    super();
  }

  rows<Row extends SqlRow>(sql: string, values: readonly SqlValue[]): Promise<Row[]> {
    const read = () => this.pool.lend((connection) => connection.rows<Row>(sql, values));
    // A connection that was lost while it was idle is found out only when it is used.
    return read().catch((error: unknown) => {
      if (error instanceof DatabaseLostError) return read();
      throw error;
    });
  }

  write<Result>(work: (session: Session) => Promise<Result>): Promise<Result> {
    return retrying(() => this.transaction(work, 'COMMIT'));
  }

  rehearse<Result>(work: (session: Session) => Promise<Result>): Promise<Result> {
    return this.transaction(work, 'ROLLBACK');
  }

  close(): Promise<void> {
    return this.pool.close();
  }

  private transaction<Result>(
    work: (session: Session) => Promise<Result>,
    end: 'COMMIT' | 'ROLLBACK',
  ): Promise<Result> {
    return this.pool.lend(async (connection) => {
      await connection.command('START TRANSACTION');
      try {
        const result = await work(sessionOn(connection));
        await finish(connection, end);
        return result;
      } catch (error) {
        await connection.command('ROLLBACK').catch(() => {
          // The transaction ends with its connection; the first error is the one to tell.
          connection.discard();
        });
        throw error;
      }
    });
  }
}

/** @throws UnknownOutcomeError where the connection is lost before the answer comes */
async function finish(connection: MysqlConnection, end: 'COMMIT' | 'ROLLBACK'): Promise<void> {
  try {
    await connection.command(end);
  } catch (error) {
    throw error instanceof DatabaseLostError ? new UnknownOutcomeError(error) : error;
  }
}

function sessionOn(connection: MysqlConnection): Session {
  return {
    dialect: MYSQL,
    rows: <Row extends SqlRow>(sql: string, values: readonly SqlValue[]) =>
      connection.rows<Row>(sql, values),
    run: (sql, values) => connection.run(sql, values),
  };
}
