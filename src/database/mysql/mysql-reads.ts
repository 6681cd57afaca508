import type { Reader } from '../database.js';
import type { MysqlConnection } from './mysql-connection.js';

/** How a series of statements reads on a connection. */
export type ReadsOn = <Result>(
  connection: MysqlConnection,
  work: (reader: Reader) => Promise<Result>,
) => Promise<Result>;

/** Each statement sees what was committed before it. */
export const readOn: ReadsOn = (connection, work) => work(sequentialReader(connection));

/** All statements see one state. */
export const readSnapshotOn: ReadsOn = async (connection, work) => {
  await connection.beginSnapshot();
  try {
    const result = await work(sequentialReader(connection));
    await connection.end('COMMIT');
    return result;
  } catch (error) {
    await connection.end('ROLLBACK').catch(() => {
      // Closing the connection ends the snapshot, too. The first error is thrown.
      connection.discard();
    });
    throw error;
  }
};

/** Runs one statement at a time. After an error, all queued statements fail with it. */
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
