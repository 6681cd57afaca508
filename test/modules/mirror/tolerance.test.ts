/**
 * An upstream with records in many forms: each sale is stored, and changed values are counted by
 * kind.
 */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { isRecord } from '../../../src/platform/values/is-record.js';
import { user } from '../../support/builders/ledger-records.js';
import { TestLedger } from '../../support/builders/test-ledger.js';
import { STUB_KEY, StubUpstream, type StubHook } from '../../support/servers/stub-upstream.js';
import {
  stubPayment,
  stubRelationship,
  stubSale,
  type StubContents,
} from '../../support/servers/stub/contents.js';
import { LIST, spoilingResult } from '../../support/servers/stub/spoiled.js';

type Fields = Readonly<Record<string, unknown>>;
type Row = Fields;

const [VENDOR, PRODUCT, AFFILIATE] = [1, 10, 7];
const NAMES = 'service=acme,processor=paymenthouse';
const DETAIL = /^\/v2\.1\/transaction\/details\/([^/]+)$/;
const FEED = '/v2.0/latest-transactions';
const TERMS = '/v2.1/affiliates/';
const LONG = 'x'.repeat(300);
const PERSON = { email: 'ada@example.test', first_name: 'Ada', last_name: 'Byron' };
const PAYOUTS = {
  seller_earnings: '40.00',
  affiliate_payout: '0.00',
  agent_payout: '0.00',
  jv_payout: '0.00',
  acme_fee: '7.00',
};
const REFUND = {
  refund_date: '2025-06-20T00:00:00Z',
  refund_amount: '47.00',
  seller_refund_impact: '-40.00',
  affiliate_refund_impact: '0.00',
  agent_refund_impact: '0.00',
  jv_refund_impact: '0.00',
  acme_fee_adjustment: '-7.00',
};
const CHANGED = 'transaction changed: ';

interface Case {
  /** Fields of the sale in the list. */
  readonly list?: Fields;
  /** Fields of the sale in API 2.1. */
  readonly detail?: Fields;
  /** Columns of the stored sale. */
  readonly stored?: Row;
  /** The kinds of its problems. */
  readonly kinds?: readonly string[];
}

const word = (status: unknown, stored: string, ...kinds: string[]): Case => {
  return { list: { status }, stored: { status: stored }, kinds };
};
const unknownWord = (status: unknown) => word(status, 'pending', `${CHANGED}status`);

