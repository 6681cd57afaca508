/** The largest size of a delivery, and skipped deliveries. The service runs in this process. */
import { describe, expect, it } from '@jest/globals';
import { LARGE_TRACKING } from '../../support/builders/large-sale.js';
import { until } from '../../support/servers/running-service.js';
import { useWebhooksHere } from '../../support/servers/webhooks-here.js';
import { transaction } from '../../support/builders/ledger-records.js';
import { envelopeOf, type Answer } from '../../support/http/http.js';

const MEBIBYTE = 1_048_576;
const POISON = { customer: { email: 'ada@shop.example', first_name: 'Poison', last_name: 'Ivy' } };

const hooks = useWebhooksHere();

/** @returns bytes and number of changes of each delivery at a path, once all were sent */
async function sizesAt(path: string, changes: number): Promise<(readonly [number, number])[]> {
  const received = () => hooks.receivedAt(path);
  const sent = () => received().flatMap(({ sequences }) => sequences).length;
  await until('all changes', () => sent() === changes);
  return received().map(({ body, sequences }) => [Buffer.byteLength(body), sequences.length]);
}

describe('the body of a delivery', () => {
  it('stays below the size of its endpoint, but for a single change that is larger', async () => {
    await hooks.endpointAt('/default');
    await hooks.endpointAt('/most', { max_bytes: MEBIBYTE });
    await hooks.endpointAt('/least', { max_bytes: 1_024 });
    await hooks.sell(7, { tracking: LARGE_TRACKING });
    await hooks.sell(3);
    for (const path of ['/default', '/least']) {
      const large = (await sizesAt(path, 10)).filter(([bytes]) => bytes > 92_160);
      expect(large.map(([, changes]) => changes)).toEqual([1, 1, 1, 1, 1, 1, 1]);
    }
    const small = (await sizesAt('/least', 10)).slice(-3);
    expect(small.map(([, changes]) => changes)).toEqual([1, 1, 1]);
    const most = await sizesAt('/most', 10);
    expect(Math.max(...most.map(([bytes]) => bytes))).toBeGreaterThan(4 * 92_160);
    expect(Math.max(...most.map(([bytes]) => bytes))).toBeLessThan(MEBIBYTE);
  });

  it('follows a new size at the next try, which comes at once', async () => {
    hooks.receiver.behaviour = ({ body }, response) =>
      response.writeHead(Buffer.byteLength(body) > 20_000 ? 413 : 204).end();
    const { id } = await hooks.endpointAt('/small');
    await hooks.sell(40);
    await hooks.untilDelivered(id);
    expect(await hooks.stored(id)).toMatchObject({ failures: 1, last_taken: null });
    const changed = await hooks.call('PATCH', `/${id}`, { max_bytes: 20_000 });
    expect(changed).toMatchObject({ max_bytes: 20_000, failures: 0, problem: null });
    const taken = () => hooks.receivedAt('/small').slice(1);
    await until('all', () => new Set(taken().flatMap(({ sequences }) => sequences)).size === 40);
    const last = hooks.receivedAt('/small')[0]?.sequences[0] ?? Infinity;
    expect(taken()[0]?.sequences[0]).toBe(last);
  });
});

/** Makes the receiver reject every delivery whose body contains a text. */
function rejectBodiesWith(text: string): void {
  hooks.receiver.behaviour = ({ body, path }, response) => {
    if (path.startsWith('/held')) hooks.held.push({ path, response });
    else response.writeHead(body.includes(text) ? 413 : 204).end();
  };
}

/** @returns the endpoint, the sale that its receiver rejects, and the delivery with it */
async function failingAt(path: string) {
  rejectBodiesWith('Poison');
  const { id } = await hooks.endpointAt(path);
  const [sale = ''] = await hooks.sell(1, POISON);
  await hooks.untilDelivered(id);
  const [delivery] = hooks.receivedAt(path);
  return { id, sale, webhook_id: delivery?.id ?? '', sequences: delivery?.sequences ?? [] };
}

const skip = (id: number, webhook_id: unknown) => hooks.ask('POST', `/${id}/skip`, { webhook_id });

function refusalOf(answer: Answer): string {
  const { status } = envelopeOf(answer).meta;
  expect([answer.status, status.code]).toEqual([400, 4001]);
  return String(status.detail);
}

