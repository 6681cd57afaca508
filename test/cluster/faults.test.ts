/** Parts of the cluster that fail and return under load, and the effect on callers. */
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { recurringPayment } from '../support/builders/ledger-records.js';
import type { ThrowawayHaproxy } from '../support/servers/throwaway-haproxy.js';
import { expectCancels, expectSameNodes, expectWholeLists } from './end-state.js';
import { figuresOf, print, seconds, table, unexcusedOf, type Stretch } from './figures.js';
import { GrowingLedger, IDS, PRODUCT } from './growing-ledger.js';
import { MixedLoad, type Keys } from './mixed-load.js';
import { SteadyImport } from './steady-import.js';
import { Topology } from './topology.js';
import { WrittenRelationships } from './written-relationships.js';

const isShort = process.env.TEST_CLUSTER === 'short';
/** Time for which each fault is observed. */
const STRETCH_MS = isShort ? 4_000 : 10_000;
const BATCHES = isShort ? 8 : 24;
const WRITERS = 6;
const CANCELS = isShort ? 2_000 : 10_000;
/** Time until a silent database host is no longer used: see mysql-host.ts. */
const SILENCE_MS = 700;
const LIMIT_MS = 600_000;

let topology: Topology;
let balancer: ThrowawayHaproxy;
let keys: Keys;
let load: MixedLoad;
let importing: SteadyImport;
const growing = new GrowingLedger(BATCHES);
const relationships = new WrittenRelationships();
const cancels = Array.from({ length: CANCELS }, (_, number) => `PRE-${number}`);
const stretches: Stretch[] = [];
/** Number of writes of relationships in the audit log at the end. */
let found: number | undefined;

beforeAll(async () => {
  topology = await Topology.start();
  for (const place of [0, 1, 2]) await topology.startInstance(place);
  balancer = await topology.startProxy();
  const ledger = topology.ledger(0);
  await ledger.mustImport([
    ...GrowingLedger.people(WRITERS),
    ...cancels.map((pre_key, number) => recurringPayment(pre_key, PRODUCT, { id: number + 1 })),
  ]);
  keys = { vendor: await ledger.key(IDS.vendor), affiliate: await ledger.key(IDS.affiliate) };
  load = new MixedLoad(balancer.port, keys, growing, relationships, cancels, WRITERS);
  // The import uses the node that is cut off, which is not the first one to fail.
  importing = new SteadyImport(topology.ledger(1).database.url, growing, STRETCH_MS / 3);
});
afterAll(async () => {
  await load.end();
  print(...figures());
  await balancer.kill();
  await topology.end();
});

/**
 * Requests that may fail: none, those sent up to this many milliseconds after the fault, or those
 * sent during it.
 */
type Excuse = 'none' | 'while it is done' | number;

/** Causes a fault, and observes the load for a while. */
async function watch(
  name: string,
  fault: () => Promise<void> | void,
  excuse: Excuse,
): Promise<void> {
  const from = performance.now();
  await fault();
  const done = performance.now();
  await wait(STRETCH_MS);
  const excusedUntil =
    excuse === 'none' ? -Infinity : excuse === 'while it is done' ? done : from + excuse;
  stretches.push({ name, from, to: performance.now(), excusedUntil });
  expect(unexcusedOf(stretches, load.asked)).toEqual([]);
  expect(load.wrong).toEqual([]);
}

describe('Under a mixed load, callers notice', () => {
  it('nothing where nothing happens', async () => {
    await watch('nothing happens', () => undefined, 'none');
  });

  it('no more than what was under way where a database node is killed', async () => {
    await watch('a database node is killed', () => topology.database.kill(0), 0);
  });

  it('nothing where it comes back', async () => {
    await watch('it comes back', () => topology.database.join(0), 'none');
  });

  it('no more than what was under way where an instance is killed', async () => {
    await watch('an instance is killed', () => topology.killInstance(1), 0);
  });

  it('nothing where it is started again', async () => {
    await watch('it is started again', () => topology.startInstance(1), 'none');
  });

  it('nothing where an instance is stopped and started', async () => {
    const restart = async () => {
      await topology.stopInstance(2);
      await topology.startInstance(2);
    };
    await watch('an instance is restarted', restart, 'none');
  });

  it('nothing where the balancer is reloaded', async () => {
    const reload = () => {
      balancer.reload();
    };
    await watch('the balancer is reloaded', reload, 'none');
  });

  it('nothing after it is there again where the balancer is restarted', async () => {
    const restart = async () => {
      await balancer.kill();
      await balancer.start();
    };
    await watch('the balancer is restarted', restart, 'while it is done');
  });

  it('no more than what was under way where a node is cut off the network', async () => {
    const cut = () => topology.lan.hosts[1]?.cut();
    await watch('a node is cut off the network', cut, SILENCE_MS);
  });

  it('nothing where its network is mended', async () => {
    const mend = async () => {
      topology.lan.hosts[1]?.mend();
      await topology.database.inStep(1);
    };
    await watch('its network is mended', mend, 'none');
  });

  it('nothing where a node loses the others, and is still reached', async () => {
    const part = () => topology.database.isolate(2, true);
    await watch('a node loses the others', part, 'none');
  });

  it('nothing where it finds them again', async () => {
    const join = async () => {
      await topology.database.isolate(2, false);
      await topology.database.inStep(2);
    };
    await watch('it finds them again', join, 'none');
  });

  it('nothing where for a moment no node has a cluster', async () => {
    const part = async () => {
      await topology.database.part();
      await topology.database.reunite();
    };
    await watch('all nodes lose each other', part, 'none');
  });

  it('nothing where Redis is killed and comes back', async () => {
    const restart = async () => {
      await topology.redis.kill();
      await wait(STRETCH_MS / 2);
      await topology.redis.start();
    };
    await watch('Redis is killed, and comes back', restart, 'none');
  });
});

describe('After all of it', () => {
  beforeAll(async () => {
    await importing.rest();
    await load.end();
  }, LIMIT_MS);

  it('no answer was wrong', () => {
    expect(load.wrong).toEqual([]);
  });

  it('every acknowledged write is there, and none was done twice', async () => {
    const audited = await topology.rows(
      "SELECT state_after FROM audit_log WHERE action = 'affiliation.set'",
    );
    found = audited.length;
    const states = audited.map(({ state_after }) => String(state_after));
    expect(relationships.faultsOfAudit(states)).toEqual([]);
    await expectCancels(topology, load.canceled);
    await expectWholeLists(topology, growing, keys.vendor);
  });

  it('the nodes have the same, and what is derived is right', async () => {
    await expectSameNodes(topology);
  });
});

function figures(): string[] {
  const head = ['', 'requests', 'answered 500', 'unanswered', 'slowest s', 'well again after s'];
  const rows = stretches.map((stretch) => {
    const { requests, failed, unanswered, slowestMs, recoveredMs } = figuresOf(stretch, load.asked);
    const times = [slowestMs, recoveredMs].map(seconds);
    return [stretch.name, ...[requests, failed, unanswered].map(String), ...times];
  });
  const { acknowledged, unknown } = relationships;
  return [
    ...table(head, rows),
    `relationships: ${acknowledged.size + unknown.size} writes sent, ${acknowledged.size} acknowledged, ${String(found)} found`,
    `cancels: ${load.canceled.length} acknowledged, and found`,
    `import: ${growing.size} transactions in ${importing.runs} run(s) of the command`,
  ];
}
