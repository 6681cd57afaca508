/** Endpoints that get some of the changes, and the reasons that they get. */
import { describe, expect, it } from '@jest/globals';
import type { SeededRandom } from '../../../src/modules/demo/seeded-random.js';
import {
  affiliation,
  product,
  recurringPayment,
  refund,
  transaction,
  user,
} from '../../support/builders/ledger-records.js';
import { envelopeOf } from '../../support/http/http.js';
import { EndpointChecks, type WantedChanges } from '../../support/oracles/endpoint-checks.js';
import { writerIn } from '../../support/oracles/history-writers.js';
import { reasonsIn, type ShownItem } from '../../support/oracles/reason-checks.js';
import { ReasonedHistory } from '../../support/oracles/reasoned-history.js';
import { printedRandom } from '../../support/random/seed.js';
import { until } from '../../support/servers/running-service.js';
import { useWebhooksHere } from '../../support/servers/webhooks-here.js';

const hooks = useWebhooksHere();

const ROUNDS = 3;
const STEPS = 12;
/** More changes than one read of a filter looks at. */
const MANY = 2_300;

type Item = ShownItem;

function itemsAt(path: string): Item[] {
  return hooks
    .receivedAt(path)
    .flatMap(({ body }) => (JSON.parse(body) as { data: { changes: Item[] } }).data.changes);
}

function keysOf(items: readonly Item[]): string[] {
  return items.map((item) => {
    const content = item[item.kind] as Readonly<Record<string, unknown>>;
    const { transaction_id, preKey, key, product_id } = content;
    return `${item.kind} ${String(transaction_id ?? preKey ?? key ?? product_id)}`;
  });
}

const DUE_NOW = "UPDATE webhook_endpoints SET next_try = '2025-01-01 00:00:00'";

/** Returns the active endpoints that have not read everything. */
function behind() {
  return hooks.ledger.rows(
    `SELECT e.id FROM webhook_endpoints e JOIN ledger_revisions r
      ON r.vendor_id = e.vendor_id AND r.last_sequence > e.position WHERE e.state = 'active'`,
  );
}

/** Waits until all endpoints have read everything, and lets failed deliveries be sent again. */
async function allRead(): Promise<void> {
  await until('all changes', async () => {
    await hooks.ledger.run(DUE_NOW);
    return (await behind()).length === 0;
  });
}

/** Waits until endpoints get something, and lets failed deliveries be sent again. */
async function someSent(): Promise<void> {
  const before = hooks.receiver.received.length;
  await until('a delivery', async () => {
    await hooks.ledger.run(DUE_NOW);
    return hooks.receiver.received.length > before || (await behind()).length === 0;
  });
}

/** Endpoints whose receiver fails, and which their owner filters, pauses and moves on at random. */
class RandomEndpoints {
  private readonly paused = new Set<number>();

  private constructor(
    private readonly endpoints: ReadonlyMap<string, { id: number; checks: EndpointChecks }>,
    private readonly random: SeededRandom,
  ) {
    hooks.receiver.behaviour = (received, response) => {
      const isAccepted = random.chance(0.5);
      if (isAccepted) endpoints.get(received.path)?.checks.accept(received);
      response.writeHead(isAccepted ? 204 : 500).end();
    };
  }

  static async at(
    paths: readonly string[],
    history: ReasonedHistory,
    random: SeededRandom,
    now: number,
  ) {
    const endpoints = new Map<string, { id: number; checks: EndpointChecks }>();
    for (const path of paths) {
      const wanted = wantedBy(random);
      const { id } = await hooks.endpointAt(path, wanted);
      endpoints.set(path, { id, checks: new EndpointChecks(history, wanted, now) });
    }
    return new RandomEndpoints(endpoints, random);
  }

  /** Changes some of the endpoints. */
  async change(now: number): Promise<void> {
    for (const [path, { id, checks }] of this.endpoints) {
      if (this.random.chance(0.1)) {
        const wanted = wantedBy(this.random);
        await hooks.call('PATCH', `/${id}`, { kinds: [], reasons: [], product_ids: [], ...wanted });
        checks.filter(wanted, now);
      }
      if (this.random.chance(0.1)) {
        this.paused.add(id);
        await hooks.call('PATCH', `/${id}`, { state: 'paused' });
      }
      if (this.random.chance(0.1)) await this.skip(path, id, checks);
    }
  }

  /** Resumes what is paused. Other deliveries keep failing until they are accepted. */
  async resume(): Promise<void> {
    for (const id of this.paused) await hooks.call('PATCH', `/${id}`, { state: 'active' });
    this.paused.clear();
  }

  expectAll(end: number): void {
    for (const [path, { checks }] of this.endpoints) checks.expectAll(hooks.receivedAt(path), end);
  }

