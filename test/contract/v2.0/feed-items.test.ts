import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { product, transaction, user } from '../../support/builders/ledger-records.js';
import { exchange } from '../../support/http/raw-http.js';
import { basic } from '../../support/http/http.js';
import { expectSuccess, resultsOf } from '../../support/http/results.js';
import { TestService } from '../../support/servers/service.js';
import { TEXTS } from '../../support/random/texts.js';

const [VENDOR, NAMED, UNNAMED, NOBODY, TEXTUAL] = [1, 2, 3, 4, 5];
const LATEST = '/v2.0/latest-transactions';
const AFFILIATE_LATEST = '/v2.0/latest-affiliates-transactions';
const YESTERDAY = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
/** Returns the sale date for a second of yesterday, which determines the place in the feed. */
const at = (second: number) => ({
  sale_date: `${YESTERDAY}T23:00:${String(second).padStart(2, '0')}-01:00`,
});
const shownAt = (second: number) =>
  `${new Date(at(second).sale_date).toISOString().slice(0, 19)}+00:00`;
const STATUSES = [
  ['pending', 'PENDING', 'UNPAID'],
  ['completed', 'COMPLETED', 'PAID'],
  ['refunded', 'REFUNDED', 'REFUNDED'],
  ['charged_back', 'CHARGEBACK', 'PAYMENT_ERROR'],
] as const;

let service: TestService;
let keys: Record<'vendor' | 'named' | 'unnamed' | 'nobody' | 'textual', string>;

beforeAll(async () => {
  service = await TestService.start();
  await service.import([
    ...[VENDOR, UNNAMED, NOBODY, TEXTUAL].map((id) => user(id)),
    user(NAMED, { display_name: 'Affiliate Zoë' }),
    product(10, VENDOR, { name: 'Its name today' }),
    product(50, TEXTUAL),
    transaction('bare', 10, { ...at(0), affiliate_id: null }),
    transaction('full', 10, {
      ...at(1),
      product_name: 'Its name then',
      amount: '1234.5',
      affiliate_id: NAMED,
      customer: {
        email: 'ada@example.test',
        first_name: 'Ada',
        last_name: 'Byron',
        ip: '2001:db8::1',
        phone: 'not shown',
      },
      payouts: {
        seller_earnings: '1',
        affiliate_payout: '600.1',
        agent_payout: '2',
        jv_payout: '3',
        service_fee: '4',
      },
    }),
    ...STATUSES.map(([status, , affiliate_commission_status], index) =>
      transaction(`is-${status}`, 10, {
        ...at(2 + index),
        status,
        affiliate_commission_status,
        affiliate_id: UNNAMED,
      }),
    ),
    ...TEXTS.map(([, text], index) =>
      transaction(`text-${index}`, 50, {
        ...at(10 + index),
        product_name: text,
        affiliate_id: TEXTUAL,
        customer: { email: text, first_name: text, last_name: text, ip: text },
      }),
    ),
  ]);
  keys = {
    vendor: await service.key(VENDOR),
    named: await service.key(NAMED),
    unnamed: await service.key(UNNAMED),
    nobody: await service.key(NOBODY),
    textual: await service.key(TEXTUAL),
  };
});
afterAll(() => service.stop());

const FULL = {
  transaction_id: 'full',
  date: shownAt(1),
  product_name: 'Its name then',
  product_id: 10,
  status: 'COMPLETED',
  price: '1234.50',
  customer_email: 'ada@example.test',
  ip: '2001:db8::1',
  first_name: 'Ada',
  last_name: 'Byron',
  affiliate_id: NAMED,
  affiliate_name: 'Affiliate Zoë',
};

describe('GET /v2.0/latest-transactions', () => {
  it('gives 0 and empty texts without an affiliate and an address', async () => {
    const [bare] = await resultsOf(service, LATEST, keys.vendor);
    expect(bare).toEqual({
      transaction_id: 'bare',
      date: shownAt(0),
      product_name: 'Product 10',
      product_id: 10,
      status: 'COMPLETED',
      price: '47.00',
      customer_email: 'customer@example.test',
      ip: '',
      first_name: 'Ada',
      last_name: 'Byron',
      affiliate_id: 0,
      affiliate_name: '',
    });
  });

  it('gives every value of a transaction that has them all', async () => {
    const [, full] = await resultsOf(service, LATEST, keys.vendor);
    expect(full).toEqual(FULL);
  });

  it('names each status, and an affiliate without a display name by its name', async () => {
    expect(await resultsOf(service, `${LATEST}/full`, keys.vendor)).toMatchObject(
      STATUSES.map(([status, named]) => ({
        transaction_id: `is-${status}`,
        status: named,
        affiliate_id: UNNAMED,
        affiliate_name: 'User 3',
      })),
    );
  });
});

describe('GET /v2.0/latest-affiliates-transactions', () => {
  it('gives every value, with the commission and its status', async () => {
    expect(await resultsOf(service, AFFILIATE_LATEST, keys.named)).toEqual([
      { ...FULL, affiliate_commission: '600.10', affiliate_commission_status: 'UNPAID' },
    ]);
  });

  it('names each status and each commission status, and gives no address as an empty text', async () => {
    expect(await resultsOf(service, AFFILIATE_LATEST, keys.unnamed)).toMatchObject(
      STATUSES.map(([status, named, affiliate_commission_status]) => ({
        transaction_id: `is-${status}`,
        status: named,
        ip: '',
        affiliate_commission: '0.00',
        affiliate_commission_status,
        affiliate_id: UNNAMED,
        affiliate_name: 'User 3',
      })),
    );
  });
});

describe.each([LATEST, AFFILIATE_LATEST])('GET %s', (feed) => {
  it('gives every text back character by character', async () => {
    expect(await resultsOf(service, feed, keys.textual)).toMatchObject(
      TEXTS.map(([, text], index) => ({
        transaction_id: `text-${index}`,
        product_name: text,
        customer_email: text,
        ip: text,
        first_name: text,
        last_name: text,
      })),
    );
  });

  it('is an empty list for a user who sold nothing', async () => {
    expect(await resultsOf(service, feed, keys.nobody)).toEqual([]);
  });

  it.each(['/', '//', '?page=2&limit=1&per_page=1&start_date=x'])(
    'answers the same followed by %s',
    async (ending) => {
      const plain = await service.get(feed, keys.textual);
      expect((await service.get(`${feed}${ending}`, keys.textual)).text).toBe(plain.text);
    },
  );

  it.each(['/', '//'])('answers the same from a paykey followed by %s', async (ending) => {
    const plain = await service.get(`${feed}/text-3`, keys.textual);
    expectSuccess(plain, '2.0');
    expect((await service.get(`${feed}/text-3${ending}`, keys.textual)).text).toBe(plain.text);
  });

  it('answers HTTP/1.0 with Content-Length and then hangs up', async () => {
    const head = [`GET ${feed} HTTP/1.0`, `Authorization: ${basic(keys.textual).Authorization}`];
    const [answer, ...more] = await exchange(service.port, [...head, '', ''].join('\r\n'));
    expect(more).toEqual([]);
    if (answer === undefined) throw new Error('there was no answer');
    expect(expectSuccess(answer, '2.0')).toHaveLength(TEXTS.length);
    expect(answer.headers['content-length']).toBe(String(Buffer.byteLength(answer.text)));
    expect(answer.headers).not.toHaveProperty('transfer-encoding');
  });
});