const cases: Readonly<Record<string, Case>> = {
  Settled: word('Settled', 'completed'),
  COMPLETED: word(' COMPLETED ', 'completed'),
  complete: word('complete', 'completed'),
  paid: word('paid', 'completed'),
  approved: word('Approved', 'completed'),
  partially: word('partially_refunded', 'completed'),
  partially2: word('Partially-Refunded', 'completed'),
  unpaid: word('unpaid', 'pending'),
  on_hold: word('on_hold', 'pending'),
  onHold: word('On Hold', 'pending'),
  processing: word('PROCESSING', 'pending'),
  refunded: { ...word('Refunded', 'refunded'), list: { status: 'Refunded', refund: REFUND } },
  chargedBack: {
    list: { status: 'charged-back', refund: REFUND },
    stored: { status: 'charged_back' },
  },
  dancing: unknownWord('dancing'),
  nullStatus: unknownWord(null),
  seven: unknownWord(7),
  noStatus: unknownWord(undefined),
  objectStatus: unknownWord({ word: 'settled' }),
  numberAmount: { list: { amount: 47 }, stored: { amount: 4_700 } },
  halfAmount: { list: { amount: 47.5 }, stored: { amount: 4_750 } },
  textAmount: { list: { amount: '47' }, stored: { amount: 4_700 } },
  longAmount: { list: { amount: '47.0000' }, stored: { amount: 4_700 } },
  textProduct: { list: { product_id: '10' }, stored: { product_id: PRODUCT } },
  zone: {
    list: { sale_date: '2025-06-02 12:00:00+0000' },
    stored: { sale_date: '2025-06-02 12:00:00' },
  },
  nullPayout: {
    list: { payouts: { ...PAYOUTS, affiliate_payout: null } },
    stored: { affiliate_payout: 0, seller_earnings: 4_000, service_fee: 700 },
    kinds: [`${CHANGED}payouts.affiliate_payout`],
  },
  oddPayouts: {
    list: {
      payouts: { seller_earnings: 'much', affiliate_payout: 1, jv_payout: true, acme_fee: [] },
    },
    stored: { affiliate_payout: 100, seller_earnings: 0, service_fee: 0 },
    kinds: ['seller_earnings', 'agent_payout', 'jv_payout', 'service_fee'].map(
      (field) => `${CHANGED}payouts.${field}`,
    ),
  },
  nullPayouts: {
    list: { payouts: null },
    stored: { service_fee: 0 },
    kinds: [`${CHANGED}payouts`],
  },
  textPayouts: { list: { payouts: 'none' }, kinds: [`${CHANGED}payouts`] },
  impacts: {
    list: {
      status: 'refunded',
      refund: { ...REFUND, seller_refund_impact: '40.00', jv_refund_impact: null },
    },
    stored: { seller_refund_impact: -4_000, jv_refund_impact: 0, refund_amount: 4_700 },
    kinds: [`${CHANGED}refund.seller_refund_impact`, `${CHANGED}refund.jv_refund_impact`],
  },
  ...Object.fromEntries(
    [null, '', '0000-00-00', '0000-00-00 00:00:00', 7, [], true].map((refund_date, index) => [
      `refundDate${index}`,
      {
        list: { refund: { ...REFUND, refund_date } },
        stored: { refund_date: null },
        kinds: [`${CHANGED}refund.refund_date`],
      },
    ]),
  ),
  earlyRefund: {
    list: { refund: { ...REFUND, refund_date: '2024-01-01T00:00:00Z' } },
    stored: { refund_date: null },
    kinds: [`${CHANGED}refund.refund_date`],
  },
  textRefund: {
    list: { refund: 'yes' },
    stored: { refund_date: null },
    kinds: [`${CHANGED}refund`],
  },
  nullNames: {
    list: { customer: { email: 'a@example.test', first_name: null }, product_name: null },
    stored: { customer_first_name: '', customer_last_name: '', product_name: '' },
  },
  numberNames: {
    list: { customer: { ...PERSON, first_name: 7 }, product_name: 4.5 },
    stored: { customer_first_name: '7', product_name: '4.5' },
  },
  oddNames: {
    list: { customer: { ...PERSON, first_name: { a: 1 }, last_name: true }, product_name: ['a'] },
    stored: { customer_first_name: '', customer_last_name: '', product_name: '' },
    kinds: ['customer.first_name', 'customer.last_name', 'product_name'].map(
      (field) => CHANGED + field,
    ),
  },
  longName: {
    list: { customer: { ...PERSON, first_name: LONG }, product_name: `Pro\u0000duct` },
    stored: { customer_first_name: LONG.slice(0, 255), product_name: 'Product' },
    kinds: ['transaction: customer.first_name', 'transaction: product_name'],
  },
  badEmail: {
    list: { customer: { ...PERSON, email: LONG } },
    stored: { customer_email: '' },
    kinds: ['transaction: customer.email'],
  },
  noCustomer: { list: { customer: null }, stored: { customer_email: '' } },
  listCustomer: {
    list: { customer: [] },
    stored: { customer_email: '' },
    kinds: [`${CHANGED}customer`],
  },
  tracking: {
    list: { tracking: { tid: 7, vtid: null, custom: { a: 1 }, sub_id1: 'a'.repeat(3_000) } },
    stored: { tid: '7', vtid: null, custom: null, sub_id1: 'a'.repeat(2_048) },
    kinds: [`${CHANGED}tracking.custom`, 'transaction: tracking.sub_id1'],
  },
  textTracking: { list: { tracking: 'tid' }, stored: { tid: null }, kinds: [`${CHANGED}tracking`] },
  textAffiliate: {
    list: { affiliate: { id: '7', display_name: `Ze\u0000bu\u202elon${LONG}` } },
    stored: { affiliate_id: AFFILIATE },
    kinds: ['user changed: affiliate.display_name'],
  },
  emptyAffiliate: {
    list: { affiliate: { id: 0, display_name: null } },
    stored: { affiliate_id: null },
  },
  oddAffiliate: {
    list: { affiliate: { id: 'x', display_name: 'X' } },
    stored: { affiliate_id: null },
    kinds: [`${CHANGED}affiliate.id`],
  },
  nameAffiliate: {
    list: { affiliate: 'Ada' },
    stored: { affiliate_id: null },
    kinds: [`${CHANGED}affiliate.id`],
  },
  missing: {
    list: { status: 'settled', product_name: undefined, customer: undefined, tracking: undefined },
    stored: { customer_email: '', product_name: '', tid: null },
  },
  oddDetail: {
    detail: {
      customer_ip: [],
      customer_phone: 5_550_100,
      vat_tax: 'x',
      tax_total: 1.5,
      pre_key: 'REJECTED',
      shipping_fee: '1e9',
      delivery_city: false,
      delivery_region: 'North',
      transactionPayouts: [
        { payee_amount: 'x', payee_user_id: 1 },
        { payee_amount: 5, payee_user_id: '3', payee_name: null, payout_type: LONG },
        7,
      ],
    },
    stored: {
      customer_phone: '5550100',
      vat_tax: null,
      tax_total: 150,
      delivery_region: 'North',
      pre_key: null,
    },
    kinds: [
      'customer_ip',
      'vat_tax',
      'shipping_fee',
      'delivery_city',
      'pre_key',
      'payout_items.payee_amount',
      'payout_items',
    ]
      .map((field) => CHANGED + field)
      .concat('transaction: payout_items.payout_type', 'recurring_payment not stored: product_id'),
  },
  longKey: {
    detail: { pre_key: LONG, customer_phone: '+1' },
    stored: { pre_key: null, customer_phone: '+1' },
    kinds: [`${CHANGED}pre_key`],
  },
  lostPayment: {
    detail: { pre_key: 'LOST', customer_phone: '+3' },
    stored: { pre_key: null, customer_phone: '+3' },
    kinds: [`${CHANGED}pre_key`],
  },
  textItems: {
    detail: { transactionPayouts: 'none', customer_phone: '+2' },
    stored: { customer_phone: '+2' },
    kinds: [`${CHANGED}payout_items`],
  },
};
const ids = Object.keys(cases);