  private async skip(path: string, id: number, checks: EndpointChecks): Promise<void> {
    const { failing } = await hooks.call('GET', `/${id}`);
    if (failing === null) return;
    const { webhook_id } = failing as unknown as { webhook_id: string };
    const answer = await hooks.ask('POST', `/${id}/skip`, { webhook_id });
    // Something in the delivery may have changed since.
    if (answer.status === 200) {
      checks.skip(hooks.receivedAt(path).filter((received) => received.id === webhook_id));
    }
  }
}

/** Returns a random filter of a vendor with the products 10 and 11. */
function wantedBy(random: SeededRandom): WantedChanges {
  return random.oneOf<WantedChanges>([
    {},
    { reasons: ['refunded', 'charged_back', 'canceled', 'paid'] },
    { kinds: ['transaction'], product_ids: [11] },
    { kinds: ['recurring_payment', 'relationship'] },
    { reasons: ['corrected', 'changed', 'commission_changed'], product_ids: [10] },
  ]);
}

describe('the filter of an endpoint', () => {
  it('is shown as lists, and changes part by part while the position stays', async () => {
    const { id } = await hooks.endpointAt('/shown', {
      kinds: ['transaction', 'removed'],
      product_ids: `11, 10,10${',11'.repeat(1_000)}`,
    });
    const { cursor } = await hooks.call('GET', `/${id}`);
    const stored = { kinds: ['transaction', 'removed'], reasons: null, product_ids: [10, 11] };
    expect(await hooks.call('GET', `/${id}`)).toMatchObject(stored);
    const changed = await hooks.call('PATCH', `/${id}`, { reasons: ['sold'], product_ids: [10] });
    expect(changed).toMatchObject({ ...stored, reasons: ['sold'], product_ids: [10], cursor });
    const cleared = await hooks.call('PATCH', `/${id}`, {
      kinds: [],
      reasons: null,
      product_ids: '',
    });
    expect(cleared).toMatchObject({ kinds: null, reasons: null, product_ids: null, cursor });
  });

  it.each([
    [{ kinds: 'transactions' }, 'kinds must be some of transaction,'],
    [{ kinds: [''], reasons: ['Sold'] }, 'reasons must be some of sold,'],
    [{ reasons: ['sold', 'sold\nx'] }, 'reasons must be'],
    [{ product_ids: [0] }, 'product_ids must be ids of products, at most 100'],
    [{ product_ids: ['1e3'] }, 'product_ids must be'],
    [{ product_ids: '9007199254740992' }, 'product_ids must be'],
    [{ product_ids: Array.from({ length: 101 }, (_, index) => index + 1) }, 'product_ids must be'],
    [
      { product_ids: Array.from({ length: 1_000 }, () => 10).join(',') + ',x' },
      'product_ids must be',
    ],
    [{ kinds: [['transaction']] }, 'kinds must be a list'],
    [{ kinds: { 0: 'transaction' } }, 'kinds must be a list'],
    [{ product_ids: [1.5] }, 'product_ids must be a list'],
    [{ product_ids: 10 }, 'product_ids must be a list'],
  ])('%j is rejected, and nothing changes', async (filter, detail) => {
    const { id } = await hooks.endpointAt('/rejected', { reasons: 'sold' });
    const answer = await hooks.ask('PATCH', `/${id}`, filter);
    expect(envelopeOf(answer).meta.status).toMatchObject({
      code: 4001,
      detail: expect.stringContaining(detail),
    });
    expect(await hooks.call('GET', `/${id}`)).toMatchObject({ reasons: ['sold'], kinds: null });
  });

  it('passes what matches at its present state, and all that left the ledger', async () => {
    const filters = {
      '/refunds': { reasons: ['refunded'] },
      '/product': { product_ids: [12] },
      '/terms': { kinds: ['relationship', 'product'] },
      '/nothing': { kinds: ['product'], reasons: ['sold'] },
      '/of-another': { product_ids: [20] },
    };
    for (const [path, filter] of Object.entries(filters)) await hooks.endpointAt(path, filter);
    const ended = { status: 'refunded', refund: undefined };
    await hooks.service.import([
      user(5),
      product(12, 1),
      product(13, 1),
      affiliation(5, 12),
      affiliation(5, 13),
      transaction('of-12', 12),
      transaction('of-13', 13, ended),
      recurringPayment('pay-12', 12, { id: 12 }),
      recurringPayment('pay-13', 13, { id: 13 }),
    ]);
    await allRead();
    await hooks.service.import([
      user(2),
      product(20, 2),
      recurringPayment('pay-13', 20, { id: 13 }),
    ]);
    await allRead();
    const left = 'removed pay-13';
    expect(keysOf(itemsAt('/refunds'))).toEqual(['transaction of-13', left]);
    expect(keysOf(itemsAt('/product')).sort()).toEqual(
      [
        'product 12',
        'recurring_payment pay-12',
        'relationship 12',
        left,
        'transaction of-12',
      ].sort(),
    );
    expect(keysOf(itemsAt('/terms')).sort()).toEqual(
      ['product 12', 'product 13', 'relationship 12', 'relationship 13', left].sort(),
    );
    expect(keysOf(itemsAt('/nothing'))).toEqual([left]);
    expect(keysOf(itemsAt('/of-another'))).toEqual([left]);
  });

  it('that passes nothing for a long time moves on without deliveries', async () => {
    await hooks.sell(MANY);
    const { id } = await hooks.endpointAt('/late', {
      from: 'beginning',
      reasons: ['charged_back'],
    });
    await allRead();
    expect(hooks.receivedAt('/late').length).toBeLessThanOrEqual(1);
    const { position, walk_from } = await hooks.stored(id);
    expect(walk_from).toBe(position);
    const [sale] = await hooks.sell(1, { status: 'charged_back' });
    await allRead();
    expect(keysOf(itemsAt('/late')).at(-1)).toBe(`transaction ${sale ?? ''}`);
  });
});

