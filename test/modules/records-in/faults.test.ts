import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  affiliation,
  clicks,
  payoutItem,
  product,
  recurringPayment,
  refund,
  transaction,
  user,
} from '../../support/builders/ledger-records.js';
import type { Ended } from '../../support/processes/cli.js';
import { problemsOf, TestLedger, type Dump } from '../../support/builders/test-ledger.js';

/** A record with one fault: the path of the fault, its value, and the record. */
type Case = readonly [path: string, value: unknown, record: object];

const WORLD = [
  user(1),
  user(2),
  product(10, 1),
  recurringPayment('PRE', 10),
  transaction('stays', 10, { payout_items: [payoutItem(1)] }),
];
const LONG = 'x'.repeat(256);
const NO_STRINGS = [5, true, ['text'], { text: 'x' }];
const CONTROLS = ['A\u0000B', 'a\u001fb', '\u007f'];
const NO_TEXT = [...NO_STRINGS, ...CONTROLS, LONG, 'a\tb', 'a\nb', '\ud800', 'a\udc00b'];
const NO_IDS = [0, -1, 1.5, '7', 'seven', 2 ** 53, true, [1]];
const NO_COUNTS = [-1, 0.5, '3', 2 ** 53];
const NO_MONEY = [
  47,
  '47.000',
  '4e1',
  '1,000.00',
  '',
  ' ',
  ' 47.00',
  '47.00 ',
  '+47.00',
  '47.',
  '.50',
  '$47',
  '0x10',
  '--1',
  'NaN',
  '١٢',
  '12345678901234',
  '-12345678901234.00',
  true,
  {},
];
const NO_MOMENTS = [
  '2025-06-01T14:03:11',
  '2025-06-01',
  '2025-02-30T10:00:00Z',
  '2025-06-01T24:00:00Z',
  '2025-06-01 14:03:11',
  '2025-13-01T00:00:00Z',
  '2025-06-01T14:60:00Z',
  '',
  'yesterday',
  '2025-06-01T14:03:11+25:00',
  '2023-02-29T00:00:00Z',
  1_748_786_591,
  '0999-01-01T00:00:00Z',
];
const NO_WORDS = ['', 'unheard-of', 1, false];

let made = 0;
/** Returns a case for each value. `place` puts the value into an otherwise valid record. */
function each(path: string, values: readonly unknown[], place: (value: unknown) => object): Case[] {
  return values.map((value) => [path, value, place(value)]);
}
function sale(changes: Readonly<Record<string, unknown>>): object {
  made += 1;
  return transaction(`bad-${made}`, 10, changes);
}
/** Returns cases for a field of a record, and the case of its absence. */
function field(
  name: string,
  values: readonly unknown[],
  record: (changes: Readonly<Record<string, unknown>>) => object,
  needed: 'required' | 'optional' = 'required',
): Case[] {
  const absent = needed === 'required' ? [null, undefined] : [];
  return each(name, [...values, ...absent], (value) => record({ [name]: value }));
}
const inObject = (name: string, inside: string, base: object, values: readonly unknown[]): Case[] =>
  each(`${name}.${inside}`, values, (value) => sale({ [name]: { ...base, [inside]: value } }));

const CUSTOMER = { email: 'c@example.test', first_name: 'Ada', last_name: 'Byron' };
const PAYOUTS = transaction('any', 10).payouts;
const REFUND = refund('2025-06-02T00:00:00Z');
const IMPACTS = [
  'seller_refund_impact',
  'affiliate_refund_impact',
  'agent_refund_impact',
  'jv_refund_impact',
];

