/** Reads at a real replica, which is delayed, cut off and released. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ReportListsService } from '../../src/modules/reports/lists/report-lists.service.js';
import { ReportsService } from '../../src/modules/reports/reports.service.js';
import type { Viewer } from '../../src/modules/reports/report.model.js';
import { basic, envelopeOf, type Answer } from '../support/http/http.js';
import { affiliation, product, transaction, user } from '../support/builders/ledger-records.js';
import { hasMariaDb, ReplicatedDatabase } from '../support/servers/replicated-database.js';
import { until } from '../support/servers/running-service.js';
import { TestService } from '../support/servers/service.js';
import { statesOf } from '../support/processes/gauges.js';
import { statusesOf, SteadyLoad } from '../support/http/steady-load.js';

const LIST = '/v3.0/transactions?start_date=2025-01-01&end_date=2025-12-31';
const YEAR = { start_date: '2025-01-01', end_date: '2025-12-31' };
const LIMIT_MS = 2_000;
/** Only the replica has this text, which a test writes there. */
const MARK = 'read at the replica';

/** Every read that a replica may serve. */
const READS = [
  LIST,
  '/v3.0/transactions/sold-0',
  '/v2.1/transaction/details/sold-0',
  '/v2.0/transactions/summaries/sold-0',
  '/v2.0/latest-transactions/',
  '/v2.0/latest-transactions/sold-0',
  '/ledger/v1/changes',
  '/ledger/v1/transactions.ndjson',
];
const AFFILIATE_FEED = '/v2.0/latest-affiliates-transactions/sold-0';

const onMariaDb = hasMariaDb() ? describe : describe.skip;

