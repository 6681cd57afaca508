/**
 * Simultaneous changes around a delivery, and effects of time. The service runs in this process.
 */
import { afterEach, describe, expect, it } from '@jest/globals';
import { releaseClock, setClock, storedTime } from '../../support/processes/set-clock.js';
import { until } from '../../support/servers/running-service.js';
import { useWebhooksHere } from '../../support/servers/webhooks-here.js';

const SECOND_MS = 1_000;
const DAY_MS = 86_400_000;
const PAST = '2025-01-01 00:00:00';
const KEPT = 50;

const hooks = useWebhooksHere();
const { held, receiver } = hooks;
afterEach(releaseClock);

describe('an endpoint that changes during a delivery', () => {
  it.each([
    ['gets another URL', { url: () => hooks.urlOf('/new'), state: 'active' }],
    ['is paused', { url: undefined, state: 'paused' }],
  ])('and %s keeps nothing of what came of it', async (_, { url, state }) => {
    const statuses = [204, 500, 410] as const;
    const ids: number[] = [];
    for (const status of statuses) ids.push((await hooks.endpointAt(`/held-${status}`)).id);
    const before = await Promise.all(ids.map((id) => hooks.stored(id)));
    await hooks.sell();
    await until('the calls', () => held.length === statuses.length);
    for (const id of ids) await hooks.call('PATCH', `/${id}`, { url: url?.(), state });
    for (const { path, response } of held) response.writeHead(Number(path.slice(-3))).end();
    for (const [index, id] of ids.entries()) {
      await hooks.untilDelivered(id);
      expect(await hooks.stored(id)).toMatchObject({
        position: before[index]?.position,
        failures: 0,
        problem: null,
        last_taken: null,
        state,
        claim_ends: null,
      });
    }
    if (url === undefined) return;
    await until('the new URL', () => hooks.receivedAt('/new').length === statuses.length);
    const calledBefore = receiver.received.filter(({ path }) => path.startsWith('/held'));
    const idsOf = (of: typeof calledBefore) => of.map(({ id }) => id).sort();
    expect(idsOf(hooks.receivedAt('/new'))).toEqual(idsOf(calledBefore));
  });

  it('and gets a new secret keeps both: the delivery counts, the next one has two signatures', async () => {
    const { id, secret } = await hooks.endpointAt('/held-rotated');
    await hooks.sell();
    await until('the call', () => held.length === 1);
    const rotated = await hooks.call('POST', `/${id}/rotate`);
    held[0]?.response.writeHead(204).end();
    await hooks.untilDelivered(id);
    receiver.secrets = [secret, String(rotated.secret)];
    await hooks.sell();
    await until('the next call', () => held.length === 2);
    const [first, second] = hooks.receivedAt('/held-rotated');
    expect([first?.signatures, second?.signatures]).toEqual([1, 2]);
    expect(second?.sequences[0]).toBeGreaterThan(first?.sequences.at(-1) ?? Infinity);
  });
});

