/** Sources that send at once through two nodes of a cluster, while a file is imported. */
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { SeededRandom } from '../../src/modules/demo/seeded-random.js';
import { stateOf } from '../support/builders/ledger-state.js';
import {
  affiliation,
  clicks,
  payoutItem,
  product,
  recurringPayment,
  refund,
  transaction,
  user,
} from '../support/builders/ledger-records.js';
import { TestLedger, type Dump } from '../support/builders/test-ledger.js';
import { resultsIn, sendRecords } from '../support/http/records.js';
import { followDuring } from '../support/oracles/followers-during.js';
import { eachOf } from '../support/random/properties.js';
import { printedRandom } from '../support/random/seed.js';
import { GaleraCluster, hasGalera, THIS_HOST } from '../support/servers/galera-cluster.js';
import { runImport, source } from '../support/servers/import-run.js';
import { until } from '../support/servers/running-service.js';
import { TestService } from '../support/servers/service.js';

const VENDORS = [1, 2, 3];
const AFFILIATES = [101, 102, 103, 104];
const VERSIONS = [1, 2, 3];
/** The number of sales of each vendor; `GALERA_SALES=1000` tests for longer. */
const SALES = Number(process.env.GALERA_SALES ?? 40);
const TIMES = 3;
const SENDERS = 4;
/**
 * This is more than the possible number of rounds: a record waits for its references, and these
 * wait for theirs.
 */
const MOST_ROUNDS = 20;
/** Time for which a node is cut off, which is long enough to be excluded. */
const FAULT_MS = 3_000;

// Without Galera, these tests are shown as skipped.
const onGalera = hasGalera() ? describe : describe.skip;

/** The records are in the order in which a source would write them. */
const RECORDS: readonly object[] = [...VERSIONS.flatMap(partiesOf), ...VERSIONS.flatMap(salesOf)];

function partiesOf(record_version: number): object[] {
  const named = { name: `Name ${record_version}`, record_version };
  return [
    ...[...VENDORS, ...AFFILIATES].map((id) => user(id, named)),
    ...VENDORS.flatMap((id) => [product(id * 10, id, named), product(id * 10 + 1, id, named)]),
    ...AFFILIATES.flatMap((id) =>
      VENDORS.map((vendor) =>
        affiliation(id, vendor * 10, { comments: named.name, record_version }),
      ),
    ),
    ...VENDORS.map((id) => {
      const paid = { current_payments: record_version, record_version };
      return recurringPayment(`P-${id}`, id * 10, { id, ...paid });
    }),
    ...AFFILIATES.map((id) => clicks(id, 10, { clicks: record_version, record_version })),
  ];
}

function salesOf(record_version: number): object[] {
  return VENDORS.flatMap((vendor) =>
    Array.from({ length: SALES }, (_, number) => sale(vendor, number, record_version)),
  );
}

/**
 * Returns a sale that is sold by one affiliate, then by another or by none, and finally refunded.
 */
function sale(vendor: number, number: number, record_version: number): object {
  const seller = AFFILIATES[(number + record_version) % 5] ?? null;
  const isRefunded = record_version === 3 && number % 2 === 0;
  return transaction(`S-${vendor}-${number}`, vendor * 10 + (number % 2), {
    record_version,
    affiliate_id: seller,
    amount: `${100 + number + record_version}.00`,
    sale_date: `2025-06-0${(number % 7) + 1}T12:00:00Z`,
    ...(number % 3 === 0 ? { pre_key: `P-${vendor}` } : {}),
    status: isRefunded ? 'refunded' : record_version === 1 ? 'pending' : 'completed',
    payout_items: [payoutItem(vendor, { payee_name: `Payee ${record_version}` })],
    ...(isRefunded ? { refund: refund(`2025-06-2${number % 9}T12:00:00Z`) } : {}),
  });
}

