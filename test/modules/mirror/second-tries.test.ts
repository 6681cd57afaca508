/** A mirror repeats failed calls, and its runs renew their lease and wait, all in this process. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Visitor } from '../../support/browser/visitor.js';
import {
  affiliation,
  product,
  recurringPayment,
  transaction,
  user,
} from '../../support/builders/ledger-records.js';
import { TestLedger } from '../../support/builders/test-ledger.js';
import {
  holdIntervals,
  passIntervals,
  releaseClock,
  setClock,
  storedTime,
} from '../../support/processes/set-clock.js';
import { until } from '../../support/servers/running-service.js';
import { TestService } from '../../support/servers/service.js';
import { STUB_KEY, StubUpstream, type StubHook } from '../../support/servers/stub-upstream.js';
import {
  stubAffiliate,
  stubPayment,
  stubRelationship,
  stubSale,
} from '../../support/servers/stub/contents.js';
import { Held } from '../../support/servers/stub/held.js';
import { LIST } from '../../support/servers/stub/spoiled.js';
import { trustHere } from '../../support/servers/trusted-here.js';

const [VENDOR, AFFILIATE, PRODUCT] = [1, 7, 10];
const TERMS = `/v2.1/affiliates/${AFFILIATE}/products/${PRODUCT}`;
const PAYMENT = '/v2.0/recurring_payment/PRE';
const DETAIL = /^\/v2\.1\/transaction\/details\/second$/;
const PAST = '2025-01-01 00:00:00';
const PAGE = '/account/upstream';

const stub = new StubUpstream({
  vendor: { id: VENDOR, name: 'Vendor', email: 'vendor@example.test' },
  products: [{ id: PRODUCT, name: 'Product 10' }],
  sales: [
    stubSale('first', { sold: '2025-05-31T12:00:00Z', affiliate: stubAffiliate(AFFILIATE) }),
    stubSale('second', { sold: '2025-06-01T12:00:00Z' }),
  ],
  relationships: [stubRelationship(AFFILIATE, PRODUCT)],
  payments: [stubPayment('PRE', { id: 1, product_id: PRODUCT })],
});
let service: TestService;
let ledger: TestLedger;
let stopTrusting: () => void;
let key: string;
let owner: Visitor;

beforeAll(async () => {
  const settings = await stub.start();
  stopTrusting = trustHere(settings);
  service = await TestService.start(settings);
  ledger = TestLedger.on(service.database);
  await service.import([
    user(VENDOR),
    user(AFFILIATE),
    product(PRODUCT, VENDOR),
    affiliation(AFFILIATE, PRODUCT, { custom_commission: 25, status: 'APPROVED' }),
    recurringPayment('PRE', PRODUCT, { id: 1, status: 'ACTIVE' }),
    transaction('second', PRODUCT, { pre_key: 'PRE' }),
  ]);
  key = await service.key(VENDOR);
  owner = await Visitor.signedIn(service, VENDOR);
});
beforeEach(async () => {
  const fields = { url: stub.url, key: STUB_KEY, every: '10' };
  await owner.get(PAGE);
  const words = { service: 'acme', processor: 'paymenthouse' };
  expect((await owner.post(PAGE, { ...fields, ...words })).status).toBe(303);
});
afterEach(async () => {
  releaseClock();
  stub.hook = (_, answer) => answer;
  await owner.get(PAGE);
  expect((await owner.post(`${PAGE}/remove`)).status).toBe(303);
  stub.requests.length = 0;
});
afterAll(async () => {
  await ledger.close();
  await service.stop();
  stopTrusting();
  stub.stop();
});

async function upstream() {
  const [row] = await ledger.rows('SELECT * FROM upstreams');
  return row ?? {};
}

async function isRenewed(): Promise<boolean> {
  return String((await upstream()).claim_ends) > storedTime(Date.now() + 30_000);
}

const reads = () => ledger.rows('SELECT * FROM upstream_reads');

/** Waits until everything except postponed reads is done, and no run is active. */
async function untilIdle(): Promise<void> {
  await until('the end of reading', async () => {
    const { claim, last_full } = await upstream();
    return claim === null && last_full !== null;
  });
}

/** Applies a fault to the first matching request only. */
function once(matches: (request: Parameters<StubHook>[0]) => boolean, fault: StubHook): StubHook {
  let isFirst = true;
  return (request, answer) => {
    if (!isFirst || !matches(request)) return answer;
    isFirst = false;
    return fault(request, answer);
  };
}

const sent = (path: RegExp | string) =>
  stub.requests.filter((request) => request.path.search(path) >= 0);

