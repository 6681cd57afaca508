/**
 * An endpoint gets one delivery at a time, whichever instance sends it and whatever changes
 * meanwhile.
 */
import type { ServerResponse } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import type { SeededRandom } from '../../../src/modules/demo/seeded-random.js';
import { transaction, user } from '../../support/builders/ledger-records.js';
import { EndpointChecks, type WantedChanges } from '../../support/oracles/endpoint-checks.js';
import { writerOver } from '../../support/oracles/history-writers.js';
import { ReasonedHistory } from '../../support/oracles/reasoned-history.js';
import { byChance } from '../../support/random/by-chance.js';
import { printedRandom, RANDOMNESS } from '../../support/random/seed.js';
import { RunningService, until } from '../../support/servers/running-service.js';
import { useWebhooks } from '../../support/servers/webhooks-under-test.js';

const hooks = useWebhooks([1, 2, 3, 4]);

/** Number of times that the senders are killed. */
const KILLS = Number(process.env.WEBHOOK_KILLS ?? (RANDOMNESS.isDeep ? 25 : 3));
const DURATION_MS = 110_000 + KILLS * 20_000;

const WANTED: Readonly<Record<string, WantedChanges>> = {
  '/all': {},
  '/reasons': { reasons: ['refunded', 'charged_back', 'paid', 'canceled'] },
  '/filtered': {
    kinds: ['transaction', 'recurring_payment'],
    reasons: ['sold', 'settled', 'refund_changed', 'commission_changed', 'changed', 'ended'],
    product_ids: [21],
  },
  '/product': { kinds: ['relationship', 'transaction'], product_ids: [20] },
};

describe('an endpoint', () => {
  it('that its owner changes during a delivery gets one at a time, and what the owner wants', async () => {
    const held: ServerResponse[] = [];
    hooks.behaviours.set('/held', (_, response) => held.push(response));
    const id = await hooks.endpointOf(3, '/held', 'now');
    const sent = () => hooks.receiver.received.filter(({ path }) => path === '/held');
    await hooks.ledger.mustImport([transaction('held-1', 30)]);
    await until('the first', () => held.length === 1);
    const change = (path: string, method: string, body: object) =>
      hooks.call(3, method, `/${id}${path}`, body);
    expect((await change('/replay', 'POST', {})).status).toBe(200);
    await hooks.endpointOf(4, '/marker', 'now');
    for (const at of [1, 2, 3]) {
      await hooks.ledger.mustImport([transaction(`during-${at}`, 40)]);
      await until('a marker', () =>
        hooks.receiver.received.some(({ body }) => body.includes(`during-${at}`)),
      );
    }
    expect(sent()).toHaveLength(1);
    held[0]?.writeHead(200).end();
    await until('the replay', () => held.length === 2);
    expect(sent()[1]?.sequences[0]).toBeLessThan(sent()[0]?.sequences[0] ?? 0);
    expect((await change('', 'PATCH', { state: 'paused' })).status).toBe(200);
    held[1]?.writeHead(200).end();
    await until('its end', async () => (await hooks.deliveriesOf(id)).length === 2);
    expect((await change('', 'PATCH', { state: 'active' })).status).toBe(200);
    await until('the same again', () => held.length === 3);
    expect(sent()[2]?.id).toBe(sent()[1]?.id);
    held[2]?.writeHead(200).end();
  });
});

describe('two instances', () => {
  it('send to an endpoint one at a time, each change once', async () => {
    const other = await RunningService.start(hooks.ledger, 1, hooks.settings);
    let sending = 0;
    let most = 0;
    hooks.behaviours.set('/one', (_, response) => {
      sending += 1;
      most = Math.max(most, sending);
      // Another instance would need this long to begin a delivery in parallel.
      void byChance(40).then(() => {
        sending -= 1;
        response.writeHead(200).end();
      });
    });
    await hooks.endpointOf(1, '/one', 'now');
    for (let round = 0; round < 5; round += 1) {
      await hooks.ledger.mustImport(
        Array.from({ length: 210 }, (_, index) => transaction(`at-${round}-${index}`, 10)),
      );
    }
    const sent = () => hooks.receiver.received.filter(({ path }) => path === '/one');
    await until('all', () => sent().flatMap(({ sequences }) => sequences).length >= 1_050);
    const sequences = sent().flatMap((each) => each.sequences);
    expect(sequences).toEqual([...new Set(sequences)].sort((left, right) => left - right));
    expect(sequences).toHaveLength(1_050);
    expect(most).toBe(1);
    await other.kill();
  });
});