/** Sends the failing delivery again, and waits until it has failed. */
async function failAgain(id: number, count: number): Promise<void> {
  await hooks.ledger.run(`UPDATE webhook_endpoints SET next_try = '2025-01-01 00:00:00'`);
  await hooks.untilDelivered(id, count);
}

describe('a skip', () => {
  it('moves past the delivery that fails, and no further, and sends the next one at once', async () => {
    const { id, webhook_id, sequences } = await failingAt('/skipped');
    await hooks.sell(2);
    // A repeated delivery does not contain later changes.
    await failAgain(id, 2);
    const again = hooks.receivedAt('/skipped')[1];
    expect([again?.id, again?.sequences]).toEqual([webhook_id, sequences]);
    const [first_sequence, last_sequence] = [sequences[0], sequences.at(-1)];
    const failing = { webhook_id, first_sequence, last_sequence, changes: 1 };
    expect(await hooks.call('GET', `/${id}`)).toMatchObject({ failures: 2, failing });
    const skipped = envelopeOf(await skip(id, webhook_id)).results;
    // The receiver has not seen the reasons of the skipped changes.
    const cursor = `${String(last_sequence)}.${(first_sequence ?? 0) - 1}`;
    expect(skipped).toMatchObject([
      { id, state: 'active', failures: 0, problem: null, failing: null, cursor, skipped: failing },
    ]);
    await hooks.untilDelivered(id, 3);
    const next = hooks.receivedAt('/skipped')[2];
    expect(next?.sequences).toHaveLength(2);
    expect(next?.sequences[0]).toBeGreaterThan(last_sequence ?? Infinity);
    const shown = await hooks.deliveriesOf(id);
    expect(shown.map(({ skipped: at }) => at !== null)).toEqual([false, true, false]);
    const [entry] = await hooks.ledger.rows(
      "SELECT subject, state_before, state_after FROM audit_log WHERE action = 'webhook.skip' ORDER BY id DESC LIMIT 1",
    );
    expect(entry?.subject).toBe(`webhook endpoint ${id} of user 1`);
    const stateIn = (json: unknown): unknown => JSON.parse(String(json));
    expect(stateIn(entry?.state_before)).toMatchObject({ state: 'active', max_bytes: 92_160 });
    const after = { position: last_sequence, skipped: failing };
    expect(stateIn(entry?.state_after)).toMatchObject(after);
  });

  it('of a delivery that was skipped already skips nothing more, and says so', async () => {
    const { id, webhook_id, sequences } = await failingAt('/twice');
    const both = await Promise.all([skip(id, webhook_id), skip(id, webhook_id)]);
    const refused = both.filter(({ status }) => status !== 200);
    expect(refused).toHaveLength(1);
    await hooks.sell(1, POISON);
    await hooks.untilDelivered(id, 2);
    for (const answer of [...refused, await skip(id, webhook_id)]) {
      expect(refusalOf(answer)).toMatch(
        new RegExp(
          `^This delivery was skipped already, at 2.*, with the change ${sequences[0]}\\.$`,
        ),
      );
    }
    expect(await hooks.stored(id)).toMatchObject({ position: sequences[0], failures: 1 });
  });

  it('is refused if another delivery is due, or none fails', async () => {
    const { id, sale, webhook_id, sequences } = await failingAt('/changed');
    const before = await hooks.stored(id);
    expect(refusalOf(await skip(id, 'msg_other'))).toBe(
      `Another delivery is failing: ${webhook_id}, with the change ${sequences[0]}.`,
    );
    await hooks.service.import([transaction(sale, 10, { ...POISON, amount: '48.00' })]);
    expect(refusalOf(await skip(id, webhook_id))).toContain('Another delivery is due');
    expect(await hooks.stored(id)).toEqual(before);
    rejectBodiesWith('nothing');
    await failAgain(id, 2);
    expect(refusalOf(await skip(id, webhook_id))).toBe('No delivery of this endpoint is failing.');
    for (const none of [undefined, null, 7, '']) {
      const refusal = refusalOf(await skip(id, none));
      expect(refusal).toMatch(/webhook_id must be a string|No delivery/);
    }
  });

  it('by command prints the endpoint and what was skipped, and names the operator', async () => {
    const { id, webhook_id, sequences } = await failingAt('/by-command');
    const skipped = await hooks.ledger.cli(['webhooks', 'skip', String(id), webhook_id]);
    expect(skipped).toMatchObject({ status: 0, stderr: '' });
    expect(skipped.stdout).toMatch(
      new RegExp(
        `^Webhook endpoint ${id} of user 1: .*, active\\. Skipped: change ${sequences[0]}\\n$`,
      ),
    );
    const { position, failures } = await hooks.stored(id);
    expect([position, failures]).toEqual([sequences[0], 0]);
    const [entry] = await hooks.ledger.rows(
      "SELECT user_id, subject FROM audit_log WHERE action = 'webhook.skip' ORDER BY id DESC LIMIT 1",
    );
    expect(entry).toEqual({ user_id: 0, subject: `webhook endpoint ${id} of user 1` });
    await hooks.sell(1);
    await hooks.untilDelivered(id, 2);
    expect(hooks.receivedAt('/by-command')[1]?.sequences[0]).toBe((sequences[0] ?? 0) + 1);
  });

  it('names the delivery as the header does, if a client copies that', async () => {
    const { id, webhook_id } = await failingAt('/header');
    await hooks.call('POST', `/${id}/skip`, { 'webhook-id': webhook_id });
  });

  it('of a paused endpoint sends nothing until it is resumed', async () => {
    const { id, webhook_id } = await failingAt('/paused');
    const paused = await hooks.call('PATCH', `/${id}`, { state: 'paused' });
    expect(paused).toMatchObject({ state: 'paused', failures: 1, failing: { webhook_id } });
    const skipped = await hooks.call('POST', `/${id}/skip`, { webhook_id });
    expect(skipped).toMatchObject({ state: 'paused', failing: null, problem: null });
    await hooks.sell();
    await hooks.call('PATCH', `/${id}`, { state: 'active' });
    await hooks.untilDelivered(id, 2);
    expect(hooks.receivedAt('/paused')[1]?.body).not.toContain('Poison');
  });

  it('of an endpoint that its receiver switched off leaves it off', async () => {
    hooks.receiver.behaviour = (_, response) => response.writeHead(410).end();
    const { id } = await hooks.endpointAt('/gone');
    await hooks.sell();
    await hooks.untilDelivered(id);
    const webhook_id = hooks.receivedAt('/gone')[0]?.id;
    const skipped = await hooks.call('POST', `/${id}/skip`, { webhook_id });
    expect(skipped).toMatchObject({ state: 'gone', failing: null, next_try: null });
  });

  it.each([204, 500])('during an attempt holds, whatever comes of that: %s', async (status) => {
    const { id, webhook_id, sequences } = await failingAt('/then-held');
    const url = hooks.urlOf('/held-skip');
    await hooks.ledger.run(`UPDATE webhook_endpoints SET url = '${url}' WHERE id = ${id}`);
    await hooks.ledger.run(`UPDATE webhook_endpoints SET next_try = '2025-01-01 00:00:00'`);
    await until('the attempt', () => hooks.held.length === 1);
    await hooks.sell();
    expect((await skip(id, webhook_id)).status).toBe(200);
    hooks.held[0]?.response.writeHead(status).end();
    await until('the next delivery', () => hooks.held.length === 2);
    expect(hooks.receivedAt('/held-skip')[0]?.sequences).toEqual(sequences);
    expect(hooks.receivedAt('/held-skip')[1]?.sequences).toEqual([(sequences[0] ?? 0) + 1]);
    expect(await hooks.stored(id)).toMatchObject({ position: sequences[0], failures: 0 });
    hooks.held[1]?.response.writeHead(204).end();
    await hooks.untilDelivered(id, 3);
  });

  it('of a delivery of the version before is known by its id alone', async () => {
    const { id, webhook_id, sequences } = await failingAt('/before');
    await hooks.ledger.run('UPDATE webhook_deliveries SET position = NULL');
    const { cursor } = await hooks.call('POST', `/${id}/skip`, { webhook_id });
    expect(cursor).toBe(`${sequences[0] ?? 0}.${(sequences[0] ?? 0) - 1}`);
  });
});
