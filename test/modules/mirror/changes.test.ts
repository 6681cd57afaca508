/** Changes of a mirrored vendor: the upstream receives them first, and its answer applies. */
import { createHash } from 'node:crypto';
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

/**
 * Payments in the forms of other services: the fields that they send, and the fields that are shown
 * here.
 */
const FORMS: readonly (readonly [key: string, sent: object, shown: object])[] = [
  ['AMOUNT', { next_payment: '47.00' }, { next_payment: '47.00', status: 'ACTIVE' }],
  [
    'NUMBERS',
    { id: '672', product_id: '10', price: 47, next_payment: 47 },
    { id: 672, price: '47.00' },
  ],
  ['PLACES', { price: '47.0000', payout: '20.5000' }, { price: '47.00', payout: '20.50' }],
  ['WORD', { status: 'DISABLED' }, { status: 'DISABLED' }],
  ['CASE', { status: ' canceled ', next_date: null }, { status: ' canceled ', next_date: null }],
  ['EMPTY', { status: 'CANCELED', next_date: '' }, { status: 'CANCELED', next_date: null }],
  [
    'ZERO',
    { status: 'CANCELED', next_date: '0000-00-00', last_date: '0000-00-00 00:00:00' },
    { status: 'CANCELED', next_date: null, last_date: null },
  ],
  ['ZERO-YEAR', { next_date: '-0001-11-30T00:00:00-05:00' }, { status: 'ACTIVE', next_date: null }],
  ['UNDATED', { next_date: null, last_date: null }, { next_date: null, last_date: null }],
  [
    'NULLS',
    {
      status: null,
      next_payment: null,
      payment_first_payout: null,
      current_payments: null,
      contact_email: null,
      ip: null,
      referrer: null,
      has_payment_trial: null,
      created: null,
    },
    {
      status: '',
      next_payment: '',
      payment_first_payout: '0.00',
      current_payments: 0,
      contact_email: '',
      ip: '',
      referrer: '',
      has_payment_trial: false,
      created: '1970-01-01T00:00:00+00:00',
    },
  ],
  [
    'LONG',
    { code: 'c'.repeat(300), vtid: 'a\u0000b', contact_email: `${'e'.repeat(255)}@x.test` },
    { code: 'c'.repeat(255), vtid: 'ab', contact_email: '' },
  ],
  [
    'ODD',
    {
      status: 7,
      next_payment: { amount: '47.00' },
      payment_count: 'many',
      ip: [],
      has_payment_trial: 'perhaps',
      next_date: 'soon',
      last_date: 1_748_786_591,
    },
    {
      status: '7',
      next_payment: '',
      payment_count: 0,
      ip: '',
      has_payment_trial: false,
      next_date: null,
      last_date: null,
    },
  ],
];

const contents: StubContents = {
  vendor: { id: VENDOR, name: 'Vendor', email: 'vendor@example.test' },
  products: [{ id: PRODUCT, name: 'Product 10' }],
  sales: [...KEYS, ...FORMS.map(([key]) => key)].map((pre_key) =>
    stubSale(`sale-${pre_key}`, { pre_key, affiliate: stubAffiliate(AFFILIATE) }),
  ),
  relationships: [stubRelationship(AFFILIATE, PRODUCT, { custom_commission: 25 })],
  payments: [
    ...KEYS.map((key, index) => stubPayment(key, { id: index + 1, product_id: PRODUCT })),
    ...FORMS.map(([key, changes]) => stubPayment(key, { ...changes })),
  ],
};
const stub = new StubUpstream(contents);
let mirror: MirrorUnderTest;

