/** A server that assigns only every third number, like each of three nodes of Galera. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Database } from '../../src/platform/database/database.js';
import { AuditService } from '../../src/modules/audit/audit.service.js';
import { auditLinesOf, LOGGED, messageOf, someEntry } from '../support/sql/audit-log.js';
import { walk } from '../support/http/feeds.js';
import { product, transaction, user } from '../support/builders/ledger-records.js';
import { OwnDatabase } from '../support/servers/own-database.js';
import { resultsOf } from '../support/http/results.js';
import { TestService } from '../support/servers/service.js';
import { runCli } from '../support/processes/cli.js';

const IDS = ['third', 'first', 'second'];

let database: OwnDatabase;
let service: TestService;
let key: string;
beforeAll(async () => {
  database = await OwnDatabase.start(['--auto-increment-increment=3', '--auto-increment-offset=2']);
  const { url } = database;
  service = await TestService.on({ url, folder: '', drop: () => Promise.resolve() }, LOGGED);
  auditLinesOf(service);
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

  it('are those of audit entries, also of many that are written together', async () => {
    const lines = auditLinesOf(service);
    const audit = service.app.get(AuditService);
    const entries = Array.from({ length: 8 }, (_, index) => someEntry(`number ${index}`));
    await service.app.get(Database).write((session) => audit.recordAll(session, entries));
    const stored = await audit.lastEntries(entries.length);
    expect(lines.map(messageOf)).toEqual(stored);
    expect(stored.map(({ subject }) => subject)).toEqual(entries.map(({ subject }) => subject));
  });

  it('change nothing of the order in which sales of one second arrived', async () => {
    const list = '/v3.0/transactions?start_date=2025-06-01&end_date=2025-06-01';
    const { results } = await service.envelope(list, key);
    expect(results.map(({ transaction_id }) => transaction_id)).toEqual([...IDS].reverse());
    expect((await walk(service, '/v2.0/latest-transactions', key)).flat()).toEqual(IDS);
    expect(await resultsOf(service, '/v2.1/products/names', key)).toHaveLength(1);
  });
});
