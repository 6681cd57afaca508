import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { expectFailure } from '../../support/oracles/failure.js';
import { product, recurringPayment, user } from '../../support/builders/ledger-records.js';
import { ODD_KEYS, unknownKeysLike } from '../../support/builders/odd-keys.js';
import { resultOf } from '../../support/http/results.js';
import { TestService } from '../../support/servers/service.js';
import { TEXTS } from '../../support/random/texts.js';

const VENDOR = 1;
/** Any text is a valid preKey. */
const TEXT_KEYS = [
  'ключ 🔑',
  'with spaces in it',
  ' at both ends ',
  'é',
  'e\u0301',
  'É',
  'ß',
  'ss',
];

/** Values of `next_payment`, each with the text that is returned for it. */
const NEXT_PAYMENTS = [
  ['47.00', '47.00'],
  ['47', '47'],
  ['', ''],
  ['  on 1 July ', '  on 1 July '],
  ['2025-07-01T23:30:00-04:00', '2025-07-02T03:30:00+00:00'],
  ['2025-07-01T23:30:00.5Z', '2025-07-01T23:30:00+00:00'],
  ['2025-07-01', '2025-07-01'],
  // This value has no offset, like the date-times in the service's database.
  ['2025-07-01 23:30:00', '2025-07-01 23:30:00'],
  ["'2025-07-01 23:30:00", "'2025-07-01 23:30:00"],
  ["'".padEnd(255, '7'), "'".padEnd(255, '7')],
] as const;
const WORDS = [
  'ACTIVE',
  'CANCELED',
  'COMPLETED',
  'active',
  ' Canceled ',
  'completed ',
  'DISABLED',
  'OTHER',
  '',
  'CANCELLED',
  'act\u0131ve',
  'w'.repeat(255),
];
const EMPTY_DATES = [null, undefined, '', '0000-00-00', '0000-00-00 00:00:00'];

let service: TestService;
let key: string;

beforeAll(async () => {
  service = await TestService.start();
  await service.import([
    user(VENDOR),
    product(10, VENDOR),
    recurringPayment('bare', 10),
    recurringPayment('full', 10, {
      id: 987_654_321,
      status: 'COMPLETED',
      current_payments: 3,
      max_number_of_payments: 24,
      max_total_of_all_payments: '1128',
      max_amount_per_payment: '47.5',
      next_payment: '2025-07-01T23:30:00-04:00',
      code: 'CODE',
      price: '0.29',
      payment_period: 7,
      payment_count: 25,
      payment_first_payout: '1.1',
      has_payment_trial: true,
      payment_trial_price: '1',
      payment_trial_period: 14,
      payment_trial_payout: '0.01',
      payout: '20.5',
      current_payments_amount: '9999999999999.99',
      created: '2024-12-31T23:00:00.999-02:00',
      last_date: '2025-06-01T12:00:00+05:30',
      next_date: '2025-07-02T00:00:00Z',
      ip: '2001:db8::1',
      referrer: 'https://www.example/?q=ü',
      tid: 'the tid',
      vtid: 'the vtid',
    }),
    recurringPayment('empty', 10, {
      code: '',
      tid: '',
      vtid: '',
      ip: '',
      referrer: '',
      payout: '0',
      processor_email: '',
      contact_email: '',
      sender_email: '',
    }),
    ...WORDS.map((status, index) => recurringPayment(`word-${index}`, 10, { status })),
    ...NEXT_PAYMENTS.map(([next_payment], index) =>
      recurringPayment(`next-${index}`, 10, { next_payment }),
    ),
    ...EMPTY_DATES.map((date, index) =>
      recurringPayment(`undated-${index}`, 10, {
        status: 'CANCELED',
        last_date: date,
        next_date: date,
      }),
    ),
    recurringPayment('undated', 10, { last_date: null, next_date: null }),
    ...TEXTS.map(([, text], index) =>
      recurringPayment(`text-${index}`, 10, {
        code: text,
        tid: text,
        vtid: text,
        referrer: text,
        ip: text,
        processor_email: text,
        contact_email: text,
        sender_email: text,
      }),
    ),
    ...[...ODD_KEYS, ...TEXT_KEYS].map((pre_key, index) =>
      recurringPayment(pre_key, 10, { id: 1_000 + index }),
    ),
  ]);
  key = await service.key(VENDOR);
});
afterAll(() => service.stop());

function pathOf(preKey: string): string {
  return `/v2.0/recurring_payment/${encodeURIComponent(preKey)}`;
}

function read(preKey: string) {
  return resultOf(service, pathOf(preKey), key);
}

