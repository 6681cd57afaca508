/** A mirror fills itself while its upstream changes, fails, limits and dies, and ends up the same. */
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { MirroredChanges } from '../../support/builders/mirrored/changes.js';
import { MIRRORED_ID, MIRRORED_VENDOR } from '../../support/builders/mirrored/parties.js';
import { mirroredLedger } from '../../support/builders/mirrored-ledger.js';
import { TestLedger } from '../../support/builders/test-ledger.js';
import { LedgerWriter } from '../../support/http/ledger-writer.js';
import { differencesBetween } from '../../support/oracles/same-bodies.js';
import { MirrorUnderTest } from '../../support/servers/mirror-under-test.js';
import { endAll, RunningService, until } from '../../support/servers/running-service.js';
import { UpstreamFront } from '../../support/servers/upstream-front.js';

const SALES = 420;
const PER_SECOND = 50;
/** Of a busy machine: it has several services to start, and the limits of one to keep. */
const LIMIT_MS = 300_000;
/** How many records are written before the upstream dies, before the mirror dies, and in all. */
const [UPSTREAM_DIES, MIRROR_DIES, ALL] = [150, 300, 500] as const;
const LIMITS = { THROTTLE_LIMITS: '20/1s' } as const;

let ledger: TestLedger;
let upstream: RunningService;
let front: UpstreamFront;
let mirror: MirrorUnderTest;
let key: string;
let writer: LedgerWriter | undefined;

const content = mirroredLedger(SALES);

beforeAll(async () => {
  ledger = await TestLedger.create();
  await ledger.mustImport(content.records);
  key = await ledger.key(MIRRORED_ID);
  const sourceKey = await ledger.sourceKey();
  upstream = await RunningService.start(ledger, 1, LIMITS);
  front = new UpstreamFront(upstream.port);
  mirror = await MirrorUnderTest.start(MIRRORED_VENDOR, await front.start());
  const changes = new MirroredChanges(content);
  const next = () => changes.next();
  writer = new LedgerWriter(() => upstream.port, sourceKey, next, PER_SECOND);
});
afterEach(() => writer?.end());
afterAll(async () => {
  await mirror.stop();
  front.stop();
  await endAll();
  await ledger.drop();
});

async function restartUpstream(limits: Readonly<Record<string, string>>): Promise<void> {
  await upstream.kill();
  upstream = await RunningService.start(ledger, 1, limits);
  front.target = upstream.port;
}

async function restartMirror(): Promise<void> {
  await mirror.restart();
  await mirror.releaseClaim();
}

async function untilWritten(count: number): Promise<void> {
  await until(`${count} records`, () => {
    expect(writer?.failure).toBeNull();
    return (writer?.written ?? 0) >= count;
  });
}

it(
  'has the same bodies after changes, limits, failures and deaths of both sides',
  async () => {
    front.failEvery = 50;
    await mirror.add(front.url, key);
    await untilWritten(UPSTREAM_DIES);
    await restartUpstream(LIMITS);
    await untilWritten(MIRROR_DIES);
    await restartMirror();
    await untilWritten(ALL);
    await writer?.end();
    expect(writer?.rejected).toEqual([]);
    // All that came is compared, so the limits have to go.
    await restartUpstream({});
    await mirror.run(true);
    expect(Object.values(front.failed).every((count) => count > 0)).toBe(true);
    expect(await differencesBetween({ port: upstream.port, key }, mirror.instance)).toEqual([]);
    for (const each of [ledger, mirror.ledger]) {
      expect(await each.cli(['verify'])).toMatchObject({ status: 0 });
    }
  },
  LIMIT_MS,
);
