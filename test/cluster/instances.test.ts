/** Three instances, each with another node of the database: changes through one apply to all. */
import { spawn } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ended } from '../support/processes/cli.js';
import { basic, envelopeOf, send, type Answer } from '../support/http/http.js';
import type { ThrowawayHaproxy } from '../support/servers/throwaway-haproxy.js';
import { print, table } from './figures.js';
import { FIRST_DAY, GrowingLedger, IDS, LAST_DAY } from './growing-ledger.js';
import { processorMs } from './processor-time.js';
import { SIZE, Topology } from './topology.js';
import { WrittenRelationships } from './written-relationships.js';

const isShort = process.env.TEST_CLUSTER === 'short';
const ROUNDS = isShort ? 200 : 1_000;
const LOAD_SECONDS = isShort ? 2 : 10;
const CONNECTIONS = 24;
/** Time within which a change applies to all instances. */
const HOLDS_MS = 2_000;
const LIMIT_MS = 600_000;
const PLACES = [0, 1, 2];
const LIST = `/v3.0/transactions?start_date=${FIRST_DAY}&end_date=${LAST_DAY}`;

let topology: Topology;
let balancer: ThrowawayHaproxy | undefined;
let key: string;
const printed: string[][] = [];

beforeAll(async () => {
  topology = await Topology.start();
});
afterAll(async () => {
  print(...figures());
  await balancer?.kill();
  await topology.end();
});

function at(place: number, path: string, own = key): Promise<Answer> {
  return send(topology.ports[place]?.service ?? 0, { path, headers: basic(own) });
}

async function latestApplication(): Promise<string> {
  const [row] = await topology.rows('SELECT MAX(id) AS id FROM api_applications');
  return String(row?.id);
}

describe('Three instances', () => {
  it('migrate an empty database once where they start at once', async () => {
    await Promise.all(PLACES.map((place) => topology.startInstance(place)));
    const rows = await topology.rows('SELECT name, COUNT(*) times FROM migrations GROUP BY name');
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.filter(({ times }) => times !== 1)).toEqual([]);
    expect(await topology.rows('SELECT * FROM migration_lock')).toEqual([]);
    for (const place of PLACES) expect(topology.instance(place).lines(/error|warn/i)).toEqual([]);
  });

  it(
    'show on one what was written on another',
    async () => {
      await topology.ledger(0).mustImport(GrowingLedger.people(1));
      key = await topology.ledger(0).key(IDS.vendor);
      const relationships = new WrittenRelationships();
      const path = relationships.path(0);
      for (let round = 0; round < ROUNDS; round += 1) {
        const { number, body } = relationships.next();
        const writer = topology.ports[round % SIZE]?.service ?? 0;
        const headers = { ...basic(key), 'Content-Type': 'application/json' };
        const request = { method: 'PUT', path, headers, body: JSON.stringify(body) };
        expect((await send(writer, request)).status).toBe(200);
        relationships.wrote(0, number, true);
        const reader = (round + 1 + (round % (SIZE - 1))) % SIZE;
        const shown = envelopeOf(await at(reader, path)).results[0] ?? {};
        expect(relationships.faultOf(0, shown)).toBeNull();
      }
    },
    LIMIT_MS,
  );

  it('show an import at once, under a new ETag', async () => {
    const ledger = new GrowingLedger(3);
    for (let batch = 0; batch < ledger.batches; batch += 1) {
      const before = await Promise.all(PLACES.map((place) => at(place, LIST)));
      await topology.ledger(batch).mustImport(ledger.begin(batch));
      for (const [place, { headers }] of before.entries()) {
        const answer = await send(topology.ports[place]?.service ?? 0, {
          path: LIST,
          headers: { ...basic(key), 'If-None-Match': headers.etag ?? '' },
        });
        expect(answer.status).toBe(200);
        const span = { least: batch + 1, most: batch + 1 };
        expect(ledger.faultOfList(envelopeOf(answer), span, 0, 50)).toBeNull();
      }
    }
  });

  it('refuse a key within 2 s that was revoked', async () => {
    const revoked = await topology.ledger(1).key(IDS.vendor);
    for (const place of PLACES) expect((await at(place, '/v3.0', revoked)).status).toBe(200);
    const revoke = ['keys', 'revoke', await latestApplication()];
    expect(await topology.ledger(2).cli(revoke)).toMatchObject({ status: 0 });
    await wait(HOLDS_MS);
    for (const place of PLACES) expect((await at(place, '/v3.0', revoked)).status).toBe(401);
    for (const place of PLACES) expect((await at(place, '/v3.0')).status).toBe(200);
  });

  it('count requests together, by limits that hold within 2 s', async () => {
    const limited = await topology.ledger(0).key(IDS.vendor);
    const id = await latestApplication();
    for (const place of PLACES) expect((await at(place, '/v3.0', limited)).status).toBe(200);
    const set = await topology.ledger(1).cli(['limits', 'set', id, '30/1h']);
    expect(set).toMatchObject({ status: 0 });
    await wait(HOLDS_MS);
    const answers = await Promise.all(
      Array.from({ length: 90 }, (_, number) => at(number % SIZE, '/v3.0', limited)),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(30);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(60);
  });

  it.each([1, 2, 3])('answer all that %s of them are asked', async (count) => {
    if (count === 1) {
      for (const place of PLACES.slice(1)) await topology.stopInstance(place);
    } else await topology.startInstance(count - 1);
    balancer ??= await topology.startProxy();
    // The balancer uses a new instance after two checks.
    await wait(1_500);
    await measure(count, balancer);
  });
});

function figures(): string[] {
  const cost = ['instances ms', 'nodes ms', 'balancer ms'];
  return [
    `PUT on one instance, then GET on another: ${ROUNDS} times, each on another node`,
    'Lists of 50 (1 in 10) and single transactions; processor time of each part for a request:',
    ...table(['', 'requests/s', 'p50 ms', 'p99 ms', ...cost], printed),
  ];
}

/** Sends requests at the highest possible rate, and notes their number and their cost. */
async function measure(count: number, { port, pid }: ThrowawayHaproxy): Promise<void> {
  const running = PLACES.slice(0, count).map((place) => topology.instance(place).pid);
  const nodes = PLACES.map((place) => topology.database.pid(place));
  const parts = [running, nodes, [pid]];
  const spent = () => parts.map((pids) => pids.reduce((sum, pid) => sum + processorMs(pid), 0));
  const pages = Array.from({ length: 100 }, (_, index) => `${LIST}&page_index=${index}`);
  const singles = Array.from({ length: 900 }, (_, place) => {
    const id = encodeURIComponent(IDS.transaction(place));
    return `/v3.0/transactions/${id}`;
  });
  const before = spent();
  const child = spawn(process.execPath, ['bench/load.mjs']);
  child.stdin.end(
    JSON.stringify({
      origin: `http://127.0.0.1:${port}`,
      seconds: LOAD_SECONDS,
      connections: CONNECTIONS,
      headers: basic(key),
      paths: [...pages, ...singles],
    }),
  );
  const { status, stdout, stderr } = await ended(child);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  const figures = JSON.parse(stdout) as {
    rate: number;
    p50: number;
    p99: number;
    asked: number;
    errors: number;
    statuses: object;
  };
  expect(figures.errors).toBe(0);
  expect(figures.statuses).toEqual({ 200: figures.asked });
  const cost = spent().map((ms, part) => ((ms - (before[part] ?? 0)) / figures.asked).toFixed(2));
  const { rate, p50, p99 } = figures;
  printed.push([`${count} instance(s)`, ...[rate, p50, p99].map((n) => n.toFixed(0)), ...cost]);
}