describe('a change that got no answer is sent a second time', () => {
  const isPut = ({ method }: Parameters<StubHook>[0]) => method === 'PUT';

  it.each<[string, StubHook]>([
    ['nothing', () => 'hung up'],
    ['503', (_, answer) => ({ ...answer, status: 503 })],
    ['429', (_, answer) => ({ ...answer, status: 429, headers: { 'Retry-After': '0' } })],
  ])('after %s', async (_, fault) => {
    await untilIdle();
    for (const [path, body] of [
      [TERMS, { approval_status: 'DELAYED', custom_commission: 40 }],
      [PAYMENT, { status: 'CANCEL' }],
    ] as const) {
      stub.requests.length = 0;
      stub.hook = once(isPut, fault);
      expect([path, (await service.put(path, key, body)).status]).toEqual([path, 200]);
      const puts = sent(path).filter(isPut);
      expect(puts).toHaveLength(2);
      expect(puts[1]?.body).toBe(puts[0]?.body);
    }
    await ledger.run("UPDATE recurring_payments SET status = 'ACTIVE'");
  });

  it('and not a third time, nor at all if the upstream refuses it', async () => {
    await untilIdle();
    const body = { approval_status: 'DELAYED', custom_commission: 41 };
    const refuses: StubHook = (request, answer) =>
      isPut(request) ? { ...answer, status: 400 } : answer;
    const hangsUp: StubHook = (request, answer) => (isPut(request) ? 'hung up' : answer);
    for (const [hook, times] of [
      [refuses, 1],
      [hangsUp, 2],
    ] as const) {
      stub.requests.length = 0;
      stub.hook = hook;
      expect((await service.put(TERMS, key, body)).status).toBe(402);
      expect(sent(TERMS).filter(isPut)).toHaveLength(times);
    }
  });
});

it('an upstream that fails is not called sooner for a notification or a lost answer', async () => {
  await untilIdle();
  const next_try = '2099-01-01 00:00:00';
  await ledger.run(`UPDATE upstreams SET failures = 3, next_try = '${next_try}'`);
  const { text } = await owner.post(`${PAGE}/address`);
  const [path = ''] = /\/ledger\/v1\/upstreams\/\d+\/notify\/[\w-]{32}/.exec(text) ?? [];
  const headers = { 'Content-Type': 'application/json' };
  const body = JSON.stringify({ paykey: 'third' });
  expect((await service.send({ method: 'POST', path, headers, body })).status).toBe(200);
  stub.hook = () => 'hung up';
  const terms = { approval_status: 'DELAYED', custom_commission: 42 };
  expect((await service.put(TERMS, key, terms)).status).toBe(402);
  expect((await reads()).map(({ kind }) => kind).sort()).toEqual(['notified', 'relationship']);
  expect(await upstream()).toMatchObject({ failures: 3, next_try });
  await ledger.run('UPDATE upstreams SET failures = 0');
  expect((await service.put(TERMS, key, terms)).status).toBe(402);
  expect(String((await upstream()).next_try) < next_try).toBe(true);
});

describe('a change whose answer says nothing that can be understood', () => {
  const cut: StubHook = (_, answer) => ({ ...answer, body: answer.body.slice(0, 20) });
  const page: StubHook = (_, answer) => ({ ...answer, body: '<html></html>' });
  const empty: StubHook = (_, answer) => ({ ...answer, body: '{"results":[{}]}' });
  const refused = (status: number): StubHook => {
    return (_, answer) => ({ ...answer, status });
  };

  it.each<[string, StubHook, boolean]>([
    ['cut off', cut, true],
    ['a page', page, true],
    ['nothing of it', empty, true],
    ['301', refused(301), true],
    ['400', refused(400), false],
    ['401', refused(401), false],
    ['404', refused(404), false],
  ])('may have been taken, unless it was refused: %s', async (_, fault, isUnknown) => {
    await untilIdle();
    stub.requests.length = 0;
    stub.hook = (request, answer) => (request.method === 'PUT' ? fault(request, answer) : answer);
    const terms = await service.put(TERMS, key, { approval_status: 'DELAYED' });
    const canceled = await service.put(PAYMENT, key, { status: 'CANCEL' });
    expect([terms.status, canceled.status]).toEqual([402, 402]);
    expect(terms.text.includes('read from there soon')).toBe(isUnknown);
    expect(canceled.text.includes('asked again')).toBe(isUnknown);
    expect(await ledger.rows('SELECT * FROM recurring_cancels')).toHaveLength(isUnknown ? 1 : 0);
    expect(sent(TERMS).filter(({ method }) => method === 'PUT')).toHaveLength(1);
    await ledger.run('DELETE FROM recurring_cancels');
  });
});