describe('the reasons that endpoints get', () => {
  it('stay with a record that changes while a delivery fails', async () => {
    const sale = (changes: Readonly<Record<string, unknown>>) =>
      hooks.service.import([transaction('moves', 10, changes)]);
    await sale({});
    const { id } = await hooks.endpointAt('/moves');
    hooks.receiver.behaviour = (_, response) => response.writeHead(500).end();
    await sale({ status: 'charged_back' });
    await until('the failure', async () => (await hooks.stored(id)).problem !== null);
    hooks.receiver.behaviour = (_, response) => response.writeHead(204).end();
    await sale({ status: 'charged_back', amount: '9.00' });
    await allRead();
    const sent = ['moves charged_back', 'moves charged_back', 'moves corrected'];
    expect(reasonsIn(itemsAt('/moves'))).toEqual(sent);
  });

  it('while a former version of the service writes them are all of the walk, and no older ones', async () => {
    const sale = (changes: Readonly<Record<string, unknown>>) =>
      hooks.service.import([transaction('rolled', 10, changes)]);
    const [, { id }] = [await sale({}), await hooks.endpointAt('/rolled')];
    // The former version does not know the column of the walk.
    const known =
      'vendor_id, state, secret, position, number, failures, next_try, created, max_bytes';
    await hooks.ledger.run(
      `INSERT INTO webhook_endpoints (url, ${known})
        SELECT '${hooks.urlOf('/former')}', ${known} FROM webhook_endpoints WHERE id = ${id}`,
    );
    await sale({ status: 'refunded', refund: refund('2025-06-02T12:00:00Z') });
    await allRead();
    for (const path of ['/rolled', '/former']) {
      expect(reasonsIn(itemsAt(path))).toEqual(['rolled refunded']);
    }
    await hooks.call('PATCH', `/${id}`, { state: 'paused' });
    await sale({ status: 'completed' });
    // It sends without reasons, and moves only the position.
    await hooks.ledger.run(`UPDATE webhook_endpoints SET position = position + 1 WHERE id = ${id}`);
    await sale({ status: 'completed', amount: '9.00' });
    await hooks.call('PATCH', `/${id}`, { state: 'active' });
    await allRead();
    const sent = ['rolled refunded', 'rolled refund_changed', 'rolled corrected'];
    expect(reasonsIn(itemsAt('/rolled'))).toEqual(sent);
    // It sends everything again.
    await hooks.ledger.run(`UPDATE webhook_endpoints SET position = 0 WHERE id = ${id}`);
    await allRead();
    const again = reasonsIn(itemsAt('/rolled')).filter((text) => text.startsWith('rolled '));
    expect(again.slice(sent.length)).toEqual(['rolled sold', ...sent]);
  });

  it('are all since they last had everything, whatever fails and changes meanwhile', async () => {
    const random = printedRandom();
    const writer = writerIn(hooks.service, hooks.ledger, 1);
    const history = await ReasonedHistory.begin(writer, 1, random);
    const wanted = await RandomEndpoints.at(
      ['/one', '/two', '/three', '/four'],
      history,
      random,
      await writer.lastSequence(),
    );
    for (let round = 0; round < ROUNDS; round += 1) {
      for (let step = 0; step < STEPS; step += 1) {
        await history.step();
        if (random.chance(0.3)) await someSent();
        await wanted.change(await writer.lastSequence());
      }
      await wanted.resume();
      await allRead();
      wanted.expectAll(await writer.lastSequence());
    }
  });
});