onMariaDb('a service with a replica', () => {
  let database: ReplicatedDatabase;
  let service: TestService;
  let other: TestService;
  let key: string;
  let affiliateKey: string;
  let sold = 0;

  beforeAll(async () => {
    database = await ReplicatedDatabase.start();
    service = await start();
    other = await start({ PAGE_CACHE_MB: '1' });
    await service.import([user(1), user(100), product(10, 1), affiliation(100, 10)]);
    await sell();
    await sell();
    key = await service.key(1);
    affiliateKey = await service.key(100);
  });
  afterAll(async () => {
    await other.stop();
    await service.stop();
    await database.end();
  });
  beforeEach(() => database.inStep());
  afterEach(async () => {
    database.replica.network.isRefused = false;
    database.replica.network.isCut = false;
    await database.letGo();
    await until('the replica', async () => (await statesOf(service, 'database_replicas')).up === 1);
  });

  function start(environment: Record<string, string> = {}): Promise<TestService> {
    const drop = () => Promise.resolve();
    const { primary, replica } = database;
    return TestService.on(
      { url: primary.url, folder: '', drop },
      {
        PAGE_CACHE_MB: '0',
        DATABASE_REPLICA_URLS: replica.url,
        // This is much longer than a caller should wait for an unavailable replica.
        DATABASE_STATEMENT_MS: '10000',
        ...environment,
      },
    );
  }

  async function sell(by = service): Promise<void> {
    await by.import([transaction(`sold-${sold}`, 10, { affiliate_id: 100 })]);
    sold += 1;
  }

  /** Marks the replica's rows, so that its answers can be recognized. */
  async function mark(): Promise<void> {
    await database.inStep();
    await database.onReplica.query(
      'UPDATE faults.transactions SET product_name = ?, rendered = NULL',
      [MARK],
    );
  }

  const countIn = (answer: Answer) => envelopeOf(answer).meta.total_count;
  const isMarked = (answer: Answer) => answer.text.includes(MARK);

  it.each(READS)('reads the ledger there: %s', async (path) => {
    await mark();
    const answer = await service.get(path, key);
    expect(answer.status).toBe(200);
    expect(isMarked(answer)).toBe(true);
  });

  it('reads reports of a vendor there, and those of an affiliate on the primary', async () => {
    await database.inStep();
    for (const table of ['vendor_sums', 'affiliate_day_sums']) {
      await database.onReplica.query(
        `UPDATE faults.${table} SET transactions = transactions + 1000`,
      );
    }
    const salesOf = async (viewer: Viewer) => {
      const asked = {
        attribution: 'sale',
        filter: {},
        by: 'month',
        comparison: 'none',
        top: 'gross',
      } as const;
      const request = { viewer, ...YEAR, ...asked, today: YEAR.end_date };
      const { figures, top_products } = await service.app.get(ReportsService).report(request);
      return [figures.sales, top_products[0]?.sales].map((sales) => Number(sales) > 1_000);
    };
    expect(await salesOf({ role: 'vendor', user_id: 1 })).toEqual([true, true]);
    expect(await salesOf({ role: 'affiliate', user_id: 100 })).toEqual([false, false]);
    await mark();
    const request = { ...YEAR, kind: 'all', attribution: 'sale' } as const;
    const lists = service.app.get(ReportListsService);
    const names = async (viewer: Viewer) =>
      (await lists.page({ viewer, ...request }, null)).transactions.map((row) => row.product_name);
    expect(new Set(await names({ role: 'vendor', user_id: 1 }))).toEqual(new Set([MARK]));
    expect(await names({ role: 'affiliate', user_id: 100 })).not.toContain(MARK);
  });

  it('reads what an affiliate sold, in the ledgers of others, on the primary', async () => {
    await mark();
    const answer = await service.get(AFFILIATE_FEED, affiliateKey);
    expect(answer.status).toBe(200);
    expect(isMarked(answer)).toBe(false);
  });

  it('does not use a replica while it is behind', async () => {
    await mark();
    await database.holdBack();
    await sell();
    for (const path of READS) {
      const answer = await service.get(path, key);
      expect([path, answer.status, isMarked(answer)]).toEqual([path, 200, false]);
    }
    expect(countIn(await service.get(LIST, key))).toBe(sold);
    await database.letGo();
    await until('reads at the replica', async () => isMarked(await service.get(LIST, key)));
    expect(countIn(await service.get(LIST, key))).toBe(sold);
  });

  it('immediately shows what another instance wrote', async () => {
    await database.holdBack();
    await sell(other);
    expect(countIn(await service.get(LIST, key))).toBe(sold);
    await sell(service);
    expect(countIn(await other.get(LIST, key))).toBe(sold);
  });

  it('never sends an old page under a new ETag, while the replica falls behind and catches up', async () => {
    const pages = new Map<string, string>();
    let known: string | undefined;
    for (let round = 0; round < 40; round += 1) {
      if (round % 5 === 0) await database.holdBack();
      if (round % 5 === 3) await database.letGo();
      if (round % 2 === 0) await sell();
      for (const instance of [service, other]) {
        const headers: Record<string, string> =
          known === undefined ? {} : { 'If-None-Match': known };
        const answer = await instance.get(LIST, key, headers);
        const tag = String(answer.headers.etag);
        if (answer.status === 304) {
          expect(tag).toBe(known);
        } else {
          expect(countIn(answer)).toBe(sold);
          const body = answer.text;
          expect(pages.get(tag) ?? body).toBe(body);
          pages.set(tag, body);
        }
        known = tag;
      }
    }
    expect(pages.size).toBe(20);
  });

  it('continues without a lost replica, and uses it again when it is back', async () => {
    await mark();
    const load = new SteadyLoad(service.port, 4, () => ({ path: LIST, headers: basic(key) }));
    await until('answers', () => load.answers.length > 20);
    database.replica.network.fail();
    const seen = load.answers.length;
    await until('answers without it', () => load.answers.length > seen + 50);
    expect(isMarked(await service.get(LIST, key))).toBe(false);
    database.replica.network.isRefused = false;
    await until('the replica', async () => isMarked(await service.get(LIST, key)));
    await load.end();
    expect(load.failures).toEqual([]);
    expect(statusesOf(load.answers)).toEqual({ 200: load.answers.length });
  });

  it('answers in time if the replica falls silent', async () => {
    const load = new SteadyLoad(service.port, 4, () => ({ path: LIST, headers: basic(key) }));
    await until('answers', () => load.answers.length > 20);
    database.replica.network.isCut = true;
    await until(
      'the replica passed over',
      async () => (await statesOf(service, 'database_replicas')).passed_over === 1,
    );
    await load.end();
    expect(load.failures).toEqual([]);
    expect(statusesOf(load.answers)).toEqual({ 200: load.answers.length });
    expect(Math.max(...load.answers.map(({ ms }) => ms))).toBeLessThan(LIMIT_MS);
  });
});
