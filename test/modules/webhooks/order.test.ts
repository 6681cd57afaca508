/**
 * An endpoint gets one delivery at a time, whichever instance sends it and whatever changes
 * meanwhile.
 */
import type { ServerResponse } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { transaction, user } from '../../support/builders/ledger-records.js';
import { byChance } from '../../support/random/by-chance.js';
import { RunningService, until } from '../../support/servers/running-service.js';
import { useWebhooks } from '../../support/servers/webhooks-under-test.js';

const hooks = useWebhooks([1, 2, 3, 4]);

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
