/** The service on a real cluster of two nodes that both accept writes. */
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Connection, RowDataPacket } from 'mysql2/promise';
import { Database } from '../../src/platform/database/database.js';
import { GaleraCluster, hasGalera, THIS_HOST } from '../support/servers/galera-cluster.js';
import { basic, envelopeOf } from '../support/http/http.js';
import { affiliation, product, transaction, user } from '../support/builders/ledger-records.js';
import { byChance } from '../support/random/by-chance.js';
import { until } from '../support/servers/running-service.js';
import { TestService } from '../support/servers/service.js';
import {
  change,
  expectWrittenOnce,
  pageOf,
  pageWriters,
  timesWritten,
} from '../support/docs/written-pages.js';
import { SteadyLoad, statusesOf } from '../support/http/steady-load.js';

const ROUNDS = 200;
/** While the remaining nodes agree on their members, each of two statements may wait. */
const LIMIT_MS = 3_000;
/** This is more than the number of connections. */
const CROWD = 30;
const LIST = '/v3.0/transactions?start_date=2025-01-01&end_date=2025-12-31';
const RAISE = 'UPDATE held SET value = value + 1 WHERE id = 1';
const relationship = (affiliate: number) => `/v2.1/affiliates/${affiliate}/products/10`;

// Without Galera, these tests are shown as skipped.
const onGalera = hasGalera() ? describe : describe.skip;

