/** A server with other defaults than those of MySQL and MariaDB. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { createConnection, type Connection } from 'mysql2/promise';
import { affiliation, product, transaction, user } from '../support/builders/ledger-records.js';
import { runCli } from '../support/processes/cli.js';
import { OwnDatabase } from '../support/servers/own-database.js';
import { hasMariaDb } from '../support/servers/replicated-database.js';
import { TestService } from '../support/servers/service.js';

const NAME = 'Zoë Żółć 漢字 🎉';
const MODES = ['ANSI', 'NO_AUTO_VALUE_ON_ZERO', 'NO_BACKSLASH_ESCAPES'];
const OPTIONS = [
  '--character-set-server=latin1',
  '--skip-character-set-client-handshake',
  `--sql-mode=${[...MODES, ...(hasMariaDb() ? ['ORACLE'] : [])].join(',')}`,
  '--autocommit=0',
  '--completion-type=CHAIN',
  '--transaction-isolation=SERIALIZABLE',
  '--log-bin=changes',
  '--server-id=1',
  '--binlog-format=ROW',
  '--default-time-zone=+05:30',
  ...(hasMariaDb() ? ['--alter-algorithm=INSTANT', '--default-regex-flags=UNGREEDY'] : []),
];

let database: OwnDatabase;
let connection: Connection;
const folder = mkdtempSync(join(tmpdir(), 'server-settings-'));
beforeAll(async () => {
  database = await OwnDatabase.start(OPTIONS);
  connection = await createConnection(database.directUrl);
});
const services: TestService[] = [];
const answers = new Set<string>();
afterEach(async () => {
  for (const service of services.splice(0)) await service.stop();
});
afterAll(async () => {
  await connection.end();
  await database.end();
  rmSync(folder, { recursive: true });
});

async function setGlobal(variable: string, value: string | number): Promise<void> {
  await connection.query(`SET GLOBAL ${variable} = ?`, [value]);
}

describe('a server with other defaults', () => {
  // The first value is the server's own; with the others no statement can be prepared, or only the
  // first 20.
  it.each([16_382, 0, 20])(
    'holds and shows what was sent, with max_prepared_stmt_count = %i',
    async (prepared) => {
      await setGlobal('max_prepared_stmt_count', prepared);
      const { url } = database;
      const service = await TestService.on({ url, folder, drop: () => Promise.resolve() }, {});
      services.push(service);
      const [vendor, affiliate, id] = [100_000 + prepared, 200_000 + prepared, 300_000 + prepared];
      const customer = { first_name: NAME, last_name: "\\'?", email: '  Zoe@example.test ' };
      await service.import([user(vendor), user(affiliate, { name: NAME }), product(id, vendor)]);
      const sale = transaction(`S-${id}`, id, { affiliate_id: affiliate, customer });
      await service.import([affiliation(affiliate, id), sale]);
      const key = await service.key(vendor);
      const { results } = await service.envelope(`/v3.0/transactions/S-${id}`, key);
      expect(results[0]).toMatchObject({
        customer: { first_name: NAME, last_name: "\\'?" },
      });
      // Numbers, amounts and date-times are equal in every form of transmission.
      answers.add(
        JSON.stringify(results)
          .replaceAll(String(id), 'id')
          .replaceAll(String(affiliate), 'affiliate'),
      );
      expect([...answers]).toHaveLength(1);
      const csv = await service.get('/ledger/v1/transactions.csv', key);
      expect(csv.text).toContain(NAME);
      const path = `/v2.1/affiliates/${affiliate}/products/${id}`;
      const terms = { approval_status: 'DENIED' };
      expect((await service.put(path, key, terms)).status).toBe(200);
      expect((await service.envelope(path, key)).results[0]).toMatchObject({
        status: 'DENIED',
        created: '2025-05-01T06:00:00+00:00',
      });
      const erase = ['people', 'erase', 'zoe@example.test', '--vendor', String(vendor)];
      const erased = await runCli(url, erase, {
        env: { ERASURES_FILE: join(folder, 'erasures.ndjson') },
      });
      expect([erased.status, erased.stderr]).toEqual([0, '']);
      expect(erased.stdout).toContain('1 sales');
      expect(await runCli(url, ['verify'])).toMatchObject({ status: 0, stderr: '' });
    },
  );

  it.each([
    ['binlog_format', 'STATEMENT', 'ROW or MIXED'],
    ['max_allowed_packet', 1_048_576, 'at least 16777216'],
    ...(hasMariaDb() ? [['enforce_storage_engine', 'Aria', 'InnoDB, or none'] as const] : []),
  ])('is refused in one line for %s, which no session can change', async (name, value, wanted) => {
    const [rows] = await connection.query(`SELECT @@global.${name} AS value`);
    const [{ value: before }] = rows as [{ value: string | number }];
    await setGlobal(name, value);
    const { status, stderr } = await runCli(database.url, ['verify']);
    await setGlobal(name, before);
    expect(status).not.toBe(0);
    expect(stderr).toBe(
      `DATABASE_URL: the server has ${name} = ${value}; the service needs ${wanted}.\n`,
    );
  });
});
