/** Two things at once around a delivery, and what ends with time. The service runs in this process. */
import type { ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { product, transaction, user } from '../../support/builders/ledger-records.js';
import { TestLedger } from '../../support/builders/test-ledger.js';
import { basic, envelopeOf } from '../../support/http/http.js';
import { releaseClock, setClock, storedTime } from '../../support/processes/set-clock.js';
import { until } from '../../support/servers/running-service.js';
import { TestService } from '../../support/servers/service.js';
import { trustHere } from '../../support/servers/trusted-here.js';
import { WebhookReceiver } from '../../support/servers/webhook-receiver.js';

const SECOND_MS = 1_000;
const DAY_MS = 86_400_000;
const PAST = '2025-01-01 00:00:00';
const KEPT = 50;

let service: TestService;
let ledger: TestLedger;
let receiver: WebhookReceiver;
let settings: Readonly<Record<string, string>>;
let stopTrusting: () => void;
let key: string;
let sales = 0;
/** Answers that a test gives itself, oldest first. */
const held: { readonly path: string; readonly response: ServerResponse }[] = [];

beforeAll(async () => {
  receiver = new WebhookReceiver();
  settings = await receiver.start();
  stopTrusting = trustHere(settings);
  service = await TestService.start(settings);
  ledger = TestLedger.on(service.database);
  await service.import([user(1), product(10, 1)]);
  key = await service.key(1);
});
beforeEach(() => {
  receiver.received.length = 0;
  held.length = 0;
  receiver.behaviour = ({ path }, response) => {
    if (path.startsWith('/held')) held.push({ path, response });
    else response.writeHead(204).end();
  };
});
afterEach(async () => {
  releaseClock();
  receiver.secrets = [];
  for (const { response } of held) response.destroy();
  await ledger.run('DELETE FROM webhook_endpoints');
  await ledger.run('DELETE FROM webhook_deliveries');
  expect(receiver.faults.splice(0)).toEqual([]);
});
afterAll(async () => {
  await ledger.close();
  await service.stop();
  stopTrusting();
  receiver.stop();
});

const urlOf = (path: string) => receiver.url.replace('/hook', path);

async function call(method: string, path: string, body: object = {}) {
  const headers = { ...basic(key), 'Content-Type': 'application/json' };
  const request = { method, path: `/ledger/v1/webhooks${path}`, headers };
  const answer = await service.send({ ...request, body: JSON.stringify(body) });
  expect(answer.status).toBe(200);
  return envelopeOf(answer).results[0] ?? {};
}

/** @returns its id and its secret */
async function endpointAt(path: string) {
  const { id, secret } = await call('POST', '', { url: urlOf(path), from: 'now' });
  return { id: Number(id), secret: String(secret) };
}

/** Adds sales of the vendor, so that there is something to send. */
async function sell(count = 1): Promise<void> {
  const first = sales;
  sales += count;
  await service.import(
    Array.from({ length: count }, (_, index) => transaction(`sale-${first + index}`, 10)),
  );
}

const receivedAt = (path: string) => receiver.received.filter((each) => each.path === path);

async function stored(id: number) {
  const [row] = await ledger.rows(`SELECT * FROM webhook_endpoints WHERE id = ${id}`);
  return row ?? {};
}

const deliveriesOf = (id: number) =>
  ledger.rows(`SELECT * FROM webhook_deliveries WHERE endpoint_id = ${id} ORDER BY number`);

/** Waits until the result of a delivery is stored. */
async function untilDelivered(id: number, count = 1): Promise<void> {
  await until('the delivery', async () => (await deliveriesOf(id)).length === count);
}

describe('an endpoint that changes during a delivery', () => {
  it.each([
    ['gets another URL', { url: () => urlOf('/new'), state: 'active' }],
    ['is paused', { url: undefined, state: 'paused' }],
  ])('and %s keeps nothing of what came of it', async (_, { url, state }) => {
    const statuses = [204, 500, 410] as const;
    const ids: number[] = [];
    for (const status of statuses) ids.push((await endpointAt(`/held-${status}`)).id);
    const before = await Promise.all(ids.map(stored));
    await sell();
    await until('the calls', () => held.length === statuses.length);
    for (const id of ids) await call('PATCH', `/${id}`, { url: url?.(), state });
    for (const { path, response } of held) response.writeHead(Number(path.slice(-3))).end();
    for (const [index, id] of ids.entries()) {
      await untilDelivered(id);
      expect(await stored(id)).toMatchObject({
        ...{ position: before[index]?.position, failures: 0, problem: null },
        ...{ last_taken: null, state, claim_ends: null },
      });
    }
    if (url === undefined) return;
    await until('the new URL', () => receivedAt('/new').length === statuses.length);
    const calledBefore = receiver.received.filter(({ path }) => path.startsWith('/held'));
    const idsOf = (of: typeof calledBefore) => of.map(({ id }) => id).sort();
    expect(idsOf(receivedAt('/new'))).toEqual(idsOf(calledBefore));
  });

  it('and gets a new secret keeps both: the delivery counts, the next one has two signatures', async () => {
    const { id, secret } = await endpointAt('/held-rotated');
    await sell();
    await until('the call', () => held.length === 1);
    const rotated = await call('POST', `/${id}/rotate`);
    held[0]?.response.writeHead(204).end();
    await untilDelivered(id);
    receiver.secrets = [secret, String(rotated.secret)];
    await sell();
    await until('the next call', () => held.length === 2);
    const [first, second] = receivedAt('/held-rotated');
    expect([first?.signatures, second?.signatures]).toEqual([1, 2]);
    expect(second?.sequences[0]).toBeGreaterThan(first?.sequences.at(-1) ?? Infinity);
  });
});

describe('a delivery', () => {
  it('that a stop of the service cuts off is no failure, and is sent again at once', async () => {
    const { id } = await endpointAt('/held-cut-off');
    const before = await stored(id);
    await sell();
    await until('the call', () => held.length === 1);
    await service.app.close();
    expect(await stored(id)).toEqual(before);
    expect(await deliveriesOf(id)).toEqual([]);
    service = await TestService.on(service.database, settings);
    await until('the same again', () => held.length === 2);
    const [first, second] = receivedAt('/held-cut-off');
    expect(second?.id).toBe(first?.id);
  });

  it('renews the claim of its sender when it goes on with the next one', async () => {
    const { id } = await endpointAt('/held-long');
    await sell(150);
    await until('the first call', () => held.length === 1);
    await ledger.run(`UPDATE webhook_endpoints SET claim_ends = '${PAST}'`);
    held[0]?.response.writeHead(204).end();
    await until('the second call', () => held.length === 2);
    expect(String((await stored(id)).claim_ends) > storedTime(Date.now() + 20_000)).toBe(true);
  });

  it('that is put off waits for as long as Retry-After says, and for an hour at most', async () => {
    const waits = { 600: 600, 100000: 3_600, 0: 5, soon: 5 };
    receiver.behaviour = ({ path }, response) =>
      response.writeHead(503, { 'Retry-After': path.slice(1) }).end('busy');
    const now = Math.floor(Date.now() / SECOND_MS) * SECOND_MS;
    setClock(now);
    for (const [header, seconds] of Object.entries(waits)) {
      const { id } = await endpointAt(`/${header}`);
      await sell();
      await untilDelivered(id);
      const { next_try, failures } = await stored(id);
      expect(failures).toBe(1);
      const waited = (Date.parse(`${String(next_try)}Z`) - now) / SECOND_MS;
      expect([header, waited >= seconds, waited <= seconds * 1.25]).toEqual([header, true, true]);
    }
  });

  it('is kept among the last 50 of its endpoint', async () => {
    const { id } = await endpointAt('/kept');
    const { id: other } = await endpointAt('/held-other');
    const columns = 'endpoint_id, number, webhook_id, changes, sent, duration_ms';
    for (const endpoint of [id, other]) {
      const numbers = Array.from({ length: KEPT }, (_, at) => at + 1);
      const rows = numbers.map((number) => `(${endpoint}, ${number}, 'x', 1, '${PAST}', 1)`);
      await ledger.run(`INSERT INTO webhook_deliveries (${columns}) VALUES ${rows.join(', ')}`);
    }
    await ledger.run(`UPDATE webhook_endpoints SET number = ${KEPT} WHERE id = ${id}`);
    await sell();
    await until('the 51st', async () => Number((await stored(id)).number) === KEPT + 1);
    // A call that is on its way would arrive in the next test, which sets the clock.
    await until('the call of the other', () => held.length === 1);
    const numbers = (await deliveriesOf(id)).map(({ number }) => Number(number));
    expect(numbers).toEqual(Array.from({ length: KEPT }, (_, at) => at + 2));
    expect(await deliveriesOf(other)).toHaveLength(KEPT);
  });
});

describe('at its very second', () => {
  const now = Date.parse('2031-05-04T03:02:01Z');

  it('an old secret ends, and has signed until then', async () => {
    setClock(now);
    const { id, secret } = await endpointAt('/rotated');
    const rotated = await call('POST', `/${id}/rotate`);
    receiver.secrets = [secret, String(rotated.secret)];
    setClock(now + DAY_MS - SECOND_MS);
    await sell();
    await untilDelivered(id);
    expect(receivedAt('/rotated').map(({ signatures }) => signatures)).toEqual([2]);
    setClock(now + DAY_MS);
    receiver.secrets = [String(rotated.secret)];
    await sell();
    await untilDelivered(id, 2);
    expect(receivedAt('/rotated').map(({ signatures }) => signatures)).toEqual([2, 1]);
  });

  it.each([
    ['the claim of another sender ends', "claim = 'of another', claim_ends"],
    ['the next try of an endpoint comes', 'failures = 1, next_try'],
  ])('%s', async (_, columns) => {
    setClock(now);
    const { id } = await endpointAt('/waits');
    const { id: marker } = await endpointAt('/marker');
    const later = storedTime(now + SECOND_MS);
    await ledger.run(`UPDATE webhook_endpoints SET ${columns} = '${later}' WHERE id = ${id}`);
    await sell();
    await untilDelivered(marker);
    await sell();
    await untilDelivered(marker, 2);
    expect(receivedAt('/waits')).toEqual([]);
    setClock(now + SECOND_MS);
    await untilDelivered(id);
    expect(receivedAt('/waits')[0]?.sequences).toHaveLength(2);
  });
});
