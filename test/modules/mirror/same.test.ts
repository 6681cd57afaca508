/**
 * A mirror of this service shows the same data, even if both change, fail, limit requests and are
 * killed meanwhile.
 */
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { MirroredChanges } from '../../support/builders/mirrored/changes.js';
import { MIRRORED_ID, MIRRORED_VENDOR } from '../../support/builders/mirrored/parties.js';
import { mirroredLedger } from '../../support/builders/mirrored-ledger.js';
import { TestLedger } from '../../support/builders/test-ledger.js';
import { LedgerWriter } from '../../support/http/ledger-writer.js';
import { differencesBetween } from '../../support/oracles/same-bodies.js';
import { MirrorUnderTest } from '../../support/servers/mirror-under-test.js';
import { endAll, RunningService, until } from '../../support/servers/running-service.js';
import { UpstreamFront } from '../../support/servers/upstream-front.js';

/** These fill more than two of the largest pages, and have all forms of the ledger. */
const SALES = 420;
const PER_SECOND = 50;
/** The limit suits a busy machine, which starts several services and obeys the limits of one. */
const LIMIT_MS = 600_000;
/**
 * Number of written records before the upstream is killed, before the mirror is killed, and in
 * total.
 */
const [UPSTREAM_DIES, MIRROR_DIES, ALL] = [150, 300, 500] as const;
const LIMITS = { THROTTLE_LIMITS: '20/1s' } as const;
/** At most this many differences are reported. */
const MOST = 20;

let ledger: TestLedger;
let upstream: RunningService;
let front: UpstreamFront;
let settings: Readonly<Record<string, string>>;
let key: string;
const mirrors: MirrorUnderTest[] = [];

const content = mirroredLedger(SALES);

beforeAll(async () => {
  ledger = await TestLedger.create();
  await ledger.mustImport(content.records);
  key = await ledger.key(MIRRORED_ID);
  upstream = await RunningService.start(ledger, 1);
  front = new UpstreamFront(upstream.port);
  settings = await front.start();
});
afterAll(async () => {
  for (const mirror of mirrors) await mirror.stop();
  front.stop();
  await endAll();
  await ledger.drop();
});

async function startMirror(): Promise<MirrorUnderTest> {
  const mirror = await MirrorUnderTest.start(MIRRORED_VENDOR, settings);
  mirrors.push(mirror);
  return mirror;
}

const differencesOf = ({ instance }: MirrorUnderTest) =>
  differencesBetween({ port: upstream.port, key }, instance);

async function expectSame(mirror: MirrorUnderTest): Promise<void> {
  expect(await differencesOf(mirror)).toEqual([]);
  for (const each of [ledger, mirror.ledger]) {
    expect(await each.cli(['verify'])).toMatchObject({ status: 0 });
  }
}

async function restartUpstream(limits: Readonly<Record<string, string>>): Promise<void> {
  await upstream.kill();
  upstream = await RunningService.start(ledger, 1, limits);
  front.target = upstream.port;
}

describe('a mirror', () => {
  let mirror: MirrorUnderTest;

  beforeAll(async () => {
    mirror = await startMirror();
  });

  it('has the same bodies after a full run, byte for byte', async () => {
    await mirror.add(front.url, key);
    await mirror.run(true);
    await expectSame(mirror);
  });

  it('that is paused differs if one field of a record is another', async () => {
    await mirror.command('pause', String(mirror.id));
    const [sale] = content.sales;
    const delivery = { city: 'Elsewhere' };
    await ledger.mustImport([{ ...sale, delivery }]);
    const found = await differencesOf(mirror);
    expect(found.map(({ path }) => path)).toEqual([
      `/v2.1/transaction/details/${encodeURIComponent(sale?.transaction_id ?? '')}`,
    ]);
    expect(found[0]?.one).toContain('Elsewhere');
  });
});

describe('a mirror whose upstream changes', () => {
  let mirror: MirrorUnderTest;
  let writer: LedgerWriter | undefined;

  beforeAll(async () => {
    await restartUpstream(LIMITS);
    mirror = await startMirror();
    const changes = new MirroredChanges(content);
    const next = () => changes.next();
    const sourceKey = await ledger.sourceKey();
    writer = new LedgerWriter(() => upstream.port, sourceKey, next, PER_SECOND);
  });
  afterEach(() => writer?.end());

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
      // All data is compared, so the service runs without limits.
      await restartUpstream({});
      await mirror.run(true);
      expect(Object.values(front.failed).every((count) => count > 0)).toBe(true);
      await expectSame(mirror);
    },
    LIMIT_MS,
  );

  it('differs from the paused one, which has none of the changes', async () => {
    const [paused] = mirrors;
    if (paused === undefined) throw new Error('it was started');
    expect(await differencesOf(paused)).toHaveLength(MOST);
  });
});