onGalera('two instances on two nodes of a cluster', () => {
  let cluster: GaleraCluster;
  let here: TestService;
  let there: TestService;
  let key: string;
  let direct: Connection;

  beforeAll(async () => {
    cluster = await GaleraCluster.start([THIS_HOST, THIS_HOST]);
    here = await instance(0, 1);
    there = await instance(1, 0);
    await here.import([
      user(1),
      product(10, 1),
      ...[100, 101, 102, 103].flatMap((id) => [user(id), affiliation(id, 10)]),
    ]);
    key = await here.key(1);
    direct = await cluster.connection(1);
    // The connection of the tests is not behind either.
    await direct.query('SET SESSION wsrep_sync_wait = 1');
  });
  afterAll(async () => {
    direct.destroy();
    await there.stop();
    await here.stop();
    await cluster.end();
  });

  function instance(...nodes: readonly number[]): Promise<TestService> {
    const drop = () => Promise.resolve();
    const database = { url: cluster.url(...nodes), folder: '', drop };
    return TestService.on(database, { DATABASE_STATEMENT_MS: '5000' });
  }

  function writers(service: TestService, from: number, acknowledged: number[]): SteadyLoad {
    const path = (client: number) => relationship(100 + client);
    return pageWriters({ port: service.port, key, clients: 4, path, from }, acknowledged);
  }

  it('read on one node what was written on the other', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const [writer, reader] =
        round % 2 === 0 ? ([here, there] as const) : ([there, here] as const);
      expect((await writer.put(relationship(100), key, change(round))).status).toBe(200);
      const { results } = await reader.envelope(relationship(100), key);
      expect(results[0]).toMatchObject({ custom_sales_page_url: pageOf(round) });
    }
  });

  it('wait for commits of another node that this node has not applied yet', async () => {
    await there.get(relationship(100), key);
    // The node receives the writes, and cannot apply them.
    await direct.query('FLUSH TABLES WITH READ LOCK');
    expect((await here.put(relationship(100), key, change(1_000_000))).status).toBe(200);
    const read = there.envelope(relationship(100), key);
    await wait(500);
    await direct.query('UNLOCK TABLES');
    expect((await read).results[0]).toMatchObject({ custom_sales_page_url: pageOf(1_000_000) });
  });

  it('show an import on the other node, under a new ETag', async () => {
    const before = await there.get(LIST, key);
    await here.import([transaction('sold-1', 10)]);
    const answer = await there.get(LIST, key, { 'If-None-Match': before.headers.etag ?? '' });
    expect(answer.status).toBe(200);
    expect(envelopeOf(answer).meta.total_count).toBe(1);
  });

  it.each([
    ['new to it', 'sold-2'],
    ['changed', 'sold-1'],
  ])('show a renamed user if a sale is %s at the same time', async (_, id) => {
    const affiliate = id === 'sold-1' ? 102 : 103;
    const named = (display_name: string) => user(affiliate, { display_name });
    // Another vendor's ledger shows the affiliate, and its row can be held.
    const shown = transaction(`shown-${affiliate}`, 20, { affiliate_id: affiliate });
    await here.import([named('Old'), user(2), product(20, 2), shown]);
    const onFirst = await cluster.connection(0);
    await onFirst.query('BEGIN');
    await onFirst.query('SELECT 1 FROM ledger_revisions WHERE vendor_id = 2 FOR UPDATE');
    const renaming = here.import([named('New')]);
    // By then, it has determined which ledgers show the name.
    await until('it waits for the row', async () => {
      const [waiting] = await onFirst.query<RowDataPacket[]>(
        "SELECT id FROM information_schema.processlist WHERE info LIKE 'UPDATE ledger_revisions%'",
      );
      return waiting.length > 0;
    });
    await there.import([transaction(id, 10, { affiliate_id: affiliate })]);
    const before = await there.get(LIST, key);
    await onFirst.query('COMMIT');
    await onFirst.end();
    await renaming;
    const after = await there.get(LIST, key, { 'If-None-Match': before.headers.etag ?? '' });
    expect(after.status).toBe(200);
    const sold = envelopeOf(after).results.filter(({ transaction_id }) => transaction_id === id);
    expect(sold).toMatchObject([{ affiliate: { id: affiliate, display_name: 'New' } }]);
  });

  it('write the same affiliate terms at once: both writes are done, each once', async () => {
    const numbers = Array.from({ length: 60 }, (_, index) => 2_000_000 + index);
    const answers = await Promise.all(
      numbers.map(async (number) => {
        await byChance(200);
        const writer = number % 2 === 0 ? here : there;
        return (await writer.put(relationship(101), key, change(number))).status;
      }),
    );
    expect(answers).toEqual(numbers.map(() => 200));
    const counts = await timesWritten(direct);
    expect(numbers.map((number) => counts.get(number))).toEqual(numbers.map(() => 1));
  });

  it('do a transaction wholly, whenever another node interrupts it', async () => {
    await direct.query('CREATE TABLE held (id INT PRIMARY KEY, value INT)');
    await direct.query('CREATE TABLE parts (round INT, part INT, PRIMARY KEY (round, part))');
    await direct.query('INSERT INTO held VALUES (1, 0)');
    let statements = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      const written = here.app.get(Database).write(async (session) => {
        await session.run(RAISE, []);
        await session.run('INSERT INTO parts VALUES (?, 1)', [round]);
        for (let more = 0; more < 10; more += 1) {
          // Each statement is new to its connection, which first prepares it.
          statements += 1;
          await session.select(`SELECT value FROM held WHERE value <> -${statements}`, []);
        }
        await session.run('INSERT INTO parts VALUES (?, 2)', [round]);
      });
      await byChance(6);
      await there.app.get(Database).write((session) => session.run(RAISE, []));
      await written;
    }
    const [found] = await direct.query<RowDataPacket[]>('SELECT COUNT(*) AS parts FROM parts');
    expect(found).toEqual([{ parts: 2 * ROUNDS }]);
  });

  it('fail over from a node that refuses queries, like one without quorum', async () => {
    await there.get(LIST, key);
    await direct.query('SET GLOBAL wsrep_reject_queries = ALL');
    expect((await there.get(relationship(102), key)).status).toBe(200);
    expect((await there.put(relationship(102), key, change(3_000_000))).status).toBe(200);
    await direct.query('SET GLOBAL wsrep_reject_queries = NONE');
    expect((await timesWritten(direct)).get(3_000_000)).toBe(1);
  });

  it('refuse no request while no node has a quorum for a short time', async () => {
    const acknowledged: number[] = [];
    const reads = new SteadyLoad(there.port, CROWD, () => ({ path: LIST, headers: basic(key) }));
    const writes = writers(here, 5_000_000, acknowledged);
    await until('answers', () => acknowledged.length > 20 && reads.answers.length > 50);
    await cluster.part();
    await wait(500);
    await cluster.reunite();
    const seen = acknowledged.length;
    await until('writes again', () => acknowledged.length > seen + 20);
    for (const load of [reads, writes]) {
      await load.end();
      expect(load.failures).toEqual([]);
      expect(statusesOf(load.answers)).toEqual({ 200: load.answers.length });
    }
    await expectWrittenOnce(direct, acknowledged);
  });

  it('lose no acknowledged write and do none twice if a node is killed', async () => {
    const acknowledged: number[] = [];
    const load = writers(here, 4_000_000, acknowledged);
    await until('writes', () => acknowledged.length > 50);
    // A third vote lets the remaining one of two nodes stay a cluster.
    await direct.query("SET GLOBAL wsrep_provider_options = 'pc.weight=2'");
    await cluster.kill(0);
    const seen = acknowledged.length;
    await until('writes on the other node', () => acknowledged.length > seen + 50);
    await load.end();
    expect(load.failures).toEqual([]);
    expect(statusesOf(load.answers)).toEqual({ 200: load.answers.length });
    expect(Math.max(...load.answers.map(({ ms }) => ms))).toBeLessThan(LIMIT_MS);
    await expectWrittenOnce(direct, acknowledged);
  });
});
