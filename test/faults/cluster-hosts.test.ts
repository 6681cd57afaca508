/** Several hosts in DATABASE_URL. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Connection, RowDataPacket } from 'mysql2/promise';
import { DatabaseProbe } from '../../src/platform/observability/database-probe.js';
import { readDatabaseUrl } from '../../src/config/settings/database-url.js';
import { ended, startCli } from '../support/processes/cli.js';
import { expectFailure } from '../support/oracles/failure.js';
import type { FlakyProxy } from '../support/servers/flaky-proxy.js';
import { statesOf } from '../support/processes/gauges.js';
import { basic } from '../support/http/http.js';
import { transaction } from '../support/builders/ledger-records.js';
import { until } from '../support/servers/running-service.js';
import type { TestService } from '../support/servers/service.js';
import { statusesOf, SteadyLoad } from '../support/http/steady-load.js';
import { stopwatch } from '../support/processes/stopwatch.js';
import { BATCH_LINES, bytesOf } from '../support/builders/test-ledger.js';
import { RELATIONSHIP, TwoHosts } from '../support/servers/two-hosts.js';
import { change, timesWritten } from '../support/docs/written-pages.js';

const LIMIT_MS = 2_000;
const LIST = '/v3.0/transactions?start_date=2025-01-01&end_date=2025-01-31';

let hosts: TwoHosts;
let first: FlakyProxy;
let second: FlakyProxy;
let service: TestService;
let key: string;
let direct: Connection;
const loads: SteadyLoad[] = [];

beforeAll(async () => {
  hosts = await TwoHosts.start();
  ({ first, second } = hosts);
});
afterAll(() => hosts.end());
afterEach(async () => {
  for (const load of loads.splice(0)) await load.end();
  await hosts.rest();
});

async function start(environment: Record<string, string> = {}): Promise<void> {
  ({ service, key, direct } = await hosts.serve(environment));
}

function readers(clients = 4): SteadyLoad {
  const load = new SteadyLoad(service.port, clients, () => ({ path: LIST, headers: basic(key) }));
  loads.push(load);
  return load;
}

/** Number of connections for the heartbeat of a host. */
const PULSE = 1;
/** Returns the number of connections through a network now. */
const widthOf = (network: FlakyProxy) => network.connections;

