/** Two hosts, one of which is read-only, until they swap roles. */
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createConnection, type Connection, type RowDataPacket } from 'mysql2/promise';
import { DatabaseFailures } from '../../src/platform/database/database-failures.js';
import { statesOf } from '../support/processes/gauges.js';
import { affiliation, product, user } from '../support/builders/ledger-records.js';
import { hasMariaDb, ReplicatedDatabase } from '../support/servers/replicated-database.js';
import { until } from '../support/servers/running-service.js';
import { stopwatch } from '../support/processes/stopwatch.js';
import { TestService } from '../support/servers/service.js';

const RELATIONSHIP = '/v2.1/affiliates/100/products/10';
const change = (page: string) => ({ approval_status: 'INSTANT', custom_sales_page_url: page });
const drop = () => Promise.resolve();

const onMariaDb = hasMariaDb() ? describe : describe.skip;

onMariaDb('a service that is told of a host that can only be read first', () => {
  let database: ReplicatedDatabase;
  let onPrimary: Connection;
  let service: TestService;
  let key: string;

  beforeAll(async () => {
    database = await ReplicatedDatabase.start();
    const { primary, replica, onReplica } = database;
    onPrimary = await createConnection(primary.directUrl);
    // The user of the other tests may write in spite of `read_only`.
    await onPrimary.query("CREATE USER service@'%' IDENTIFIED BY 'service'");
    await onPrimary.query("GRANT ALL ON faults.* TO service@'%'");
    const before = await TestService.on({ url: primary.url, folder: '', drop }, {});
    await before.import([user(1), product(10, 1), user(100), affiliation(100, 10)]);
    key = await before.key(1);
    await before.stop();
    await database.inStep();
    await onReplica.query('SET GLOBAL read_only = 1');
    const hosts = [replica, primary].map(({ network }) => `127.0.0.1:${network.port}`);
    const url = `mysql://service:service@${hosts.join(',')}/faults`;
    service = await TestService.on({ url, folder: '', drop }, {});
  });
  const closing: (() => Promise<void>)[] = [];
  afterAll(async () => {
    for (const close of closing) await close();
    await service.stop();
    await onPrimary.end();
    await database.end();
  });

  /** Returns the failure that makes the service not ready. */
  const failure = () => service.app.get(DatabaseFailures).current;

  async function pageOn(connection: Connection): Promise<unknown> {
    const sql = 'SELECT custom_sales_page_url AS page FROM faults.affiliations';
    const [rows] = await connection.query<RowDataPacket[]>(sql);
    return rows[0]?.page;
  }

  it('writes on the other host', async () => {
    expect((await service.put(RELATIONSHIP, key, change('https://s.example/1'))).status).toBe(200);
    expect(await pageOn(onPrimary)).toBe('https://s.example/1');
    // The host is checked repeatedly, and is still read-only.
    await wait(500);
    expect(await statesOf(service, 'database_hosts')).toEqual({ up: 1, passed_over: 1 });
    expect(failure()).toBeNull();
  });

  it('follows when the hosts change roles', async () => {
    await database.inStep();
    await database.onReplica.query('STOP SLAVE');
    await onPrimary.query('SET GLOBAL read_only = 1');
    await database.onReplica.query('SET GLOBAL read_only = 0');
    await until('a write', async () => {
      const { status } = await service.put(RELATIONSHIP, key, change('https://s.example/2'));
      expect([200, 500]).toContain(status);
      return status === 200;
    });
    expect(await pageOn(database.onReplica)).toBe('https://s.example/2');
    expect(await pageOn(onPrimary)).toBe('https://s.example/1');
  });

  it('continues to read if all hosts are read-only, and reports in time that it cannot write', async () => {
    await database.onReplica.query('SET GLOBAL read_only = 1');
    const waited = stopwatch();
    const { status, headers } = await service.put(RELATIONSHIP, key, change('https://s.example/3'));
    expect(waited()).toBeLessThan(2_000);
    expect([status, headers['retry-after']]).toEqual([500, '2']);
    expect(failure()).toBe('ER_OPTION_PREVENTS_STATEMENT');
    const { results } = await service.envelope(RELATIONSHIP, key);
    expect(results[0]).toMatchObject({ custom_sales_page_url: 'https://s.example/2' });
  });

  it('reaches the host that takes over under one name, without a restart', async () => {
    const { primary, replica, onReplica } = database;
    const network = await primary.anotherNetwork();
    await onPrimary.query('SET GLOBAL read_only = 0');
    const url = `mysql://service:service@127.0.0.1:${network.port}/faults`;
    const single = await TestService.on({ url, folder: '', drop }, {});
    closing.push(
      () => single.stop(),
      () => network.close(),
    );
    const put = (page: string) => single.put(RELATIONSHIP, key, change(page));
    expect((await put('https://s.example/4')).status).toBe(200);
    expect(await pageOn(onPrimary)).toBe('https://s.example/4');
    network.leadTo(Number(new URL(replica.directUrl).port));
    await onPrimary.query('SET GLOBAL read_only = 1');
    await onReplica.query('SET GLOBAL read_only = 0');
    // These run one at a time, on existing connections.
    for (const page of [5, 6, 7].map((number) => `https://s.example/${number}`)) {
      expect((await put(page)).status).toBe(200);
      expect(await pageOn(onReplica)).toBe(page);
    }
    expect(await pageOn(onPrimary)).toBe('https://s.example/4');
  });
});