describe('a run', () => {
  it.each<[string, number, Readonly<Record<string, string>>]>([
    ['RateLimit', 200, { RateLimit: '"1s";r=0;t=1' }],
    ['X-RateLimit-Reset', 200, { 'X-RateLimit-Remaining': '0', 'X-RateLimit-Reset': '1' }],
    ['Retry-After', 429, { 'Retry-After': '1' }],
  ])('waits before its next call as long as %s says', async (_, status, limits) => {
    const calls: number[] = [];
    stub.hook = (_request, answer) => {
      calls.push(performance.now());
      const isFirst = calls.length === 1;
      return isFirst ? { ...answer, status, headers: { ...answer.headers, ...limits } } : answer;
    };
    await untilIdle();
    const [first = 0, second = 0] = calls;
    // Timers are exact to one or two milliseconds.
    expect(second - first).toBeGreaterThan(990);
  });

  it('repeats a call that got no answer within its turn', async () => {
    const claims: unknown[] = [];
    stub.hook = async ({ path }, answer) => {
      if (!LIST.test(path)) return answer;
      claims.push((await upstream()).claim);
      return claims.length === 1 ? 'hung up' : answer;
    };
    await untilIdle();
    expect(claims[1]).toBe(claims[0]);
    expect(await upstream()).toMatchObject({ failures: 0, problem: null });
    expect(await reads()).toEqual([]);
  });

  it('puts off what cannot be read, for ever longer, and tries it before the next run', async () => {
    stub.hook = ({ path }, answer) =>
      DETAIL.test(path) ? { ...answer, body: answer.body.slice(0, 20) } : answer;
    await untilIdle();
    const pauses: number[] = [];
    for (let failures = 1; failures <= 3; failures += 1) {
      await until('another try', async () => {
        const [read] = await reads();
        return Number(read?.failures) === failures && (await upstream()).claim === null;
      });
      const [read] = await reads();
      expect(await reads()).toMatchObject([{ kind: 'detail', record_key: 'second' }]);
      const { next_try } = await upstream();
      expect(next_try).toBe(read?.next_try);
      const [problem] = await ledger.rows('SELECT kind, text FROM upstream_problems');
      expect(problem).toMatchObject({ kind: 'detail not read' });
      expect(String(problem?.text)).toContain('detail second: ');
      pauses.push(Date.parse(`${String(next_try)}Z`) - Date.now());
      await ledger.run(`UPDATE upstream_reads SET next_try = '${PAST}'`);
      await ledger.run(`UPDATE upstreams SET next_try = '${PAST}'`);
    }
    for (const [index, seconds] of [5, 10, 20].entries()) {
      expect(pauses[index]).toBeGreaterThan((seconds - 4) * 1_000);
      expect(pauses[index]).toBeLessThanOrEqual(seconds * 1_250);
    }
    stub.requests.length = 0;
    stub.hook = (_, answer) => answer;
    await ledger.run(`UPDATE upstream_reads SET next_try = '${PAST}'`);
    await ledger.run(`UPDATE upstreams SET next_try = '${PAST}'`);
    await until('the read', async () => (await reads()).length === 0);
    expect(sent(LIST)).toEqual([]);
    expect(sent(DETAIL)).toHaveLength(1);
    await until('the end of the turn', async () => (await upstream()).claim === null);
    expect(await ledger.rows('SELECT * FROM upstream_problems')).toEqual([]);
    const { last_recent, next_try } = await upstream();
    const [last, next] = [last_recent, next_try].map((at) => Date.parse(`${String(at)}Z`));
    expect(Number(next) - Number(last)).toBe(600_000);
  });

  it('begins at the second of its next try, of the end of another claim, and of a read', async () => {
    await untilIdle();
    const now = Math.ceil(Date.now() / 1_000) * 1_000;
    setClock(now);
    const at = `'${storedTime(now)}'`;
    const { id } = await upstream();
    await ledger.run(`INSERT INTO upstream_reads
      (upstream_id, kind, record_key, sale_date, failures, next_try)
      VALUES (${Number(id)}, 'detail', 'second', '${PAST}', 1, ${at})`);
    await ledger.run(
      `UPDATE upstreams SET next_try = ${at}, claim = 'another', claim_ends = ${at}, wanted = 'recent'`,
    );
    await until('the run', async () => (await upstream()).wanted === null);
    await until('the read', async () => (await reads()).length === 0);
    await untilIdle();
  });

  it('renews its claim with what it writes', async () => {
    const [list, detail] = [new Held(LIST), new Held(DETAIL)];
    stub.hook = (request, answer) =>
      (LIST.test(request.path) ? list : detail).hook(request, answer);
    await until('the list', () => list.count > 0);
    await ledger.run(`UPDATE upstreams SET claim_ends = '${PAST}'`);
    list.release();
    await until('the details', () => detail.count > 0);
    expect(await isRenewed()).toBe(true);
    detail.release();
    await untilIdle();
  });

  it('renews its claim while it waits for a call', async () => {
    const list = new Held(LIST);
    stub.hook = list.hook;
    holdIntervals();
    await until('the list', () => list.count > 0);
    await ledger.run(`UPDATE upstreams SET claim_ends = '${PAST}'`);
    passIntervals(20_000);
    await until('the renewal', isRenewed);
    list.release();
    await untilIdle();
  });
});
