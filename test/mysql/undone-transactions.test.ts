/**
 * Errors with which a server reports a transaction that it has rolled back. A trigger raises those
 * of TiDB.
 */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createConnection, type Connection, type RowDataPacket } from 'mysql2/promise';
import { expectFailure } from '../support/oracles/failure.js';
import { affiliation, product, user } from '../support/builders/ledger-records.js';
import { TestService } from '../support/servers/service.js';

const RELATIONSHIP = '/v2.1/affiliates/100/products/10';

let service: TestService;
let connection: Connection;
let key: string;

beforeAll(async () => {
  service = await TestService.start();
  await service.import([user(1), product(10, 1), user(100), affiliation(100, 10)]);
  key = await service.key(1);
  connection = await createConnection(service.database.url);
  // A ROLLBACK does not change a table of this engine.
  await connection.query('CREATE TABLE told (times INT NOT NULL) ENGINE=MyISAM');
});
afterAll(async () => {
  await connection.end();
  await service.stop();
});

/**
 * Rolls back the next transactions with an error at their last statement before the commit.
 * @param times how many transactions
 */
async function tell(error: number, times: number): Promise<void> {
  await connection.query('TRUNCATE TABLE audit_log');
  await connection.query('DELETE FROM told');
  await connection.query('INSERT INTO told VALUES (0)');
  await connection.query('DROP TRIGGER IF EXISTS undoing');
  await connection.query(`CREATE TRIGGER undoing BEFORE INSERT ON audit_log FOR EACH ROW
    IF (SELECT times FROM told) < ${times} THEN
      UPDATE told SET times = times + 1;
      SIGNAL SQLSTATE 'HY000' SET MYSQL_ERRNO = ${error}, MESSAGE_TEXT = 'undone';
    END IF`);
}

async function changes(): Promise<number> {
  const [[row]] = await connection.query<RowDataPacket[]>('SELECT COUNT(*) AS n FROM audit_log');
  return Number(row?.n);
}

let commission = 10;
/** Changes the relationship, each time to another value. */
function put() {
  commission += 1;
  const terms = { approval_status: 'INSTANT', custom_commission: commission };
  return service.put(RELATIONSHIP, key, terms);
}

describe('A transaction that the server has undone', () => {
  it.each([
    // Another writer was first: a changed read, a duplicate key, a lock that was not free in time,
    // a deadlock.
    [1020, 2],
    [1062, 2],
    [1205, 2],
    [1213, 2],
    // Conflicts of TiDB.
    [8002, 2],
    [8005, 2],
    [8022, 2],
    [8028, 2],
    [9007, 2],
    // A node has lost its cluster, is read-only, or is shutting down. The service waits for it for
    // one second, so a second error would be in time only on a machine that is not busy.
    [1047, 1],
    [1053, 1],
    [1290, 1],
    [1792, 1],
    [1836, 1],
    [3032, 1],
  ])('is done again after error %i that was told %i times', async (error, times) => {
    await tell(error, times);
    expect((await put()).status).toBe(200);
    expect(await changes()).toBe(1);
  });

  it.each([
    [8004, undefined],
    [9005, undefined],
    // A statement took too long, on MariaDB or MySQL, so a later attempt may succeed.
    [1969, '2'],
    [3024, '2'],
  ])('is not done again after error %i; Retry-After is %s', async (error, retryAfter) => {
    await tell(error, 2);
    for (let told = 0; told < 2; told += 1) {
      const refused = await put();
      expectFailure(refused, 5000, '2.1');
      expect(refused.headers['retry-after']).toBe(retryAfter);
      expect(await changes()).toBe(0);
    }
    expect((await put()).status).toBe(200);
  });
});
