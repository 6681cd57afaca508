/** A server that gives out every third number only, as each of three nodes of Galera does. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { walk } from '../support/feeds.js';
import { product, transaction, user } from '../support/ledger-records.js';
import { OwnDatabase } from '../support/own-database.js';
import { resultsOf } from '../support/results.js';
import { TestService } from '../support/service.js';
import { runCli } from '../support/cli.js';

const IDS = ['third', 'first', 'second'];

let database: OwnDatabase;
let service: TestService;
let key: string;
beforeAll(async () => {
  database = await OwnDatabase.start(['--auto-increment-increment=3', '--auto-increment-offset=2']);
  const { url } = database;
  service = await TestService.on({ url, folder: '', drop: () => Promise.resolve() }, {});
  await service.import([user(1), product(10, 1)]);
  for (const id of IDS) await service.import([transaction(id, 10)]);
  [, key] = [await service.key(1), await service.key(1)];
});
afterAll(async () => {
  await service.stop();
  await database.end();
});

describe('numbers with gaps', () => {
  it('are those of applications, each of which has its own key', async () => {
    const { stdout } = await runCli(database.url, ['keys', 'list', '--json']);
    const ids = stdout
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { id: number }).id);
    expect(ids).toEqual([2, 5]);
  });

  it('change nothing of the order in which sales of one second arrived', async () => {
    const list = '/v3.0/transactions?start_date=2025-06-01&end_date=2025-06-01';
    const { results } = await service.envelope(list, key);
    expect(results.map(({ transaction_id }) => transaction_id)).toEqual([...IDS].reverse());
    expect((await walk(service, '/v2.0/latest-transactions', key)).flat()).toEqual(IDS);
    expect(await resultsOf(service, '/v2.1/products/names', key)).toHaveLength(1);
  });
});
