/**
 * The commands in docs/operating/backup.md for a recovery to a point in time, exactly as they are written
 * there.
 */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createConnection, type RowDataPacket } from 'mysql2/promise';
import { findProgram } from '../../scripts/find-program.mjs';
import { dateTimeOf } from '../../src/platform/values/time.js';
import { ApiApplicationsService } from '../../src/modules/accounts/applications/api-applications.service.js';
import { auditLinesOf, LOGGED } from '../support/sql/audit-log.js';
import { runCli } from '../support/processes/cli.js';
import {
  affiliation,
  product,
  recurringPayment,
  transaction,
  user,
} from '../support/builders/ledger-records.js';
import { OwnDatabase } from '../support/servers/own-database.js';
import { blockOf, optionsIn, typed } from '../support/docs/page-commands.js';
import { hasMariaDb } from '../support/servers/replicated-database.js';
import { until } from '../support/servers/running-service.js';
import { TestService } from '../support/servers/service.js';
import { RELATIONSHIP } from '../support/servers/two-hosts.js';
import { change, timesWritten } from '../support/docs/written-pages.js';

const canRecover = hasMariaDb() && findProgram(['mariadb-binlog']) !== null;
const LIST = '/v3.0/transactions?start_date=2025-06-01&end_date=2025-06-30';
const BEFORE = [1, 2, 3, 4, 5];
const AFTER = [6, 7, 8];

let folder: string;
let lost: OwnDatabase;
let fresh: OwnDatabase;
let second: string;
let keys: string[];
let lines: string[];
let service: TestService;

function serviceOn(database: OwnDatabase): Promise<TestService> {
  return TestService.on({ url: database.url, folder: '', drop: () => Promise.resolve() }, LOGGED);
}

async function writeAll(numbers: readonly number[]): Promise<void> {
  for (const number of numbers) {
    expect((await service.put(RELATIONSHIP, keys[0] ?? '', change(number))).status).toBe(200);
  }
}

/** Replaces the folders and the database of the page by those of the test. */
function here(block: string): string {
  return block
    .replaceAll('/var/log/mysql/', `${join(folder, 'binlog')}/`)
    .replaceAll('/backup/', `${join(folder, 'backup')}/`)
    .replaceAll('vendor_reporting', 'faults');
}

/** @returns a home folder with the clients' settings for the server */
function homeOf({ directUrl }: OwnDatabase, name: string): string {
  const { hostname, port, username, password } = new URL(directUrl);
  const home = join(folder, name);
  const file = { host: hostname, port, user: username, password };
  const settings = Object.entries(file).map(([key, value]) => `${key}=${value}\n`);
  writeFileSync(join(home, '.my.cnf'), `[client]\n${settings.join('')}`);
  return home;
}

async function recover(): Promise<void> {
  fresh = await OwnDatabase.start();
  const home = homeOf(fresh, 'fresh');
  const connection = await createConnection(fresh.directUrl);
  await connection.query('DROP DATABASE faults');
  await connection.end();
  const where = await typed(here(blockOf('sh', '# The full backup, into')), home);
  const [, first = '', position = ''] =
    /MASTER_LOG_FILE='([^']+)', MASTER_LOG_POS=(\d+)/.exec(where) ?? [];
  const logs = readdirSync(join(folder, 'binlog')).filter(
    (name) => /\.\d+$/.test(name) && name >= first,
  );
  const paths = logs.sort().map((name) => join(folder, 'binlog', name));
  const commands = here(blockOf('sh', '# What came after it'))
    .replace(/--start-position=\d+/, `--start-position=${position}`)
    .replace(/--stop-datetime='[^']+'/, `--stop-datetime='${second}'`)
    .replace(/(?: \S+\/binlog\.\d+)+/, ` ${paths.join(' ')}`);
  expect(paths.length).toBeGreaterThan(0);
  await typed(commands, home);
}

(canRecover ? describe : describe.skip)('point-in-time recovery', () => {
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'vendor-reporting-recovery-'));
    for (const name of ['backup', 'binlog', 'lost', 'fresh']) mkdirSync(join(folder, name));
    lost = await OwnDatabase.start(optionsIn(here(blockOf('ini', '[mysqld]'))));
    service = await serviceOn(lost);
    lines = auditLinesOf(service);
    await service.import([user(1), product(10, 1), user(100), affiliation(100, 10)]);
    await service.import([recurringPayment('PRE', 10, { id: 77 })]);
    keys = [await service.key(1), await service.key(1), await service.key(1)];
    await typed(here(blockOf('sh', '# The full backup, with')), homeOf(lost, 'lost'));
    const applications = service.app.get(ApiApplicationsService);
    await writeAll(BEFORE);
    await service.import([transaction('BEFORE', 10)]);
    await applications.revokeApplication(2);
    second = dateTimeOf(new Date(Date.now() + 1_000));
    await until('the second', () => dateTimeOf(new Date()) >= second);
    await writeAll(AFTER);
    await service.import([transaction('AFTER', 10)]);
    await applications.revokeApplication(3);
    expect(
      (await service.put('/v2.0/recurring_payment/PRE', keys[0] ?? '', { status: 'CANCEL' }))
        .status,
    ).toBe(200);
    await lost.kill();
    await service.stop();
    await recover();
    service = await serviceOn(fresh);
  });
  afterAll(async () => {
    await service.stop();
    await lost.end();
    await fresh.end();
    rmSync(folder, { recursive: true, force: true });
  });

  it('restores everything that was acknowledged before the time, and nothing after', async () => {
    const { results } = await service.envelope(LIST, keys[0] ?? '');
    expect(results.map(({ transaction_id }) => transaction_id)).toEqual(['BEFORE']);
    const connection = await createConnection(fresh.directUrl);
    const written = await timesWritten(connection);
    const [payments] = await connection.query<RowDataPacket[]>(
      'SELECT status FROM recurring_payments',
    );
    await connection.end();
    expect([...written.keys()].sort()).toEqual(BEFORE);
    expect(payments).toEqual([{ status: 'ACTIVE' }]);
    const statuses = keys.map(async (key) => (await service.get('/v3.0', key)).status);
    expect(await Promise.all(statuses)).toEqual([200, 401, 200]);
  });

  it('restores a ledger that passes verify', async () => {
    expect(await runCli(fresh.url, ['verify'])).toMatchObject({ status: 0, stderr: '' });
  });

  it('lacks the later changes, which the audit lines of the log list', async () => {
    const input = lines.join('\n');
    const { status, stdout } = await runCli(fresh.url, ['audit', 'missing', '-'], { input });
    expect(status).toBe(1);
    expect(stdout.match(/^[! ] \d{4}-.*$/gm)?.map((line) => line.slice(27))).toEqual([
      ...AFTER.map(() => 'affiliation.set  affiliate 100, product 10'),
      'key.revoke  application 3 of user 1',
      'recurring_payment.cancel  recurring payment 77',
    ]);
  });
});
