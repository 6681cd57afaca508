/** Several hosts in DATABASE_URL: here several networks that lead to one server, each to be spoilt. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { createConnection, type Connection, type RowDataPacket } from 'mysql2/promise';
import { DatabaseProbe } from '../../src/operating/database-probe.js';
import { readDatabaseUrl } from '../../src/config/database-url.js';
import { expectFailure } from '../support/failure.js';
import { COMMIT, FlakyProxy } from '../support/flaky-proxy.js';
import { basic } from '../support/http.js';
import { affiliation, product, user } from '../support/ledger-records.js';
import { noted } from '../support/noted-use.js';
import { OwnDatabase } from '../support/own-database.js';
import { until } from '../support/running-service.js';
import { TestService } from '../support/service.js';
import { statesOf } from '../support/gauges.js';
import { statusesOf, SteadyLoad } from '../support/steady-load.js';

const LIMIT_MS = 2_000;
const LIST = '/v3.0/transactions?start_date=2025-01-01&end_date=2025-01-31';
const RELATIONSHIP = '/v2.1/affiliates/100/products/10';

let database: OwnDatabase;
let second: FlakyProxy;
let service: TestService;
let key: string;
let direct: Connection;
const loads: SteadyLoad[] = [];

beforeAll(async () => {
  database = await OwnDatabase.start();
  second = await database.anotherNetwork();
});
afterAll(async () => {
  await second.close();
  await database.end();
});
afterEach(async () => {
  for (const load of loads.splice(0)) await load.end();
  for (const network of [database.network, second]) {
    network.isCut = false;
    network.isRefused = false;
    network.failsOnceBroken = false;
  }
  await direct.end();
  await service.stop();
});

/** An address of both networks, the first one first. */
function bothHosts(): string {
  return database.url.replace(/@([^/]+)/, `@$1,127.0.0.1:${second.port}`);
}

async function start(environment: Record<string, string> = {}): Promise<void> {
  const drop = () => Promise.resolve();
  const onBoth = { url: bothHosts(), folder: '', drop };
  service = await TestService.on(onBoth, { PAGE_CACHE_MB: '0', ...environment });
  await service.import([user(1), product(10, 1), user(100), affiliation(100, 10)]);
  key = await service.key(1);
  direct = await createConnection(database.directUrl);
}

function readers(clients = 4): SteadyLoad {
  const load = new SteadyLoad(service.port, clients, () => ({ path: LIST, headers: basic(key) }));
  loads.push(load);
  return load;
}

/** The one that asks whether the host is there. */
const PULSE = 1;
/** How many connections lead through a network now. */
const widthOf = (network: FlakyProxy) => network.connections;

