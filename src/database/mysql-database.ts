import type { Pool, PoolConnection, QueryError, ResultSetHeader, RowDataPacket } from 'mysql2';
import type { DataSource } from 'typeorm';
import { Database, type Session, type SqlRow, type SqlValue } from './database.js';
import { MYSQL } from './dialect.js';
import { retrying } from './retry.js';

/** MySQL and MariaDB, through prepared statements on the pool that TypeORM owns. */
export class MysqlDatabase extends Database {
  readonly dialect = MYSQL;

  private constructor(
    private readonly dataSource: DataSource,
    private readonly pool: Pool,
  ) {
    super();
  }

  /** @param dataSource connected, its migrations applied */
  static open(dataSource: DataSource): MysqlDatabase {
    const { driver } = dataSource;
    const pool: unknown = 'pool' in driver ? driver.pool : undefined;
    if (!isPool(pool)) throw new Error('a pool of mysql2 is expected');
    return new MysqlDatabase(dataSource, pool);
  }

  rows<Row extends SqlRow>(sql: string, values: readonly SqlValue[]): Promise<Row[]> {
    return selected<Row>(this.pool, sql, values);
  }

  write<Result>(work: (session: Session) => Promise<Result>): Promise<Result> {
    return retrying(() => this.transaction(work, 'commit'));
  }

  rehearse<Result>(work: (session: Session) => Promise<Result>): Promise<Result> {
    return this.transaction(work, 'roll back');
  }

  async close(): Promise<void> {
    await this.dataSource.destroy();
  }

  private async transaction<Result>(
    work: (session: Session) => Promise<Result>,
    end: 'commit' | 'roll back',
  ): Promise<Result> {
    const runner = this.dataSource.createQueryRunner();
    try {
      const connection: unknown = await runner.connect();
      if (!isConnection(connection)) {
        throw new Error('a connection of mysql2 is expected');
      }
      // Each statement sees what is committed by then, above all after the wait for a lock.
      await runner.startTransaction('READ COMMITTED');
      const result = await work({
        dialect: MYSQL,
        rows: <Row extends SqlRow>(sql: string, values: readonly SqlValue[]) =>
          selected<Row>(connection, sql, values),
        run: (sql, values) => affected(connection, sql, values),
      });
      if (end === 'commit') await runner.commitTransaction();
      else await runner.rollbackTransaction();
      return result;
    } catch (error) {
      // Where the connection is lost, so is the transaction; the first error is the one to tell.
      if (runner.isTransactionActive) await runner.rollbackTransaction().catch(() => undefined);
      throw error;
    } finally {
      await runner.release();
    }
  }
}

function selected<Row extends SqlRow>(
  connection: Pool | PoolConnection,
  sql: string,
  values: readonly SqlValue[],
): Promise<Row[]> {
  return new Promise((resolve, reject) => {
    connection.execute<RowDataPacket[][]>(
      { sql, values: [...values], rowsAsArray: true },
      (error: QueryError | null, rows) => {
        // The driver's types know rows as objects only; `rowsAsArray` makes them arrays.
        if (error === null) resolve(rows as unknown as Row[]);
        else reject(error);
      },
    );
  });
}

function affected(
  connection: PoolConnection,
  sql: string,
  values: readonly SqlValue[],
): Promise<number> {
  return new Promise((resolve, reject) => {
    connection.execute<ResultSetHeader>(sql, [...values], (error: QueryError | null, header) => {
      if (error === null) resolve(header.affectedRows);
      else reject(error);
    });
  });
}

/** TypeORM hands its driver's objects out untyped; these are the checks at that border. */
function isPool(value: unknown): value is Pool {
  return typeof value === 'object' && value !== null && 'getConnection' in value;
}

function isConnection(value: unknown): value is PoolConnection {
  return typeof value === 'object' && value !== null && 'release' in value;
}
