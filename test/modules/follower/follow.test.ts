/** `follow` keeps a copy of a ledger in a SQLite file, which survives its process. */
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  affiliation,
  product,
  recurringPayment,
  refund,
  transaction,
  user,
} from '../../support/builders/ledger-records.js';
import { ended, startCli } from '../../support/processes/cli.js';
import {
  followArgs,
  followOnce,
  NO_DATABASE,
  type Followed,
} from '../../support/processes/follow.js';
import {
  byTransactionId,
  readCopy,
  transactionsInCopy,
  writeToCopy,
} from '../../support/oracles/ledger-copy.js';
import { byChance } from '../../support/random/by-chance.js';
import { until } from '../../support/servers/running-service.js';
import { TestService } from '../../support/servers/service.js';

const SALES = 2_300;

let service: TestService;
let key: string;
let files = 0;

beforeAll(async () => {
  service = await TestService.start();
  await service.import([
    user(1),
    user(2, { display_name: 'Zoë "Z"' }),
    user(3),
    user(4),
    product(10, 1),
    product(20, 4),
    affiliation(2, 10),
    recurringPayment('P-1', 10),
    ...Array.from({ length: SALES }, (_, index) =>
      transaction(`sale-${index}`, 10, {
        affiliate_id: index % 2 === 0 ? 2 : null,
        amount: `${index}.07`,
      }),
    ),
    transaction('of-another', 20),
  ]);
  key = await service.key(1);
});
afterAll(() => service.stop());

function newFile(name: string): string {
  files += 1;
  return join(service.database.folder, `${files}-${name}`);
}

function followed(): Followed {
  return { url: `http://127.0.0.1:${service.port}`, key, folder: service.database.folder };
}

/** Expects that the copy has the same data as an export and the other operations. */
async function expectWholeCopy(file: string): Promise<void> {
  const { text } = await service.get('/ledger/v1/transactions.ndjson', key);
  expect(transactionsInCopy(file)).toEqual(byTransactionId(text));
  const { results } = await service.envelope('/v2.1/products/names', key);
  const products = 'SELECT product_id, product_name FROM products ORDER BY product_id';
  expect(readCopy(file, products)).toEqual(results);
  const [payment] = (await service.envelope('/v2.0/recurring_payment/P-1', key)).results;
  expect(jsonOf(file, 'recurring_payments')).toEqual([payment]);
  const [terms] = (await service.envelope('/v2.1/affiliates/2/products/10', key)).results;
  expect(jsonOf(file, 'relationships')).toEqual([terms]);
}

function jsonOf(file: string, table: string): unknown[] {
  const rows = readCopy<{ json: string }>(file, `SELECT json FROM ${table}`);
  return rows.map(({ json }) => JSON.parse(json) as unknown);
}

describe('follow', () => {
  it('copies a ledger, and goes on from where it ended', async () => {
    const file = newFile('copy.sqlite');
    expect(await followOnce(followed(), file)).toMatchObject({ status: 0, stdout: '' });
    await expectWholeCopy(file);
    // Only its owner can read it.
    expect(statSync(file).mode & 0o777).toBe(0o600);
    await service.import([
      transaction('sale-0', 10, { affiliate_id: 2, refund: refund('2025-07-01T00:00:00Z') }),
      transaction('late', 10, { affiliate_id: 2 }),
      user(2, { display_name: 'Renamed \\ / "again" 🎈' }),
      product(10, 1, { name: 'Renamed' }),
    ]);
    const { stderr, status } = await followOnce(followed(), file);
    expect([status, stderr]).toEqual([
      0,
      expect.stringMatching(/^4 changes; up to date at the cursor \d+\n$/),
    ]);
    await expectWholeCopy(file);
  });

  it('deletes what left the ledger', async () => {
    const file = newFile('removed.sqlite');
    await service.import([recurringPayment('P-2', 10, { id: 2 })]);
    await followOnce(followed(), file);
    expect(jsonOf(file, 'recurring_payments')).toHaveLength(2);
    await service.import([recurringPayment('P-2', 20, { id: 2 })]);
    await followOnce(followed(), file);
    await expectWholeCopy(file);
  });

  it('holds amounts as cents, so that SQL adds them up exactly', async () => {
    const file = newFile('sums.sqlite');
    await followOnce(followed(), file);
    const { results } = await service.envelope('/v3.0/transactions/sale-1', key);
    expect(results).toMatchObject([{ amount: '1.07' }]);
    const sums = readCopy(
      file,
      `SELECT COUNT(*) AS sales, SUM(amount_cents) AS cents, COUNT(affiliate_id) AS shared
        FROM transactions WHERE transaction_id LIKE 'sale-%' AND refund_date IS NULL
        AND transaction_id <> 'sale-0'`,
    );
    const cents = Array.from({ length: SALES }, (_, index) => index * 100 + 7);
    expect(sums).toEqual([
      { sales: SALES - 1, cents: cents.slice(1).reduce((sum, one) => sum + one), shared: 1_149 },
    ]);
  });

  it('brings a copy of the previous version up to date, and shows when a payment is due', async () => {
    const file = newFile('previous.sqlite');
    await followOnce(followed(), file);
    const due = 'SELECT pre_key, next_date FROM recurring_payments';
    const expected = [{ pre_key: 'P-1', next_date: '2025-07-01T12:00:00+00:00' }];
    expect(readCopy(file, due)).toEqual(expected);
    writeToCopy(
      file,
      `ALTER TABLE recurring_payments DROP COLUMN next_date;
       UPDATE follow_state SET value = '1' WHERE name = 'layout'`,
    );
    expect(await followOnce(followed(), file)).toMatchObject({ status: 0 });
    expect(readCopy(file, due)).toEqual(expected);
    await expectWholeCopy(file);
  });

  it('tells its state as JSON', async () => {
    const { stdout } = await followOnce(followed(), newFile('json.sqlite'), '--json');
    const pages = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as object);
    expect(pages).toHaveLength(3);
    expect(pages.at(-1)).toMatchObject({ has_more: false });
  });

  it('loses nothing when it is killed, beside writers', async () => {
    const file = newFile('killed.sqlite');
    for (let round = 0; round < 8; round += 1) {
      const child = startCli(NO_DATABASE, followArgs(followed(), file));
      const end = ended(child);
      const written = service.import(
        Array.from({ length: 300 }, (_, index) =>
          transaction(`beside-${(round * 100 + index) % 500}`, 10, {
            amount: `${round}.${10 + (index % 90)}`,
          }),
        ),
      );
      await until('a copy', () => Promise.resolve(existsSync(file)));
      await byChance(250);
      child.kill('SIGKILL');
      expect((await end).status).toBeNull();
      await written;
    }
    expect((await followOnce(followed(), file)).status).toBe(0);
    await expectWholeCopy(file);
  });

  it('follows until it is told to end', async () => {
    const file = newFile('followed.sqlite');
    await followOnce(followed(), file);
    const child = startCli(NO_DATABASE, followArgs(followed(), file));
    const end = ended(child);
    await service.import([transaction('followed', 10)]);
    const found = "SELECT 1 FROM transactions WHERE transaction_id = 'followed'";
    await until('the change', () => Promise.resolve(readCopy(file, found).length === 1));
    child.kill('SIGTERM');
    expect((await end).status).toBe(0);
    await expectWholeCopy(file);
  });
});