describe('endpoints whose senders are killed', () => {
  it(
    'get all that they ask for, in order, with all reasons of the walk and no older ones',
    async () => {
      const random = printedRandom();
      const writer = await writerOver(hooks.ledger, 2, () => hooks.service.port);
      const history = await ReasonedHistory.begin(writer, 2, random);
      const checks = new Map<string, EndpointChecks>();
      for (const [path, wanted] of Object.entries(WANTED)) {
        await hooks.endpointOf(2, path, 'now', wanted);
        checks.set(path, new EndpointChecks(history, wanted, await writer.lastSequence()));
      }
      let kill = (): void => undefined;
      let [untilKill, isBefore] = [0, false];
      hooks.receiver.behaviour = (received, response) => {
        const isAccepted = random.chance(0.7);
        const endpoint = checks.get(received.path);
        const answer = () => {
          if (isAccepted) endpoint?.accept(received);
          response.writeHead(isAccepted ? 204 : 500).end();
        };
        untilKill -= 1;
        if (untilKill !== 0 || isBefore) answer();
        if (untilKill === 0) kill();
      };
      for (let killed = 1; killed <= KILLS; killed += 1) {
        // The sender is killed before or after an answer, or while a record is written.
        const isDelivering = random.chance(0.7);
        [untilKill, isBefore] = [isDelivering ? random.integer(1, 6) : 0, random.chance(0.5)];
        const dies = new Promise<void>((resolve) => (kill = resolve));
        const writing = write(history, random, dies, isDelivering ? null : kill);
        await dies;
        await hooks.service.kill();
        await hooks.ledger.run('UPDATE webhook_endpoints SET claim_ends = NULL');
        hooks.service = await RunningService.start(hooks.ledger, 1, hooks.settings);
        await writing;
        // Otherwise the walks go on.
        if (killed < KILLS && random.chance(0.6)) continue;
        const last = await writer.lastSequence();
        await until('the end', async () => {
          await hooks.ledger.run("UPDATE webhook_endpoints SET next_try = '2025-01-01 00:00:00'");
          const [row] = await hooks.ledger.rows(
            'SELECT MIN(position) AS least FROM webhook_endpoints',
          );
          return Number(row?.least) === last;
        });
        for (const [path, endpoint] of checks) {
          const received = hooks.receiver.received.filter((each) => each.path === path);
          endpoint.expectAll(received, last);
        }
      }
      expect(hooks.receiver.received.length).toBeGreaterThan(KILLS);
    },
    DURATION_MS,
  );
});

/** Writes until the service is killed, and lets it be killed during a write if `kill` is there. */
async function write(
  history: ReasonedHistory,
  random: SeededRandom,
  dies: Promise<void>,
  kill: (() => void) | null,
): Promise<void> {
  const [before, state] = [random.integer(1, 5), { isAlive: true }];
  void dies.then(() => (state.isAlive = false));
  for (let step = 0; state.isAlive; step += 1) {
    await hooks.ledger.run("UPDATE webhook_endpoints SET next_try = '2025-01-01 00:00:00'");
    const written = history.step();
    if (step >= before && kill !== null) {
      await byChance(random.integer(0, 20));
      kill();
    }
    await written;
  }
}

it('a suspended vendor gets nothing until it is active again', async () => {
  await hooks.endpointOf(1, '/suspended', 'now');
  await hooks.endpointOf(4, '/active', 'now');
  await hooks.ledger.mustImport([user(1, { status: 'suspended' }), transaction('while', 10)]);
  for (const at of ['a', 'b', 'c']) {
    await hooks.ledger.mustImport([transaction(`marker-${at}`, 40)]);
    await until('the marker', () =>
      hooks.receiver.received.some(({ body }) => body.includes(`marker-${at}`)),
    );
  }
  expect(hooks.receiver.received.some(({ path }) => path === '/suspended')).toBe(false);
  await hooks.ledger.mustImport([user(1, { status: 'active' })]);
  await until('the change', () =>
    hooks.receiver.received.some(({ path }) => path === '/suspended'),
  );
});