describe('a cluster of hosts', () => {
  it('is read and written on the first one only', async () => {
    await start();
    await Promise.all(Array.from({ length: 20 }, () => service.get(LIST, key)));
    expect(widthOf(first)).toBeGreaterThan(PULSE);
    expect(widthOf(second)).toBeLessThanOrEqual(PULSE);
    // On a busy machine a host may have seemed silent for a moment.
    await until('both', async () => (await statesOf(service, 'database_hosts')).up === 2);
  });

  it('fails over to the next host if the current one is gone, and no caller notices', async () => {
    await start();
    const load = readers();
    await until('answers', () => load.answers.length > 50);
    first.fail();
    const seen = load.answers.length;
    await until('answers by the other', () => load.answers.length > seen + 200);
    await load.end();
    expect(load.failures).toEqual([]);
    expect(statusesOf(load.answers)).toEqual({ 200: load.answers.length });
    expect(Math.max(...load.answers.map(({ ms }) => ms))).toBeLessThan(LIMIT_MS);
    expect(await statesOf(service, 'database_hosts')).toEqual({ up: 1, passed_over: 1 });
  });

  it('writes on the next host, once', async () => {
    await start();
    await service.get(LIST, key);
    first.fail();
    expect((await service.put(RELATIONSHIP, key, change(1))).status).toBe(200);
    expect((await timesWritten(direct)).get(1)).toBe(1);
  });

  it('repeats the whole transaction if its host is lost in the middle of it', async () => {
    await start();
    first.breakAfter('INSERT INTO `audit_log`');
    first.failsOnceBroken = true;
    expect((await service.put(RELATIONSHIP, key, change(2))).status).toBe(200);
    expect(first.hasBroken).toBe(true);
    expect((await timesWritten(direct)).get(2)).toBe(1);
  });

  it('does not go back when the first host is up again, but can fail over to it later', async () => {
    await start();
    first.fail();
    expect((await service.get(LIST, key)).status).toBe(200);
    first.isRefused = false;
    await until('the first host', async () => (await statesOf(service, 'database_hosts')).up === 2);
    await Promise.all(Array.from({ length: 20 }, () => service.get(LIST, key)));
    // The additional connection is that of the check that found the host available.
    expect(widthOf(first)).toBeLessThanOrEqual(PULSE + 1);
    second.fail();
    expect((await service.get(LIST, key)).status).toBe(200);
  });

  it.each(['isRefused', 'isCut'] as const)(
    'reports that an unused host is lost, and that it is back: %s',
    async (fault) => {
      await start();
      await until('both', () => widthOf(second) === PULSE);
      second[fault] = true;
      if (fault === 'isRefused') second.breakAll();
      const states = () => statesOf(service, 'database_hosts');
      await until('it is passed over', async () => (await states()).passed_over === 1);
      expect((await service.get(LIST, key)).status).toBe(200);
      second[fault] = false;
      await until('it is back', async () => (await states()).up === 2);
    },
  );

  it('fails over in time if the current host is silent', async () => {
    await start();
    const load = readers();
    await until('answers', () => load.answers.length > 50);
    const cut = performance.now();
    const waited = stopwatch();
    first.isCut = true;
    await until('good answers only', () => {
      const last = load.answers.slice(-50).filter(({ begun }) => begun > cut);
      return last.length === 50 && last.every(({ answer }) => answer.status === 200);
    });
    expect(waited()).toBeLessThan(2 * LIMIT_MS);
    await load.end();
    expect(Math.max(...load.answers.map(({ ms }) => ms))).toBeLessThan(LIMIT_MS);
    // Reads in progress when the host became silent continue on the other host.
    expect(statusesOf(load.answers)).toEqual({ 200: load.answers.length });
  });

  it('fails over for requests, too, that wait for a connection of a silent host', async () => {
    await start({ DATABASE_CONNECTIONS: '2', DATABASE_STATEMENT_MS: '10000' });
    const load = readers(12);
    await until('answers', () => load.answers.length > 50);
    first.isCut = true;
    const seen = load.answers.length;
    await until('answers by the other', () => load.answers.length > seen + 50);
    await load.end();
    expect(Math.max(...load.answers.map(({ ms }) => ms))).toBeLessThan(LIMIT_MS);
    expect(statusesOf(load.answers)).toEqual({ 200: load.answers.length });
  });

  it('fails over for requests, too, whose host falls silent while they connect', async () => {
    await start({ DATABASE_STATEMENT_MS: '10000' });
    first.cutBefore('SET SESSION TRANSACTION');
    const waited = stopwatch();
    const asked = Array.from({ length: 20 }, () => service.get(LIST, key));
    expect((await Promise.all(asked)).map(({ status }) => status)).toEqual(asked.map(() => 200));
    expect(waited()).toBeLessThan(LIMIT_MS);
    expect(first.isCut).toBe(true);
  });

  it('does not fail over because of a slow statement', async () => {
    await start({ DATABASE_STATEMENT_MS: '10000' });
    await service.get(LIST, key);
    await direct.query('LOCK TABLES affiliations WRITE');
    const read = service.get(RELATIONSHIP, key);
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    await direct.query('UNLOCK TABLES');
    expect((await read).status).toBe(200);
    expect(widthOf(second)).toBeLessThanOrEqual(PULSE);
  });

  it('that is completely unavailable is reported in time, and used again when it is back', async () => {
    await start();
    const load = readers();
    await until('answers', () => load.answers.length > 20);
    first.fail();
    second.fail();
    await until('complaints', () => (statusesOf(load.answers)[500] ?? 0) > 20);
    second.isRefused = false;
    await until('answers again', () => {
      const last = load.answers.slice(-20);
      return last.every(({ answer }) => answer.status === 200);
    });
    await load.end();
    expect(load.failures).toEqual([]);
    for (const { answer, ms } of load.answers) {
      expect(ms).toBeLessThan(LIMIT_MS);
      if (answer.status === 200) continue;
      expectFailure(answer, 5000, '3.0');
      expect(answer.headers['retry-after']).toBe('2');
    }
  });

  it('that is completely unavailable is waited for as long as a statement may take', async () => {
    await start({ DATABASE_STATEMENT_MS: '20000' });
    await service.get(LIST, key);
    first.fail();
    second.fail();
    const asked = [
      ...Array.from({ length: 20 }, () => service.get(LIST, key)),
      service.put(RELATIONSHIP, key, change(3)),
    ];
    await new Promise((resolve) => setTimeout(resolve, LIMIT_MS));
    second.isRefused = false;
    expect((await Promise.all(asked)).map(({ status }) => status)).toEqual(asked.map(() => 200));
    expect((await timesWritten(direct)).get(3)).toBe(1);
  });

  it('that is completely unavailable is waited for by a command, which then continues', async () => {
    await start();
    const sales = Array.from({ length: 3 * BATCH_LINES }, (_, number) =>
      transaction(`sold-${number}`, 10),
    );
    const child = startCli(hosts.url, ['import', '-']);
    const done = ended(child);
    child.stdin.write(bytesOf(sales.slice(0, BATCH_LINES)));
    await until('the first batch', async () => (await countSales()) === BATCH_LINES);
    first.fail();
    second.fail();
    child.stdin.end(bytesOf(sales.slice(BATCH_LINES)));
    await new Promise((resolve) => setTimeout(resolve, 2 * LIMIT_MS));
    expect(child.exitCode).toBeNull();
    second.isRefused = false;
    expect(await done).toMatchObject({ status: 0, stderr: expect.not.stringContaining('error') });
    expect(await countSales()).toBe(sales.length);
  });

  it('is ready as long as one host answers', async () => {
    await start();
    const probe = new DatabaseProbe(readDatabaseUrl(hosts.url));
    expect(await probe.probe()).toMatchObject({ answers: true });
    for (const [failing, other] of [
      [first, second],
      [second, first],
    ] as const) {
      failing.fail();
      other.isRefused = false;
      await pause();
      expect(await probe.probe()).toMatchObject({ answers: true });
    }
    first.fail();
    await pause();
    expect(await probe.probe()).toMatchObject({ answers: false });
    probe.close();
  });

  it('starts on any host that answers', async () => {
    first.fail();
    await start();
    expect((await service.get(LIST, key)).status).toBe(200);
  });
});

/** Waits longer than an answer of the probe is cached. */
const pause = () => new Promise((resolve) => setTimeout(resolve, 600));

async function countSales(): Promise<number> {
  const [rows] = await direct.query<RowDataPacket[]>('SELECT COUNT(*) AS sales FROM transactions');
  return Number(rows[0]?.sales);
}