onGalera('records that several sources send at once through two nodes', () => {
  let cluster: GaleraCluster;
  let ordered: Dump;
  const started: TestService[] = [];

  beforeAll(async () => {
    const alone = await TestService.start();
    await alone.import(RECORDS);
    ordered = await stateOf(alone);
    await alone.stop();
    cluster = await GaleraCluster.start([THIS_HOST, THIS_HOST]);
  });
  afterEach(async () => {
    for (const service of started.splice(0)) await service.stop();
    await onNode(0, 'DROP DATABASE cluster');
    await onNode(0, 'CREATE DATABASE cluster');
  });
  afterAll(() => cluster.end());

  async function onNode(place: number, sql: string): Promise<void> {
    const connection = await cluster.connection(place, '');
    await connection.query(sql);
    await connection.end();
  }

  async function instance(...nodes: readonly number[]): Promise<TestService> {
    const database = { url: cluster.url(...nodes), folder: '', drop: () => Promise.resolve() };
    const service = await TestService.on(database, { DATABASE_STATEMENT_MS: '5000' });
    started.unshift(service);
    return service;
  }

  /**
   * Cuts a node off for a while. A third vote lets the remaining one of two nodes stay a cluster.
   */
  async function whileAway(leave: () => unknown, comeBack: () => Promise<void>): Promise<void> {
    await onNode(1, "SET GLOBAL wsrep_provider_options = 'pc.weight=2'");
    await leave();
    await wait(FAULT_MS);
    await comeBack();
    await onNode(1, "SET GLOBAL wsrep_provider_options = 'pc.weight=1'");
  }

  it.each([
    ['that are well', () => Promise.resolve()],
    [
      'of which one stands still for seconds',
      () =>
        whileAway(
          () => process.kill(cluster.pid(0), 'SIGSTOP'),
          () => {
            process.kill(cluster.pid(0), 'SIGCONT');
            return cluster.inStep(0);
          },
        ),
    ],
    [
      'that hear nothing of each other for seconds',
      async () => {
        await cluster.part();
        await wait(FAULT_MS);
        await cluster.reunite();
      },
    ],
    [
      'of which one is killed and joins again',
      () =>
        whileAway(
          () => cluster.kill(0),
          () => cluster.join(0),
        ),
    ],
  ])(
    'end in the ledger of one import in their order: nodes %s',
    async (_, fault) => {
      const one = await instance(0, 1);
      const other = await instance(1, 0);
      const key = await one.sourceKey(null);
      const random = printedRandom();
      const all = shuffled(Array.from({ length: TIMES }, () => RECORDS).flat(), random);
      let sent = 0;
      const sending = (async () => {
        let waiting = all;
        for (let round = 0; waiting.length > 0; round += 1) {
          expect(round).toBeLessThan(MOST_ROUNDS);
          const rejected: object[] = [];
          await eachOf([...batchesOf(waiting, random).entries()], SENDERS, async ([at, batch]) => {
            rejected.push(...(await rejectedOf(at % 2 === 0 ? one : other, key, batch)));
            sent += batch.length;
          });
          waiting = rejected;
        }
      })();
      const importing = imported(one);
      const followed = followDuring(sending, VENDORS, [one, other]);
      await until('records', () => sent > all.length / 10);
      await fault();
      await sending;
      await importing;
      await followed;
      for (const node of [0, 1]) {
        await cluster.inStep(node);
        const database = { ...one.database, url: cluster.url(node) };
        expect(await stateOf({ database })).toEqual(ordered);
      }
      const verified = await TestLedger.on({ ...one.database, url: cluster.url(0) }).cli([
        'verify',
      ]);
      expect(verified).toMatchObject({ status: 0 });
    },
    600_000,
  );
});

/**
 * Sends records until the answer is 200.
 * @returns the records that were rejected
 */
async function rejectedOf(
  service: TestService,
  key: string,
  records: readonly object[],
): Promise<object[]> {
  for (;;) {
    const answer = await sendRecords(service, key, records);
    if (answer.status === 200) {
      return resultsIn(answer).flatMap(({ verdict, line }) =>
        verdict === 'rejected' ? [records[line - 1] ?? {}] : [],
      );
    }
    expect(answer.headers['retry-after']).toBeDefined();
    await wait(100);
  }
}

/** Imports the file, and starts a failed import again, as an operator does. */
async function imported(service: TestService): Promise<void> {
  for (;;) {
    try {
      const { told } = await runImport(service, source(RECORDS));
      expect(told).toEqual([]);
      return;
    } catch (error) {
      console.error('import', error);
      await wait(500);
    }
  }
}

function batchesOf(records: readonly object[], random: SeededRandom): readonly object[][] {
  const batches: object[][] = [];
  for (let at = 0; at < records.length;) {
    const size = random.integer(1, 100);
    batches.push(records.slice(at, at + size));
    at += size;
  }
  return batches;
}

function shuffled<Item>(items: readonly Item[], random: SeededRandom): Item[] {
  return items
    .map((item) => ({ item, at: random.fraction() }))
    .sort((left, right) => left.at - right.at)
    .map(({ item }) => item);
}