const contents: StubContents = {
  vendor: { id: VENDOR, name: 'Vendor', email: 'vendor@example.test' },
  products: [{ id: PRODUCT, name: 'Product 10' }],
  sales: ids.map((id, index) => {
    const sold = new Date(Date.UTC(2025, 5, 1) + index * 60_000).toISOString();
    return stubSale(id, { sold });
  }),
  relationships: [stubRelationship(AFFILIATE, PRODUCT)],
  payments: [stubPayment('REJECTED', { product_id: 999 })],
};
const stub = new StubUpstream(contents);

/** Shows each sale in the form of its case. */
const odd: StubHook = ({ path }, answer) => {
  const detail = DETAIL.exec(path)?.[1];
  const isTerms = path.startsWith(TERMS);
  if (!LIST.test(path) && !path.startsWith(FEED) && detail === undefined && !isTerms) return answer;
  const envelope = JSON.parse(String(answer.body)) as { meta: unknown; results: Fields[] };
  const results = envelope.results.map((result) => {
    if (isTerms) return { ...result, custom_commission: '25', comments: `a\u0000b`, tier: {} };
    if (detail !== undefined) return { ...result, ...cases[detail]?.detail };
    if (path.startsWith(FEED)) return { ...result, date: '1 June 2025' };
    return { ...result, ...cases[String(result.transaction_id)]?.list };
  });
  return { ...answer, body: JSON.stringify({ ...envelope, results }) };
};

let ledger: TestLedger;
let settings: Readonly<Record<string, string>>;
let id: string;

beforeAll(async () => {
  settings = await stub.start();
  stub.hook = odd;
  ledger = await TestLedger.create();
  await ledger.mustImport([{ ...user(VENDOR), id: VENDOR }]);
  const file = ledger.file('upstream-key', STUB_KEY);
  const options = ['--vendor', String(VENDOR), '--url', stub.url, '--key-file', file, '--json'];
  const added = await command('add', ...options, '--names', NAMES);
  id = String((JSON.parse(added.stdout) as Fields).id);
});
afterAll(async () => {
  stub.stop();
  await ledger.drop();
});