describe('GET /v2.0/recurring_payment/{preKey}', () => {
  it('gives null for the code, the payout and the identifiers that there are none of', async () => {
    expect(await read('bare')).toEqual({
      id: 1,
      status: 'ACTIVE',
      current_payments: 1,
      max_number_of_payments: 12,
      max_total_of_all_payments: '564.00',
      max_amount_per_payment: '47.00',
      next_payment: '2025-07-01T12:00:00+00:00',
      processor_email: 'processor@example.test',
      contact_email: 'contact@example.test',
      code: null,
      price: '47.00',
      payment_period: 30,
      payment_count: 12,
      payment_first_payout: '20.00',
      has_payment_trial: false,
      payment_trial_price: '0.00',
      payment_trial_period: 0,
      payment_trial_payout: '0.00',
      payout: null,
      current_payments_amount: '47.00',
      created: '2025-06-01T12:00:00+00:00',
      preKey: 'bare',
      sender_email: 'sender@example.test',
      last_date: '2025-06-01T12:00:00+00:00',
      next_date: '2025-07-01T12:00:00+00:00',
      ip: '192.0.2.1',
      referrer: 'https://www.example/',
      tid: null,
      vtid: null,
      product_id: 10,
    });
  });

  it('gives every value of a payment that has them all', async () => {
    expect(await read('full')).toEqual({
      id: 987_654_321,
      status: 'COMPLETED',
      current_payments: 3,
      max_number_of_payments: 24,
      max_total_of_all_payments: '1128.00',
      max_amount_per_payment: '47.50',
      next_payment: '2025-07-02T03:30:00+00:00',
      processor_email: 'processor@example.test',
      contact_email: 'contact@example.test',
      code: 'CODE',
      price: '0.29',
      payment_period: 7,
      payment_count: 25,
      payment_first_payout: '1.10',
      has_payment_trial: true,
      payment_trial_price: '1.00',
      payment_trial_period: 14,
      payment_trial_payout: '0.01',
      payout: '20.50',
      current_payments_amount: '9999999999999.99',
      created: '2025-01-01T01:00:00+00:00',
      preKey: 'full',
      sender_email: 'sender@example.test',
      last_date: '2025-06-01T06:30:00+00:00',
      next_date: '2025-07-02T00:00:00+00:00',
      ip: '2001:db8::1',
      referrer: 'https://www.example/?q=ü',
      tid: 'the tid',
      vtid: 'the vtid',
      product_id: 10,
    });
  });

  it('gives empty texts as they are, and a payout of nothing as 0.00', async () => {
    expect(await read('empty')).toMatchObject({
      code: '',
      tid: '',
      vtid: '',
      ip: '',
      referrer: '',
      payout: '0.00',
      processor_email: '',
      contact_email: '',
      sender_email: '',
    });
  });

  it.each(WORDS.map((status, index) => ({ status, id: `word-${index}` })))(
    'returns the word of the status as it was received: $status',
    async ({ status, id }) => {
      expect(await read(id)).toMatchObject({ status });
    },
  );

  it.each(NEXT_PAYMENTS.map(([sent, shown], index) => ({ sent, shown, id: `next-${index}` })))(
    'returns the next payment $sent as $shown',
    async ({ shown, id }) => {
      const next_date = '2025-07-01T12:00:00+00:00';
      expect(await read(id)).toMatchObject({ next_payment: shown, next_date });
    },
  );

  it.each(['undated', ...EMPTY_DATES.map((_, index) => `undated-${index}`)])(
    'gives null for dates that are unknown: %s',
    async (id) => {
      expect(await read(id)).toMatchObject({ last_date: null, next_date: null });
    },
  );

  it('finds a payment unchanged that is imported again, and changed with another word', async () => {
    const again = (changes: object) => ({ ...recurringPayment('word-6', 10), ...changes });
    const lines = [
      ...NEXT_PAYMENTS.map(([next_payment], index) =>
        recurringPayment(`next-${index}`, 10, { next_payment }),
      ),
      again({ status: 'DISABLED' }),
      again({ status: 'Disabled' }),
    ];
    const { recurring_payment } = await service.import(lines);
    expect(recurring_payment).toMatchObject({
      unchanged: NEXT_PAYMENTS.length + 1,
      updated: 1,
      rejected: 0,
    });
    expect(await read('word-6')).toMatchObject({ status: 'Disabled' });
  });

  it.each(TEXTS.map(([name, text], index) => ({ name, text, id: `text-${index}` })))(
    'gives $name back character by character',
    async ({ text, id }) => {
      expect(await read(id)).toMatchObject({
        code: text,
        tid: text,
        vtid: text,
        referrer: text,
        ip: text,
        processor_email: text,
        contact_email: text,
        sender_email: text,
      });
    },
  );

  it.each([...ODD_KEYS, ...TEXT_KEYS].map((preKey, index) => ({ preKey, id: 1_000 + index })))(
    'finds a preKey that is percent-encoded: $preKey',
    async ({ preKey, id }) => {
      expect(await read(preKey)).toMatchObject({ preKey, id });
    },
  );

  it.each([...unknownKeysLike('bare'), 'at both ends', ' at both ends', 'SS', 'E\u0301'])(
    'is 4040 for a preKey that differs by little: %j',
    async (preKey) => {
      expectFailure(await service.get(pathOf(preKey), key), 4040, '2.0');
    },
  );

  it('is 4040 without a preKey', async () => {
    expectFailure(await service.get('/v2.0/recurring_payment/', key), 4040, '2.0');
  });
});