describe('a delivery', () => {
  it('that a stop of the service cuts off is no failure, and is sent again at once', async () => {
    const { id } = await hooks.endpointAt('/held-cut-off');
    const before = await hooks.stored(id);
    await hooks.sell();
    await until('the call', () => held.length === 1);
    await hooks.service.app.close();
    expect(await hooks.stored(id)).toEqual(before);
    expect(await hooks.deliveriesOf(id)).toEqual([]);
    await hooks.restart();
    await until('the same again', () => held.length === 2);
    const [first, second] = hooks.receivedAt('/held-cut-off');
    expect(second?.id).toBe(first?.id);
  });

  it('renews the claim of its sender when it goes on with the next one', async () => {
    const { id } = await hooks.endpointAt('/held-long');
    await hooks.sell(150);
    await until('the first call', () => held.length === 1);
    await hooks.ledger.run(`UPDATE webhook_endpoints SET claim_ends = '${PAST}'`);
    held[0]?.response.writeHead(204).end();
    await until('the second call', () => held.length === 2);
    expect(String((await hooks.stored(id)).claim_ends) > storedTime(Date.now() + 20_000)).toBe(
      true,
    );
  });

  it('that is put off waits for as long as Retry-After says, and for an hour at most', async () => {
    const waits = { 600: 600, 100000: 3_600, 0: 5, soon: 5 };
    receiver.behaviour = ({ path }, response) =>
      response.writeHead(503, { 'Retry-After': path.slice(1) }).end('busy');
    const now = Math.floor(Date.now() / SECOND_MS) * SECOND_MS;
    setClock(now);
    for (const [header, seconds] of Object.entries(waits)) {
      const { id } = await hooks.endpointAt(`/${header}`);
      await hooks.sell();
      await hooks.untilDelivered(id);
      const { next_try, failures } = await hooks.stored(id);
      expect(failures).toBe(1);
      const waited = (Date.parse(`${String(next_try)}Z`) - now) / SECOND_MS;
      expect([header, waited >= seconds, waited <= seconds * 1.25]).toEqual([header, true, true]);
    }
  });

  it('is kept among the last 50 of its endpoint', async () => {
    const { id } = await hooks.endpointAt('/kept');
    const { id: other } = await hooks.endpointAt('/held-other');
    const columns = 'endpoint_id, number, webhook_id, changes, sent, duration_ms';
    for (const endpoint of [id, other]) {
      const numbers = Array.from({ length: KEPT }, (_, at) => at + 1);
      const rows = numbers.map((number) => `(${endpoint}, ${number}, 'x', 1, '${PAST}', 1)`);
      await hooks.ledger.run(
        `INSERT INTO webhook_deliveries (${columns}) VALUES ${rows.join(', ')}`,
      );
    }
    await hooks.ledger.run(`UPDATE webhook_endpoints SET number = ${KEPT} WHERE id = ${id}`);
    await hooks.sell();
    await until('the 51st', async () => Number((await hooks.stored(id)).number) === KEPT + 1);
    // A call in progress would arrive in the next test, which sets the clock.
    await until('the call of the other', () => held.length === 1);
    const numbers = (await hooks.deliveriesOf(id)).map(({ number }) => Number(number));
    expect(numbers).toEqual(Array.from({ length: KEPT }, (_, at) => at + 2));
    expect(await hooks.deliveriesOf(other)).toHaveLength(KEPT);
  });
});

describe('at its very second', () => {
  const now = Date.parse('2031-05-04T03:02:01Z');

  it('an old secret ends, and has signed until then', async () => {
    setClock(now);
    const { id, secret } = await hooks.endpointAt('/rotated');
    const rotated = await hooks.call('POST', `/${id}/rotate`);
    receiver.secrets = [secret, String(rotated.secret)];
    setClock(now + DAY_MS - SECOND_MS);
    await hooks.sell();
    await hooks.untilDelivered(id);
    expect(hooks.receivedAt('/rotated').map(({ signatures }) => signatures)).toEqual([2]);
    setClock(now + DAY_MS);
    receiver.secrets = [String(rotated.secret)];
    await hooks.sell();
    await hooks.untilDelivered(id, 2);
    expect(hooks.receivedAt('/rotated').map(({ signatures }) => signatures)).toEqual([2, 1]);
  });

  it.each([
    ['the claim of another sender ends', "claim = 'of another', claim_ends"],
    ['the next try of an endpoint comes', 'failures = 1, next_try'],
  ])('%s', async (_, columns) => {
    setClock(now);
    const { id } = await hooks.endpointAt('/waits');
    const { id: marker } = await hooks.endpointAt('/marker');
    const later = storedTime(now + SECOND_MS);
    await hooks.ledger.run(`UPDATE webhook_endpoints SET ${columns} = '${later}' WHERE id = ${id}`);
    await hooks.sell();
    await hooks.untilDelivered(marker);
    await hooks.sell();
    await hooks.untilDelivered(marker, 2);
    expect(hooks.receivedAt('/waits')).toEqual([]);
    setClock(now + SECOND_MS);
    await hooks.untilDelivered(id);
    expect(hooks.receivedAt('/waits')[0]?.sequences).toHaveLength(2);
  });
});
