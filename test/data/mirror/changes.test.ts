/** Changes of a mirrored vendor: the upstream takes them first, and what it says holds. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import {
  affiliation,
  product,
  recurringPayment,
  user,
} from '../../support/builders/ledger-records.js';
import { basic, envelopeOf, send, type Answer } from '../../support/http/http.js';
import { expectFailure } from '../../support/oracles/failure.js';
import { MirrorUnderTest } from '../../support/servers/mirror-under-test.js';
import { endAll, until } from '../../support/servers/running-service.js';
import { STUB_KEY, StubUpstream, type StubHook } from '../../support/servers/stub-upstream.js';
import {
  stubAffiliate,
  stubPayment,
  stubRelationship,
  stubSale,
  type StubContents,
} from '../../support/servers/stub/contents.js';

const [VENDOR, AFFILIATE, PRODUCT] = [1, 7, 10];
const TERMS = `/v2.1/affiliates/${AFFILIATE}/products/${PRODUCT}`;
const KEYS = ['HERE', 'TAKEN', 'REFUSED', 'LOST'] as const;
const paymentAt = (key: string) => `/v2.0/recurring_payment/${key}`;

const contents: StubContents = {
  vendor: { id: VENDOR, name: 'Vendor', email: 'vendor@example.test' },
  products: [{ id: PRODUCT, name: 'Product 10' }],
  sales: KEYS.map((pre_key) =>
    stubSale(`sale-${pre_key}`, { pre_key, affiliate: stubAffiliate(AFFILIATE) }),
  ),
  relationships: [stubRelationship(AFFILIATE, PRODUCT, { custom_commission: 25 })],
  payments: KEYS.map((key, index) => stubPayment(key, { id: index + 1, product_id: PRODUCT })),
};
const stub = new StubUpstream(contents);
let mirror: MirrorUnderTest;

beforeAll(async () => {
  mirror = await MirrorUnderTest.start({ ...user(VENDOR), id: VENDOR }, await stub.start());
  await mirror.ledger.mustImport([
    ...[user(AFFILIATE), product(PRODUCT, VENDOR)],
    affiliation(AFFILIATE, PRODUCT, { custom_commission: 25, status: 'APPROVED' }),
    recurringPayment('HERE', PRODUCT, { id: 1, status: 'ACTIVE' }),
  ]);
});
afterEach(() => {
  stub.hook = (_, answer) => answer;
});
afterAll(async () => {
  await mirror.stop();
  stub.stop();
  await endAll();
});

async function result(path: string): Promise<Readonly<Record<string, unknown>>> {
  const answer = await send(mirror.service.port, { path, headers: basic(mirror.key) });
  const [found] = envelopeOf(answer).results;
  if (found === undefined) throw new Error(answer.text);
  return found;
}

function put(path: string, body: object): Promise<Answer> {
  const headers = { ...basic(mirror.key), 'Content-Type': 'application/json' };
  const request = { method: 'PUT', path, headers, body: JSON.stringify(body) };
  return send(mirror.service.port, request);
}

const setTerms = (custom_commission: number) =>
  put(TERMS, { approval_status: 'DELAYED', custom_commission });
const cancel = (key: string) => put(paymentAt(key), { status: 'CANCEL' });

/** All that a change could leave behind. */
async function traces() {
  const of = (sql: string) => mirror.ledger.rows(sql);
  return [
    await of('SELECT * FROM affiliations'),
    await of('SELECT * FROM recurring_payments ORDER BY pre_key'),
    await of("SELECT * FROM audit_log WHERE action NOT LIKE '%import'"),
    await of('SELECT * FROM ledger_revisions'),
  ];
}

/** To changes alone. @param answer what becomes of the answer */
function onPut(answer: StubHook): StubHook {
  return (request, given) => (request.method === 'PUT' ? answer(request, given) : given);
}

const refusing = onPut((_, answer) => ({ ...answer, status: 400 }));
const losing = onPut(() => 'hung up');

it('what a vendor set here before gives way to what the upstream says', async () => {
  expect((await setTerms(60)).status).toBe(200);
  expect((await cancel('HERE')).status).toBe(200);
  await mirror.add(stub.url, STUB_KEY, 'service=acme,processor=paymenthouse');
  await mirror.untilRead();
  await mirror.untilIdle();
  expect(await result(TERMS)).toMatchObject({ custom_commission: 25, delayed_commission: false });
  expect(await result(paymentAt('HERE'))).toMatchObject({ status: 'ACTIVE' });
});

describe('a change that the upstream refuses', () => {
  it.each<[string, () => Promise<Answer>, string]>([
    ['of terms', () => setTerms(61), '2.1'],
    ['of a payment', () => cancel('REFUSED'), '2.0'],
  ])('%s is 402, and nothing changed', async (_, change, version) => {
    const before = await traces();
    stub.hook = refusing;
    expect(expectFailure(await change(), 4000, version, 402)).toMatch(/did not take/);
    expect(await traces()).toEqual(before);
    expect(await mirror.ledger.rows('SELECT * FROM recurring_cancels')).toEqual([]);
  });
});

describe('a change that the upstream takes', () => {
  it('is made here, too, also while the upstream is paused', async () => {
    await mirror.ledger.cli(['upstreams', 'pause', String(mirror.id)]);
    expect((await setTerms(40)).status).toBe(200);
    expect((await cancel('TAKEN')).status).toBe(200);
    await mirror.ledger.cli(['upstreams', 'resume', String(mirror.id)]);
    const stored = contents.relationships.map(({ custom_commission }) => custom_commission);
    expect(stored).toEqual([40]);
    expect(await result(TERMS)).toMatchObject({ custom_commission: 40, delayed_commission: true });
    expect(await result(paymentAt('TAKEN'))).toMatchObject({ status: 'CANCELED' });
  });
});

describe('a change whose answer is lost', () => {
  it('of terms is 402, and shows within seconds what the upstream made of it', async () => {
    stub.hook = losing;
    expect(expectFailure(await setTerms(50), 4000, '2.1', 402)).toMatch(/read from there soon/);
    stub.hook = (_, answer) => answer;
    await until('the terms', async () => (await result(TERMS)).custom_commission === 50);
    await mirror.untilIdle();
  });

  it('of a payment is 402, and is sent again until it is taken', async () => {
    const [, payments] = await traces();
    stub.hook = losing;
    expect(expectFailure(await cancel('LOST'), 4000, '2.0', 402)).toMatch(/asked again/);
    expect((await traces())[1]).toEqual(payments);
    stub.hook = (_, answer) => answer;
    await mirror.ledger.run("UPDATE recurring_cancels SET next_try = '2020-01-01 00:00:00'");
    const status = async () => (await result(paymentAt('LOST'))).status;
    await until('the cancel', async () => (await status()) === 'CANCELED');
    expect(await mirror.ledger.rows('SELECT * FROM recurring_cancels')).toEqual([]);
    expect(await mirror.ledger.cli(['verify'])).toMatchObject({ status: 0 });
  });
});