const USERS: readonly Case[] = [
  ...field('id', NO_IDS, (changes) => user(0, changes)),
  ...['name', 'email'].flatMap((name) => field(name, NO_TEXT, (changes) => user(900, changes))),
  ...['display_name', 'processor_email'].flatMap((name) =>
    field(name, NO_TEXT, (changes) => user(900, changes), 'optional'),
  ),
  ...field('status', NO_WORDS, (changes) => user(900, changes), 'optional'),
];
const PRODUCTS: readonly Case[] = [
  ...field('id', NO_IDS, (changes) => product(0, 1, changes)),
  ...field('vendor_id', NO_IDS, (changes) => product(900, 0, changes)),
  ...field('name', NO_TEXT, (changes) => product(900, 1, changes)),
];
const AFFILIATIONS: readonly Case[] = [
  ...field('affiliate_id', NO_IDS, (changes) => affiliation(0, 10, changes)),
  ...field('product_id', NO_IDS, (changes) => affiliation(2, 0, changes)),
  ...field('created', NO_MOMENTS, (changes) => affiliation(2, 10, changes)),
  ...field('status', NO_WORDS, (changes) => affiliation(2, 10, changes)),
  ...field(
    'comments',
    [5, 'x'.repeat(16_001), ...CONTROLS],
    (c) => affiliation(2, 10, c),
    'optional',
  ),
  ...field('custom_commission', [-1, 101, 7.5, '75'], (c) => affiliation(2, 10, c), 'optional'),
  ...field('delayed_commission', [0, 1, 'true'], (c) => affiliation(2, 10, c), 'optional'),
  ...field(
    'custom_sales_page_url',
    [5, 'x'.repeat(2_049), ...CONTROLS],
    (c) => affiliation(2, 10, c),
    'optional',
  ),
  ...['custom_payment_1st_payout', 'custom_payment_trial_payout'].flatMap((name) =>
    field(name, NO_COUNTS, (changes) => affiliation(2, 10, changes), 'optional'),
  ),
];
const CLICKS: readonly Case[] = [
  ...field('affiliate_id', NO_IDS, (changes) => clicks(0, 10, changes)),
  ...field('product_id', NO_IDS, (changes) => clicks(2, 0, changes)),
  ...field('date', ['2025-02-30', '2025-6-1', '20250601', '2025-06-01T00:00:00Z', 5], (changes) =>
    clicks(2, 10, changes),
  ),
  ...['clicks', 'unique_clicks'].flatMap((name) =>
    field(name, NO_COUNTS, (changes) => clicks(2, 10, changes)),
  ),
];
const recurring = (changes: Readonly<Record<string, unknown>>) =>
  recurringPayment('PRE-BAD', 10, changes);
const RECURRING: readonly Case[] = [
  ...field('pre_key', ['', ...NO_TEXT], recurring),
  ...['id', 'product_id'].flatMap((name) => field(name, NO_IDS, recurring)),
  ...field('status', NO_TEXT, recurring),
  ...field('next_payment', NO_TEXT, recurring),
  ...[
    'current_payments',
    'max_number_of_payments',
    'payment_period',
    'payment_count',
    'payment_trial_period',
  ].flatMap((name) => field(name, NO_COUNTS, recurring)),
  ...[
    'max_total_of_all_payments',
    'max_amount_per_payment',
    'price',
    'payment_first_payout',
    'payment_trial_price',
    'payment_trial_payout',
    'current_payments_amount',
  ].flatMap((name) => field(name, NO_MONEY, recurring)),
  ...field('payout', NO_MONEY, recurring, 'optional'),
  ...field('created', NO_MOMENTS, recurring),
  ...['last_date', 'next_date'].flatMap((name) => field(name, NO_MOMENTS, recurring, 'optional')),
  ...['processor_email', 'contact_email', 'sender_email', 'ip'].flatMap((name) =>
    field(name, NO_TEXT, recurring),
  ),
  ...field('has_payment_trial', [0, 'false'], recurring),
  ...field('code', [...CONTROLS, 5, '\udfff'], recurring, 'optional'),
  ...['tid', 'vtid'].flatMap((name) =>
    field(name, [...CONTROLS, 5, '\udfff', 'x'.repeat(2_049)], recurring, 'optional'),
  ),
  ...field('referrer', [5, 'x'.repeat(16_001), ...CONTROLS], recurring),
];
const NO_KEYS = ['', 'with space', 'x'.repeat(65), 'ключ', 'tab\t', 'end\n', '\u007f', 'é', 7];
const SALES: readonly Case[] = [
  ...field('transaction_id', NO_KEYS, sale),
  ...['product_id'].flatMap((name) => field(name, NO_IDS, sale)),
  ...field('affiliate_id', NO_IDS, sale, 'optional'),
  ...field('product_name', NO_STRINGS, sale),
  ...field('sale_date', NO_MOMENTS, sale),
  ...field('amount', NO_MONEY, sale),
  ...field('status', ['settled', 'COMPLETED', ...NO_WORDS], sale),
  ...field('affiliate_commission_status', ['paid', ...NO_WORDS], sale, 'optional'),
  ...field('pre_key', [5, LONG, ...CONTROLS, '\ud800'], sale, 'optional'),
  ...['email', 'first_name', 'last_name'].flatMap((name) =>
    inObject('customer', name, CUSTOMER, [...NO_STRINGS, null, undefined]),
  ),
  ...['ip', 'phone', 'processor_email'].flatMap((name) =>
    inObject('customer', name, CUSTOMER, NO_STRINGS),
  ),
  ...field('tracking', ['text', [], 1], sale, 'optional'),
  ...inObject('tracking', 'vtid', {}, [5, {}]),
  ...inObject('tracking', 'other_params', {}, [5]),
  ...Object.keys(PAYOUTS).flatMap((name) =>
    inObject('payouts', name, PAYOUTS, [...NO_MONEY, null, undefined]),
  ),
  ...field('refund', ['text', []], sale, 'optional'),
  ...inObject('refund', 'refund_date', REFUND, [...NO_MOMENTS, '2025-06-01T11:59:59Z', null]),
  ...inObject('refund', 'refund_amount', REFUND, [...NO_MONEY, '-0.01', null]),
  ...IMPACTS.flatMap((name) => inObject('refund', name, REFUND, [...NO_MONEY, '0.01', null])),
  ...inObject('refund', 'service_fee_adjustment', REFUND, [...NO_MONEY, null, undefined]),
  ...['tax_total', 'international_sales_tax', 'national_sales_tax', 'vat_tax'].flatMap((name) =>
    inObject('taxes', name, {}, NO_MONEY),
  ),
  ...field('shipping_fee', [4, '1.1234567', '1e3', '', '1,5'], sale, 'optional'),
  ...inObject('delivery', 'city', {}, NO_STRINGS),
  ...field('payout_items', ['text', {}], sale, 'optional'),
  ...each('payout_items[1]', ['text', null, []], (value) =>
    sale({ payout_items: [payoutItem(1), value] }),
  ),
  ...each('payout_items[1].payee_amount', NO_MONEY, (payee_amount) =>
    sale({ payout_items: [payoutItem(1), payoutItem(1, { payee_amount })] }),
  ),
  ...each('payout_items[0].payee_user_id', ['1', 1.5, null], (payee_user_id) =>
    sale({ payout_items: [payoutItem(1, { payee_user_id })] }),
  ),
  ...['payee_name', 'payout_type', 'payment_processor', 'payout_status'].flatMap((name) =>
    each(`payout_items[0].${name}`, [5, null], (value) =>
      sale({ payout_items: [payoutItem(1, { [name]: value })] }),
    ),
  ),
];