describe('a cluster of hosts', () => {
  it('is read and written on the first of them alone', async () => {
    await start();
    await Promise.all(Array.from({ length: 20 }, () => service.get(LIST, key)));
    expect(widthOf(database.network)).toBeGreaterThan(PULSE);
    expect(widthOf(second)).toBeLessThanOrEqual(PULSE);
    expect(await statesOf(service, 'database_hosts')).toEqual({ up: 2, passed_over: 0 });
  });

  it('goes on with the next host where the present one is gone, and no caller notices', async () => {
    await start();
    const load = readers();
    await until('answers', () => load.answers.length > 50);
    database.network.fail();
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
    database.network.fail();
    const body = { approval_status: 'INSTANT', custom_sales_page_url: 'https://s.example/1' };
    expect((await service.put(RELATIONSHIP, key, body)).status).toBe(200);
    expect(await written('https://s.example/1')).toBe(1);
  });

  it('repeats a transaction as a whole where its host goes in the middle of it', async () => {
    await start();
    database.network.breakAfter('INSERT INTO audit_log');
    database.network.failsOnceBroken = true;
    const body = { approval_status: 'DENIED', custom_sales_page_url: 'https://s.example/2' };
    expect((await service.put(RELATIONSHIP, key, body)).status).toBe(200);
    expect(database.network.hasBroken).toBe(true);
    expect(await written('https://s.example/2')).toBe(1);
  });

  it('stays where it is when the first host comes back, and returns when it is needed', async () => {
    await start();
    database.network.fail();
    expect((await service.get(LIST, key)).status).toBe(200);
    database.network.isRefused = false;
    await until('the first host', async () => (await statesOf(service, 'database_hosts')).up === 2);
    await Promise.all(Array.from({ length: 20 }, () => service.get(LIST, key)));
    // One more is that of the try that found it well.
    expect(widthOf(database.network)).toBeLessThanOrEqual(PULSE + 1);
    second.fail();
    expect((await service.get(LIST, key)).status).toBe(200);
  });

  it.each(['isRefused', 'isCut'] as const)(
    'tells of a host that is not in use and is gone, and of its return: %s',
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

  it('is left in time where the present host is silent', async () => {
    await start();
    const load = readers();
    await until('answers', () => load.answers.length > 50);
    const cut = performance.now();
    database.network.isCut = true;
    await until('good answers only', () => {
      const last = load.answers.slice(-50).filter(({ begun }) => begun > cut);
      return last.length === 50 && last.every(({ answer }) => answer.status === 200);
    });
    expect(performance.now() - cut).toBeLessThan(2 * LIMIT_MS);
    await load.end();
    expect(Math.max(...load.answers.map(({ ms }) => ms))).toBeLessThan(LIMIT_MS);
    // Who was reading when it fell silent reads on the other host.
    expect(statusesOf(load.answers)).toEqual({ 200: load.answers.length });
  });

  it('is left by those, too, who wait for a connection of a host that fell silent', async () => {
    await start({ DATABASE_CONNECTIONS: '2', DATABASE_STATEMENT_MS: '10000' });
    const load = readers(12);
    await until('answers', () => load.answers.length > 50);
    database.network.isCut = true;
    const seen = load.answers.length;
    await until('answers by the other', () => load.answers.length > seen + 50);
    await load.end();
    expect(Math.max(...load.answers.map(({ ms }) => ms))).toBeLessThan(LIMIT_MS);
    expect(statusesOf(load.answers)).toEqual({ 200: load.answers.length });
  });

  it('is left by those, too, whose connection is being made when it falls silent', async () => {
    await start({ DATABASE_STATEMENT_MS: '10000' });
    database.network.cutBefore('SET SESSION TRANSACTION');
    const begun = performance.now();
    const asked = Array.from({ length: 20 }, () => service.get(LIST, key));
    expect((await Promise.all(asked)).map(({ status }) => status)).toEqual(asked.map(() => 200));
    expect(performance.now() - begun).toBeLessThan(LIMIT_MS);
    expect(database.network.isCut).toBe(true);
  });

  it('tells a write that was at its commit when its host fell silent that nobody knows', async () => {
    await start({ DATABASE_STATEMENT_MS: '10000' });
    await service.get(LIST, key);
    await noted(direct);
    database.network.cutBefore(COMMIT);
    const body = { approval_status: 'INSTANT', custom_sales_page_url: 'https://s.example/3' };
    const sent = performance.now();
    const answer = await service.put(RELATIONSHIP, key, body);
    expect(performance.now() - sent).toBeLessThan(LIMIT_MS);
    expectFailure(answer, 5000, '2.1');
    expect(answer.headers['retry-after']).toBe('2');
    expect(await written('https://s.example/3')).toBe(0);
    // Both networks lead to one server, where the transaction would hold its locks.
    database.network.breakAll();
    // What a client does then.
    expect((await service.put(RELATIONSHIP, key, body)).status).toBe(200);
    expect(await written('https://s.example/3')).toBe(1);
  });

  it('is not left for a statement that takes long', async () => {
    await start({ DATABASE_STATEMENT_MS: '10000' });
    await service.get(LIST, key);
    await direct.query('LOCK TABLES affiliations WRITE');
    const read = service.get(RELATIONSHIP, key);
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    await direct.query('UNLOCK TABLES');
    expect((await read).status).toBe(200);
    expect(await statesOf(service, 'database_hosts')).toEqual({ up: 2, passed_over: 0 });
  });

  it('that is away as a whole is told in time, and is found again by itself', async () => {
    await start();
    const load = readers();
    await until('answers', () => load.answers.length > 20);
    database.network.fail();
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

  it('is ready as long as one host answers', async () => {
    await start();
    const probe = new DatabaseProbe(readDatabaseUrl(bothHosts()));
    expect(await probe.probe()).toMatchObject({ answers: true });
    for (const [failing, other] of [
      [database.network, second],
      [second, database.network],
    ] as const) {
      failing.fail();
      other.isRefused = false;
      await pause();
      expect(await probe.probe()).toMatchObject({ answers: true });
    }
    database.network.fail();
    await pause();
    expect(await probe.probe()).toMatchObject({ answers: false });
    probe.close();
  });

  it('starts on any host that answers', async () => {
    database.network.fail();
    await start();
    expect((await service.get(LIST, key)).status).toBe(200);
  });
});

/** Longer than an answer of the probe is kept. */
const pause = () => new Promise((resolve) => setTimeout(resolve, 600));

async function written(page: string): Promise<number> {
  const sql =
    "SELECT COUNT(*) AS times FROM audit_log WHERE action = 'affiliation.set' AND state_after LIKE ?";
  const [rows] = await direct.query<RowDataPacket[]>(sql, [`%${page}%`]);
  return Number(rows[0]?.times);
}
