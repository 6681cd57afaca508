import type { Reader } from '../database.js';
import type { MysqlConnection } from './mysql-connection.js';

/** Runs a series of reads on a connection. */
export type ReadsOn = <Result>(
  connection: MysqlConnection,
  work: (reader: Reader) => Promise<Result>,
) => Promise<Result>;

/** Runs reads that each see what was committed before them. */
export const readOn: ReadsOn = (connection, work) => work(sequentialReader(connection));

/** Runs reads that all see one state. */
export const readSnapshotOn: ReadsOn = async (connection, work) => {
  await connection.beginSnapshot();
  try {
    const result = await work(sequentialReader(connection));
    await connection.end('COMMIT');
    return result;
  } catch (error) {
    await connection.end('ROLLBACK').catch(() => {
      // Closing the connection also ends the snapshot. The caller gets the first error.
      connection.discard();
    });
    throw error;
  }
};

/**
 * Returns a reader that runs one statement at a time. After an error, all queued statements fail
 * with it.
 */
function sequentialReader(connection: MysqlConnection): Reader {
  let last: Promise<unknown> = Promise.resolve();
  const next = <Row>(read: () => Promise<Row[]>) => {
    const rows = last.then(read);
    last = rows;
    return rows;
  };
  return {
    select: (sql, values) => next(() => connection.select(sql, values)),
  };
}
