import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import BetterSqlite3 from 'better-sqlite3';
import { createConnection } from 'mysql2/promise';
import { expectFailure } from '../../support/oracles/failure.js';
import { basic } from '../../support/http/http.js';
import { product, transaction, user } from '../../support/builders/ledger-records.js';
import { TestService } from '../../support/servers/service.js';
import { dialect } from '../../support/sql/test-database.js';

const LIST = '/v3.0/transactions?start_date=2025-06-01&end_date=2025-06-01';
const SINGLE = '/v3.0/transactions/one';

let service: TestService;
let key: string;

beforeEach(async () => {
  // A cached page would not need the ledger.
  service = await TestService.start({ PAGE_CACHE_MB: '0' });
  await service.import([user(1), product(10, 1), transaction('one', 10)]);
  key = await service.key(1);
});
afterEach(() => service.stop());

/** Runs a statement on a connection of its own, without the service. */
async function onDatabase(statement: string): Promise<void> {
  const { url } = service.database;
  if (dialect === 'sqlite') {
    const database = new BetterSqlite3(url.replace(/^sqlite:/, ''));
    database.exec(statement);
    database.close();
  } else {
    const connection = await createConnection(url);
    await connection.query(statement);
    await connection.end();
  }
}

async function expectInternalError(path: string): Promise<void> {
  const headers = { ...basic(key), 'X-Request-Id': 'the-one-to-ask-about' };
  const detail = expectFailure(await service.send({ path, headers }), 5000);
  expect(detail).toContain('the-one-to-ask-about');
  expect(detail).not.toMatch(/transactions|api_keys|table|no such|doesn't exist/i);
}

describe('an unexpected error is 5000, and its detail names only the request id', () => {
  it.each([LIST, SINGLE])('if a table is missing: %s', async (path) => {
    expect((await service.get(path, key)).status).toBe(200);
    await onDatabase('ALTER TABLE transactions RENAME TO gone');
    await expectInternalError(path);
  });

  it.each([LIST, '/v3.0', '/nowhere'])('if keys cannot be looked up: %s', async (path) => {
    await onDatabase('ALTER TABLE api_keys RENAME TO gone');
    await expectInternalError(path);
  });

  it('with a generated request id', async () => {
    await onDatabase('ALTER TABLE transactions RENAME TO gone');
    const answer = await service.get(SINGLE, key);
    expect(expectFailure(answer, 5000)).toContain(String(answer.headers['x-request-id']));
  });

  it('and ends with its cause', async () => {
    await onDatabase('ALTER TABLE transactions RENAME TO gone');
    await expectInternalError(LIST);
    await onDatabase('ALTER TABLE gone RENAME TO transactions');
    expect((await service.get(LIST, key)).status).toBe(200);
  });
});
