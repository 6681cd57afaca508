import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { createConnection, type Connection, type RowDataPacket } from 'mysql2/promise';
import { Database } from '../../src/platform/database/database.js';
import { DatabaseProbe } from '../../src/platform/observability/database-probe.js';
import { expectFailure } from '../support/oracles/failure.js';
import { COMMIT } from '../support/servers/flaky-proxy.js';
import { basic } from '../support/http/http.js';
import { affiliation, product, user } from '../support/builders/ledger-records.js';
import { noted } from '../support/processes/noted-use.js';
import { OwnDatabase } from '../support/servers/own-database.js';
import { until } from '../support/servers/running-service.js';
import { stopwatch } from '../support/processes/stopwatch.js';
import { TestService } from '../support/servers/service.js';
import {
  change,
  expectWrittenOnce,
  pageWriters,
  timesWritten,
} from '../support/docs/written-pages.js';
import { statusesOf, SteadyLoad, type Timed } from '../support/http/steady-load.js';

const LIMIT_MS = 2_000;
/** Time from the end of a fault to successful answers only. */
const HEALED_MS = 8_000;
const CLIENTS = 8;
const PRODUCT = 10;
const AFFILIATES = Array.from({ length: CLIENTS }, (_, place) => 100 + place);
const LIST = '/v3.0/transactions?start_date=2025-01-01&end_date=2025-01-31';

let database: OwnDatabase;
let service: TestService;
let key: string;
let direct: Connection;
let loads: SteadyLoad[] = [];

beforeAll(async () => {
  database = await OwnDatabase.start();
});
afterAll(() => database.end());
afterEach(async () => {
  database.network.delayMs = 0;
  database.network.isCut = false;
  for (const load of loads) await load.end();
  loads = [];
  await direct.end();
  await service.stop();
  // The server would keep the locks of connections that were cut off.
  database.network.breakAll();
});

async function start(environment: Record<string, string> = {}): Promise<void> {
  const { url } = database;
  const drop = () => Promise.resolve();
  service = await TestService.on({ url, folder: '', drop }, { PAGE_CACHE_MB: '0', ...environment });
  await service.import([
    user(1),
    product(PRODUCT, 1),
    ...AFFILIATES.flatMap((id) => [user(id), affiliation(id, PRODUCT)]),
  ]);
  key = await service.key(1);
  direct = await createConnection(database.directUrl);
}

const relationship = (client: number) => `/v2.1/affiliates/${100 + client}/products/${PRODUCT}`;
function readers(clients = CLIENTS): SteadyLoad {
  const load = new SteadyLoad(service.port, clients, () => ({ path: LIST, headers: basic(key) }));
  loads.push(load);
  return load;
}

function writers(acknowledged: number[]): SteadyLoad {
  const { port } = service;
  const load = pageWriters(
    { port, key, clients: CLIENTS, path: relationship, from: 0 },
    acknowledged,
  );
  loads.push(load);
  return load;
}

/** Expects that every answer succeeded, or reported in time that the database is unavailable. */
function expectTold(answers: readonly Timed[]): void {
  for (const { answer, ms } of answers) {
    expect(ms).toBeLessThan(LIMIT_MS);
    if (answer.status === 200) continue;
    expect(answer.status).toBe(500);
    expectFailure(answer, 5000, String(answer.headers['x-api-version']));
    expect(answer.headers['retry-after']).toBe('2');
  }
}

describe('a database that is killed and restarted under load', () => {
  it('is reported in time, is used again when it is back, and no acknowledged write is lost or done twice', async () => {
    await start();
    const acknowledged: number[] = [];
    const [reads, writes] = [readers(), writers(acknowledged)];
    await until('writes', () => acknowledged.length > 50);
    await database.kill();
    const seen = reads.answers.length;
    await until(
      'the first complaints',
      () => statusesOf(reads.answers.slice(seen))[500] !== undefined,
    );
    await database.restart();
    const again = acknowledged.length;
    await until('writes again', () => acknowledged.length > again + 50);
    for (const load of [reads, writes]) {
      await load.end();
      expect(load.failures).toEqual([]);
      expectTold(load.answers);
    }
    await direct.end().catch(() => undefined);
    direct = await createConnection(database.directUrl);
    await expectWrittenOnce(direct, acknowledged);
  });
});