beforeAll(async () => {
  mirror = await MirrorUnderTest.start({ ...user(VENDOR), id: VENDOR }, await stub.start());
  await mirror.ledger.mustImport([
    user(AFFILIATE),
    product(PRODUCT, VENDOR),
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

/** Returns all data that a change could leave behind. */
async function traces() {
  const of = (sql: string) => mirror.ledger.rows(sql);
  return [
    await of('SELECT * FROM affiliations'),
    await of('SELECT * FROM recurring_payments ORDER BY pre_key'),
    await of("SELECT * FROM audit_log WHERE action NOT LIKE '%import'"),
    await of('SELECT * FROM ledger_revisions'),
  ];
}

/**
 * Applies a hook to changes alone.
 * @param answer makes the answer to a change
 */
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

describe('a payment', () => {
  it.each(FORMS)('in another form is stored: %s', async (key, _, shown) => {
    expect(await result(paymentAt(key))).toMatchObject(shown);
    const [sale] = await mirror.ledger.rows(
      `SELECT pre_key FROM transactions WHERE transaction_id = 'sale-${key}'`,
    );
    expect(sale).toEqual({ pre_key: key });
  });

  it('tells what had to be changed of it, and none of its values', async () => {
    const { stdout } = await mirror.tryRun(true);
    expect(stdout).toContain('recurring_payment');
    expect(stdout).not.toMatch(/perhaps|eee@x|soon/);
    expect(await mirror.ledger.cli(['verify'])).toMatchObject({ status: 0 });
  });

  it.each([
    ['DISABLED', { status: 'DISABLED' }],
    ['CANCELED', { status: 'CANCELED', next_date: '0000-00-00' }],
  ])('that is %s at the upstream is due no longer', async (status, changes) => {
    const due = async () => {
      const active = "FROM recurring_sums WHERE status = 'ACTIVE' AND day = '2025-07-01'";
      const [row] = await mirror.ledger.rows(`SELECT SUM(agreements) AS due ${active}`);
      return Number(row?.due);
    };
    const before = await due();
    const { payments } = contents;
    const change = (key: string, to: object) => {
      contents.payments = payments.map((payment) =>
        payment.preKey === key ? { ...payment, ...to } : payment,
      );
    };
    change('AMOUNT', changes);
    await mirror.tryRun(true);
    expect(await result(paymentAt('AMOUNT'))).toMatchObject({ status });
    expect(await due()).toBe(before - 1);
    change('AMOUNT', {});
    await mirror.tryRun(true);
    expect(await due()).toBe(before);
    expect(await mirror.ledger.cli(['verify'])).toMatchObject({ status: 0 });
  });
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

describe('recurring payments are read again', () => {
  const PAYMENT = /^\/v2\.0\/recurring_payment\/(.+)$/;
  const paymentsRead = () =>
    stub.requests.flatMap(({ path }) => PAYMENT.exec(path)?.[1] ?? []).sort();
  /** Returns the number of the round that reads an ended payment. */
  const roundOf = (key: string) => createHash('sha1').update(key).digest().readUInt32BE() % 30;

  const ROUNDS = Array.from({ length: 30 }, (_, round) => round);
  const ENDED = ['TAKEN', 'LOST', 'CASE', 'EMPTY', 'ZERO'];
  /**
   * The upstream has canceled these, which the first round detects: the answer that rejects REFUSED
   * hides the change.
   */
  const CANCELED_THERE = ['HERE', 'REFUSED'];
  const ACTIVE = FORMS.map(([key]) => key).filter((key) => !ENDED.includes(key));

  /**
   * Lets a day pass since the last round.
   * @returns when the round, or its first part, has ended
   */
  async function passDay(round: number): Promise<void> {
    stub.requests.length = 0;
    const past = "'2025-01-01 00:00:00'";
    await mirror.ledger.run(
      `UPDATE upstreams SET payments_next = ${past}, payments_round = ${round}, next_try = ${past}`,
    );
    await mirror.untilUpstream('a part', ({ payments_next }) => String(payments_next) > '2026');
    await mirror.untilIdle();
  }

  function setStatus(key: string, status: string): void {
    contents.payments = contents.payments.map((payment) =>
      payment.preKey === key ? { ...payment, status } : payment,
    );
  }

  it('once a day, however old their sale is, and ended ones once in 30 days', async () => {
    setStatus('HERE', 'CANCELED');
    const ofEnded = ENDED.map(roundOf);
    await passDay(ROUNDS.find((round) => !ofEnded.includes(round)) ?? 0);
    expect(paymentsRead()).toEqual([...ACTIVE, ...CANCELED_THERE].sort());
    expect(await result(paymentAt('HERE'))).toMatchObject({ status: 'CANCELED' });
    setStatus('TAKEN', 'ACTIVE');
    await passDay(roundOf('TAKEN') + 30);
    const ended = [...ENDED, ...CANCELED_THERE].filter((key) => roundOf(key) === roundOf('TAKEN'));
    expect(ended).toContain('TAKEN');
    expect(paymentsRead()).toEqual([...ACTIVE, ...ended].sort());
    expect(await result(paymentAt('TAKEN'))).toMatchObject({ status: 'ACTIVE' });
    const { payments_next, last_payments, payments_round } = await mirror.upstream();
    const [next, last] = [payments_next, last_payments].map((at) => Date.parse(`${String(at)}Z`));
    expect(Number(next) - Number(last)).toBe(86_400_000);
    expect(Number(payments_round)).toBe(roundOf('TAKEN') + 31);
  });

  it('in parts, which go on where they stopped on another instance', async () => {
    const more = Array.from(
      { length: 120 },
      (_, index) => `MORE-${String(index).padStart(3, '0')}`,
    );
    contents.payments = [
      ...contents.payments,
      ...more.map((key, index) => stubPayment(key, { id: 10 + index, product_id: PRODUCT })),
    ];
    await mirror.ledger.mustImport(
      more.map((key, index) =>
        recurringPayment(key, PRODUCT, { id: 10 + index, status: 'ACTIVE' }),
      ),
    );
    await passDay(0);
    const first = paymentsRead();
    const { stdout } = await mirror.ledger.cli(['upstreams', 'list']);
    const all = KEYS.length + FORMS.length + more.length;
    expect(stdout).toContain(`; 100 of ${all} recurring payments checked; `);
    await mirror.restart();
    const past = "'2025-01-01 00:00:00'";
    await mirror.ledger.run(`UPDATE upstreams SET payments_next = ${past}, next_try = ${past}`);
    await mirror.untilUpstream('the end', ({ payments_after }) => payments_after === null);
    await mirror.untilIdle();
    expect(first.length).toBeLessThanOrEqual(100);
    expect(paymentsRead().filter((key) => key.startsWith('MORE'))).toEqual(more);
    expect((await mirror.ledger.cli(['upstreams', 'list'])).stdout).toMatch(
      /; recurring payments checked 20[\d-]+ [\d:]+ UTC; /,
    );
  });

  it('later where one cannot be read: the sale and its details go without it', async () => {
    stub.hook = ({ path }, answer) =>
      path.endsWith('/BROKEN') ? { ...answer, body: '{}' } : answer;
    const sold = `${new Date().toISOString().slice(0, 19)}Z`;
    contents.sales = [...contents.sales, stubSale('broken', { sold, pre_key: 'BROKEN' })];
    contents.payments = [
      ...contents.payments,
      stubPayment('BROKEN', { id: 5, product_id: PRODUCT }),
    ];
    await mirror.want('recent');
    const sale = "FROM transactions WHERE transaction_id = 'broken'";
    const stored = async () =>
      (await mirror.ledger.rows(`SELECT customer_phone, pre_key ${sale}`))[0];
    await until('the details', async () => (await stored())?.customer_phone === '+1 555 0100');
    expect(await stored()).toMatchObject({ pre_key: null });
    const problems = "SELECT text FROM upstream_problems WHERE kind = 'recurring payment not read'";
    await until('the problem', async () => (await mirror.ledger.rows(problems)).length > 0);
    const [problem] = await mirror.ledger.rows(problems);
    expect(problem?.text).toContain('recurring payment of sale broken: ');
    stub.hook = (_, answer) => answer;
    await mirror.untilUpstream('the end of the turn', ({ claim }) => claim === null);
    await mirror.passTime();
    await until('the payment', async () => (await stored())?.pre_key === 'BROKEN');
    await mirror.untilIdle();
    expect(await result(paymentAt('BROKEN'))).toMatchObject({ status: 'ACTIVE' });
  });

  it('with a new sale that names it', async () => {
    const sold = `${new Date(Date.now() + 60_000).toISOString().slice(0, 19)}Z`;
    contents.sales = [...contents.sales, stubSale('rebill', { sold, pre_key: 'BROKEN' })];
    setStatus('BROKEN', 'COMPLETED');
    await mirror.readAgain('recent');
    expect(await result(paymentAt('BROKEN'))).toMatchObject({ status: 'COMPLETED' });
  });
});