const command = (...args: string[]) => ledger.cli(['upstreams', ...args], { env: settings });

async function run(...options: string[]) {
  const { status, stdout, stderr } = await command('run', id, ...options, '--json');
  expect(stderr).toBe('');
  const upstream = JSON.parse(stdout) as Fields;
  return { status, upstream };
}

/** Returns the number of shown problems of each kind. */
function countsIn({ problems }: Fields): Readonly<Record<string, unknown>> {
  const counts: Record<string, unknown> = {};
  if (!Array.isArray(problems)) throw new Error('there is no list of problems');
  const kinds: readonly unknown[] = problems;
  for (const each of kinds.filter(isRecord)) counts[String(each.kind)] = each.count;
  return counts;
}

describe('a run over forms that a ledger file does not have', () => {
  let ran: Awaited<ReturnType<typeof run>>;
  beforeAll(async () => {
    ran = await run();
  });

  it('stores every sale with its details and what it names', async () => {
    const rows = await ledger.rows('SELECT * FROM transactions');
    const stored = new Map(rows.map((row) => [String(row.transaction_id), row]));
    for (const [name, { stored: expected = {} }] of Object.entries(cases)) {
      expect({ name, ...stored.get(name) }).toMatchObject({ name, ...expected });
    }
    expect(stored.size).toBe(ids.length);
    expect(await ledger.rows('SELECT * FROM upstream_reads')).toEqual([]);
    const terms = await ledger.rows('SELECT custom_commission, comments FROM affiliations');
    expect(terms).toEqual([{ custom_commission: 25, comments: 'ab' }]);
  });

  it('counts what was changed by kind, and ends with 1', () => {
    const expected: Record<string, number> = { 'affiliation changed: comments': 1 };
    for (const { kinds = [] } of Object.values(cases)) {
      for (const kind of kinds) expected[kind] = (expected[kind] ?? 0) + 1;
    }
    expect(countsIn(ran.upstream)).toEqual(expected);
    expect(ran).toMatchObject({ status: 1, upstream: { problem: null, failures: 0, run: null } });
    const examples = JSON.stringify(ran.upstream.problems);
    expect(examples).toContain('(transaction ');
    for (const value of [PERSON.email, LONG, 'Zebulon']) expect(examples).not.toContain(value);
  });

  it('counts nothing twice when it reads again', async () => {
    const again = await run('--full');
    expect(countsIn(again.upstream)).toEqual(countsIn(ran.upstream));
    const { stdout } = await command('list');
    expect(stdout).toContain('; read, with ');
    expect(stdout).toMatch(/^ {2}5 × transaction changed: status; first: .+ \(transaction \w+\)$/m);
    expect(await ledger.cli(['verify'])).toMatchObject({ status: 0 });
  });

  it('keeps the status of a sale whose word becomes unknown', async () => {
    const held = (sale: Fields) => ({ ...sale, status: 'held back' });
    stub.hook = spoilingResult(LIST, ['transaction_id', 'paid'], held);
    const { upstream } = await run('--full');
    expect(countsIn(upstream)).toMatchObject({ [`${CHANGED}status`]: 1 });
    expect(JSON.stringify(upstream.problems)).toContain(String.raw`\"held back\" is not a known`);
    const [row] = await ledger.rows(
      "SELECT status FROM transactions WHERE transaction_id = 'paid'",
    );
    expect(row).toEqual({ status: 'completed' });
  });

  it('is up to date once the upstream shows the usual forms', async () => {
    stub.hook = (_, answer) => answer;
    contents.payments = [stubPayment('REJECTED', { product_id: PRODUCT })];
    const { status, upstream } = await run('--full');
    expect(countsIn(upstream)).toEqual({});
    expect(status).toBe(0);
    expect((await command('list')).stdout).toContain('; up to date; ');
    expect(await ledger.cli(['verify'])).toMatchObject({ status: 0 });
  });
});