const CASES = { USERS, PRODUCTS, AFFILIATIONS, CLICKS, RECURRING, SALES };
/** An import shows at most this many problems one by one. */
const MOST_SHOWN = 100;

let ledger: TestLedger;
let before: Dump;
const results: Ended[] = [];
const problems = new Map<Case, string>();

beforeAll(async () => {
  ledger = await TestLedger.create();
  await ledger.mustImport(WORLD);
  before = await ledger.dump();
  const all = Object.values(CASES).flat();
  for (let at = 0; at < all.length; at += MOST_SHOWN) await tryAll(all.slice(at, at + MOST_SHOWN));
});
afterAll(() => ledger.drop());

/** Imports the cases, each file after the records that they refer to. */
async function tryAll(cases: readonly Case[]): Promise<void> {
  const result = await ledger.import([...WORLD, ...cases.map(([, , record]) => record)]);
  results.push(result);
  for (const [line, problem] of problemsOf(result)) {
    const tested = cases[line - WORLD.length - 1];
    if (tested === undefined) throw new Error(`line ${line} is right: ${problem}`);
    problems.set(tested, problem);
  }
}

function problemOf(tested: Case): string {
  return problems.get(tested) ?? 'taken';
}

describe.each([
  ['user', USERS],
  ['product', PRODUCTS],
  ['affiliation', AFFILIATIONS],
  ['clicks', CLICKS],
  ['recurring_payment', RECURRING],
  ['transaction', SALES],
] as const)('A bad %s', (_, cases) => {
  const byPath = new Map(cases.map(([path]) => [path, cases.filter((one) => one[0] === path)]));

  it.each([...byPath])('is reported with the rule for its %s, and nothing else', (path, ofPath) => {
    const told = ofPath.map((one) => [one[1], problemOf(one)] as const);
    const wrong = told.filter(
      ([, problem]) => !problem.startsWith(`${path}: must `) || problem.includes('; '),
    );
    expect(wrong).toEqual([]);
  });
});

describe('A date that does not exist', () => {
  const missing = Object.values(CASES)
    .flat()
    .filter(([, value]) => typeof value === 'string' && /^\d{4}-02-(29|30)/.test(value));

  it.each(missing)('is said not to exist (%s %j)', (...tested) => {
    const found = missing.find(([, , record]) => record === tested[2]);
    const day = String(tested[1]).slice(0, 10);
    expect(found && problemOf(found)).toContain(
      `${tested[0]}: must be a date that exists, but ${day} does not exist (`,
    );
  });
});

describe('An invalid amount of money', () => {
  const isMoney = ([path, value]: Case) =>
    path === 'amount' &&
    (typeof value === 'number' || (typeof value === 'string' && value.length < 14));

  it.each(SALES.filter(isMoney))('is refused in the documented words (%s %j)', (...tested) => {
    const found = SALES.find(([, , record]) => record === tested[2]);
    const { transaction_id } = tested[2] as { readonly transaction_id: string };
    expect(found && problemOf(found)).toBe(
      `amount: must be decimal text with at most 2 decimal places, not ${JSON.stringify(tested[1])} (transaction ${transaction_id})`,
    );
  });
});

describe('A file of bad lines', () => {
  it('changes nothing', async () => {
    expect(await ledger.dump()).toEqual(before);
  });

  it('exits with 1', () => {
    expect(new Set(results.map(({ status }) => status))).toEqual(new Set([1]));
  });
});
