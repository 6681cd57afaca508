/** Deliveries of webhooks by real processes to a real receiver. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { product, transaction, user } from '../../support/builders/ledger-records.js';
import { TestLedger } from '../../support/builders/test-ledger.js';
import { basic, envelopeOf, send, type Answer } from '../../support/http/http.js';
import { endAll, RunningService, until } from '../../support/servers/running-service.js';
import { WebhookReceiver } from '../../support/servers/webhook-receiver.js';

const SALES = 250;

let ledger: TestLedger;
let receiver: WebhookReceiver;
let settings: Readonly<Record<string, string>>;
let service: RunningService;
let key: string;

beforeAll(async () => {
  ledger = await TestLedger.create();
  await ledger.mustImport([
    user(1),
    product(10, 1),
    ...Array.from({ length: SALES }, (_, index) => transaction(`sale-${index}`, 10)),
  ]);
  key = await ledger.key(1);
});
afterAll(() => ledger.drop());
beforeEach(async () => {
  receiver = new WebhookReceiver();
  settings = await receiver.start();
  service = await RunningService.start(ledger, 1, settings);
});
afterEach(async () => {
  await endAll();
  receiver.stop();
  await ledger.run('DELETE FROM webhook_deliveries');
  await ledger.run('DELETE FROM webhook_endpoints');
});

function call(method: string, path: string, body?: object): Promise<Answer> {
  return send(service.port, {
    method,
    path: `/ledger/v1/webhooks${path}`,
    headers: { ...basic(key), ...(body && { 'Content-Type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
}

/** @returns the id of the endpoint */
async function createEndpoint(from = 'beginning'): Promise<string> {
  const answer = await call('POST', '', { url: receiver.url, from });
  expect(answer.status).toBe(200);
  const [made] = envelopeOf(answer).results;
  receiver.secrets = [String(made?.secret)];
  return String(made?.id);
}

async function lastSequence(): Promise<number> {
  const [row] = await ledger.rows('SELECT last_sequence FROM ledger_revisions WHERE vendor_id = 1');
  return Number(row?.last_sequence);
}

async function endpoint(): Promise<Readonly<Record<string, unknown>>> {
  const [row = {}] = await ledger.rows('SELECT * FROM webhook_endpoints');
  return row;
}

/** Lets the time until the next attempt pass. */
async function passTime(): Promise<void> {
  await ledger.run("UPDATE webhook_endpoints SET next_try = '2025-01-01 00:00:00'");
}

async function allTaken(): Promise<void> {
  const last = await lastSequence();
  await until('the last change', async () => Number((await endpoint()).position) === last);
}

/** Expects all changes at least once, in their order. */
async function expectWhole(): Promise<void> {
  const seen = new Map<string, string>();
  for (const { id, body } of receiver.received) {
    const { data } = JSON.parse(body) as { data: object };
    expect(JSON.stringify(data)).toBe(seen.get(id) ?? JSON.stringify(data));
    seen.set(id, JSON.stringify(data));
  }
  const distinct = [...new Set(receiver.sequences)];
  expect(distinct).toEqual([...distinct].sort((left, right) => left - right));
  expect(distinct.at(-1)).toBe(await lastSequence());
  expect(distinct.length).toBeGreaterThanOrEqual(SALES);
  expect(receiver.faults).toEqual([]);
}

describe('an endpoint', () => {
  it('gets everything from the beginning, signed, in order, and then what changes', async () => {
    await createEndpoint();
    await allTaken();
    await expectWhole();
    expect(receiver.received).toHaveLength(3);
    await ledger.mustImport([transaction('later', 10)]);
    await until('the change', () => receiver.received.length === 4);
    expect(receiver.received[3]?.body).toContain('"transaction_id":"later"');
  });

  it('gets only what changes from now on', async () => {
    await createEndpoint('now');
    await ledger.mustImport([transaction('from-now', 10)]);
    await until('the change', () => receiver.received.length === 1);
    expect(receiver.sequences).toHaveLength(1);
  });

  it('that is away is tried again, ever later, and loses nothing', async () => {
    const tried: number[] = [];
    receiver.behaviour = (_, response) => {
      tried.push(Date.now());
      response.destroy();
    };
    await createEndpoint();
    /** The time from each failure to the next try. */
    const pauses = new Map<number, number>();
    await until('five tries', async () => {
      const { failures, next_try } = await endpoint();
      const at = Number(failures) - 1;
      if (at < 0 || pauses.has(at)) return false;
      const next = Date.parse(`${String(next_try).replace(' ', 'T')}Z`);
      pauses.set(at, next - (tried[at] ?? Infinity));
      await passTime();
      return at === 4;
    });
    expect(pauses.get(0)).toBeGreaterThan(2_000);
    expect(pauses.get(4)).toBeGreaterThan(60_000);
    expect((await endpoint()).problem).toBe('the connection was closed before an answer');
    expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(1);
    receiver.behaviour = (_, response) => response.writeHead(200).end();
    await passTime();
    await allTaken();
    await expectWhole();
  });

  it('that is gone gets nothing more', async () => {
    receiver.behaviour = (_, response) => response.writeHead(410).end();
    const id = await createEndpoint();
    await until('410', async () => (await endpoint()).state === 'gone');
    const [shown] = envelopeOf(await call('GET', `/${id}`)).results;
    expect(shown).toMatchObject({ state: 'gone', problem: 'the receiver answered 410' });
  });

  it('is paused, goes on, is tested, rotated, replayed and deleted', async () => {
    const id = await createEndpoint('now');
    expect((await call('PATCH', `/${id}`, { state: 'paused' })).status).toBe(200);
    await ledger.mustImport([transaction('while-paused', 10)]);
    const tested = envelopeOf(await call('POST', `/${id}/test`)).results;
    expect(tested).toMatchObject([{ status: 204, problem: null }]);
    expect(receiver.received.map(({ body }) => body.includes('ledger.test'))).toEqual([true]);
    const [first = ''] = receiver.secrets;
    const [rotated] = envelopeOf(await call('POST', `/${id}/rotate`)).results;
    receiver.secrets = [first, String(rotated?.secret)];
    await call('PATCH', `/${id}`, { state: 'active' });
    await until('the change', () => receiver.received.length === 2);
    expect(receiver.received[1]?.signatures).toBe(2);
    expect((await call('POST', `/${id}/replay`, {})).status).toBe(200);
    await until('all', () => new Set(receiver.sequences).size >= SALES);
    expect((await call('DELETE', `/${id}`)).status).toBe(200);
    expect((await call('GET', `/${id}`)).status).toBe(404);
    expect(receiver.faults).toEqual([]);
  });
});