describe('a connection that breaks', () => {
  it('while it is idle is not noticed by any caller', async () => {
    await start();
    await Promise.all(Array.from({ length: 20 }, () => service.get(LIST, key)));
    database.network.breakAll();
    const answers = await Promise.all(Array.from({ length: 20 }, () => service.get(LIST, key)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const put = await service.put(relationship(0), key, { approval_status: 'DENIED' });
    expect(put.status).toBe(200);
  });

  it('within a transaction causes a retry of the whole transaction', async () => {
    await start();
    database.network.breakAfter('INSERT INTO `audit_log`');
    expect((await service.put(relationship(0), key, change(7_000_001))).status).toBe(200);
    expect(database.network.hasBroken).toBe(true);
    expect((await timesWritten(direct)).get(7_000_001)).toBe(1);
  });

  it.each([
    ['breakBefore', 7_000_002],
    ['breakAfter', 7_000_003],
  ] as const)('at the commit leaves the transaction done once: %s', async (fault, number) => {
    await start();
    await service.get(LIST, key);
    await noted(direct);
    database.network[fault](COMMIT);
    expect((await service.put(relationship(0), key, change(number))).status).toBe(200);
    expect(database.network.hasBroken).toBe(true);
    expect((await timesWritten(direct)).get(number)).toBe(1);
  });
});

describe('a network that is slow or cut', () => {
  it('delays answers, and has no other effect', async () => {
    await start();
    database.network.delayMs = 20;
    const answers = await Promise.all(Array.from({ length: 20 }, () => service.get(LIST, key)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  });

  it('is reported to every caller in time, and recovers without a late answer', async () => {
    await start();
    const load = readers();
    await until('answers', () => load.answers.length > 50);
    database.network.isCut = true;
    const seen = load.answers.length;
    await until('complaints', () => (statusesOf(load.answers.slice(seen))[500] ?? 0) > 20);
    database.network.isCut = false;
    // Connections that were cut off stay silent, as in a network that has lost their state.
    const healed = performance.now();
    const waited = stopwatch();
    await until('good answers only', () => {
      const last = load.answers.slice(-100).filter(({ begun }) => begun > healed);
      return last.length === 100 && last.every(({ answer }) => answer.status === 200);
    });
    expect(waited()).toBeLessThan(HEALED_MS);
    await load.end();
    expect(load.failures).toEqual([]);
    expectTold(load.answers);
  });
});

describe('a pool of two with 200 clients', () => {
  it('lets no request wait forever, and the service stays ready', async () => {
    await start({ DATABASE_CONNECTIONS: '2' });
    const probe = new DatabaseProbe({
      dialect: 'mysql',
      hosts: [{ host: '127.0.0.1', port: database.network.port }],
      user: 'tests',
      password: 'tests',
      database: 'faults',
      tls: {},
    });
    database.network.delayMs = 40;
    const load = readers(200);
    // Clients that retry at once would keep this process busy, which also has to answer them.
    load.pauseMs = 500;
    for (let asked = 0; asked < 6; asked += 1) {
      await new Promise((resolve) => setTimeout(resolve, 600));
      expect(await probe.probe()).toMatchObject({ answers: true });
    }
    await load.end();
    probe.close();
    expect(load.failures).toEqual([]);
    expectTold(load.answers);
    expect(statusesOf(load.answers)[200]).toBeGreaterThan(0);
    database.network.delayMs = 0;
    expect((await service.get(LIST, key)).status).toBe(200);
  });
});

describe('after a timeout for a connection', () => {
  it('a request that finds a free connection is not refused', async () => {
    await start({ DATABASE_CONNECTIONS: '2', DATABASE_STATEMENT_MS: '5000' });
    const put = (client: number, custom_commission: number) =>
      service.put(relationship(client), key, { approval_status: 'INSTANT', custom_commission });
    expect((await put(0, 1)).status).toBe(200);
    await direct.query('LOCK TABLES affiliations READ');
    const held = [put(0, 2), put(1, 2)];
    await until('both to be held', async () => {
      const [waiting] = await direct.query<RowDataPacket[]>(
        "SELECT id FROM information_schema.processlist WHERE state LIKE 'Waiting for table%'",
      );
      return waiting.length === 2;
    });
    expect((await service.get(LIST, key)).status).toBe(500);
    await direct.query('UNLOCK TABLES');
    expect((await Promise.all(held)).map(({ status }) => status)).toEqual([200, 200]);
    // The service reads with two connections at a time.
    expect((await put(2, 2)).status).toBe(200);
  });
});

describe('a statement that takes too long', () => {
  it('is ended by the server itself', async () => {
    await start({ DATABASE_STATEMENT_MS: '300' });
    const SLEEP_MS = 20_000;
    const waited = stopwatch();
    await service.app
      .get(Database)
      .select(`SELECT SLEEP(${SLEEP_MS / 1_000})`, [])
      .catch((error: unknown) => {
        // MySQL ends a sleep without an error. The service does not wait for a server that reports
        // it late.
        expect(['StatementTimeoutError', 'DatabaseTimeoutError']).toContain(
          error instanceof Error ? error.name : error,
        );
      });
    expect(waited()).toBeLessThan(1_000);
    // The server answers just before it removes the ended statement from its list.
    await until('the end of the statement', async () => {
      const [running] = await direct.query<RowDataPacket[]>(
        "SELECT id FROM information_schema.processlist WHERE info LIKE 'SELECT SLEEP%'",
      );
      return running.length === 0;
    });
    expect(waited()).toBeLessThan(SLEEP_MS / 2);
    expect((await service.get(LIST, key)).status).toBe(200);
  });
});
