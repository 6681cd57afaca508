import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  affiliation,
  product,
  recurringPayment,
  transaction,
  user,
} from '../../support/builders/ledger-records.js';
import { plainText } from '../../support/http/http.js';
import { operationsOf, VENDOR_VERSIONS } from '../../support/oracles/operations.js';
import { openRaw, type RawConnection } from '../../support/sql/raw-connection.js';
import { TestService } from '../../support/servers/service.js';

const MARK = 'Quillonia';
const IP = '198.51.100.177';
const [VENDOR, AFFILIATE] = [1, 100];
/** Every personal field of a transaction and of a subscription holds the mark or the address. */
const CUSTOMER = {
  email: `${MARK}.1@private.example`,
  first_name: `${MARK}2`,
  last_name: `${MARK}3`,
  ip: IP,
  phone: `${MARK}4`,
  processor_email: `${MARK}.5@private.example`,
};
const DELIVERY = Object.fromEntries(
  [
    'name',
    'phone',
    'address_line_1',
    'address_line_2',
    'city',
    'region',
    'postal_code',
    'country',
  ].map((field, at) => [field, `${MARK}-${at}`]),
);
const TRACKING = { vtid: `${MARK}6`, custom: `${MARK}7`, other_params: `a=${MARK}8`, tid: 'kept' };
const PAYMENT = {
  processor_email: `${MARK}.a@private.example`,
  contact_email: `${MARK}.b@private.example`,
  sender_email: `${MARK}.c@private.example`,
  ip: IP,
  vtid: `${MARK}d`,
  tid: 'kept',
  referrer: `https://private.example/${MARK}`,
};
const RANGE = 'start_date=2025-06-01&end_date=2025-06-30';
/** One request for each operation that reads. */
const REQUESTS: Readonly<Record<string, string>> = {
  'GET /v3.0': '/v3.0',
  'GET /v3.0/transactions': `/v3.0/transactions?${RANGE}`,
  'GET /v3.0/transactions/{transaction_id}': '/v3.0/transactions/SALE',
  'GET /v2.1': '/v2.1',
  'GET /v2.1/affiliates/{affiliate_id}/products/{product_id}': '/v2.1/affiliates/100/products/10',
  'GET /v2.1/affiliatestats/{affiliate_id}/products/{product_id}':
    '/v2.1/affiliatestats/100/products/10',
  'GET /v2.1/products/names': '/v2.1/products/names',
  'GET /v2.1/transaction/details/{paykey}': '/v2.1/transaction/details/SALE',
  'GET /v2.0': '/v2.0',
  'GET /v2.0/latest-affiliates-transactions/{paykey}': '/v2.0/latest-affiliates-transactions/FIRST',
  'GET /v2.0/latest-transactions/{paykey}': '/v2.0/latest-transactions/FIRST',
  'GET /v2.0/products/{product_id}/affiliates/{affiliate_id}': '/v2.0/products/10/affiliates/100',
  'GET /v2.0/recurring_payment/{preKey}': '/v2.0/recurring_payment/PRE',
  'GET /v2.0/transactions/summaries/{paykey}': '/v2.0/transactions/summaries/SALE',
};
/** Operations that show personal data of other people. */
const SHOWING = [
  '/v3.0/transactions?',
  '/v3.0/transactions/',
  '/v2.1/transaction/',
  '/v2.0/latest-',
  '/v2.0/recurring_payment/',
  '/v2.0/transactions/',
];
const TAGGED = [`/v3.0/transactions?${RANGE}`, '/v3.0/transactions/SALE'];

let service: TestService;
let raw: RawConnection;
let keys: Record<'full' | 'masked', string>;
beforeAll(async () => {
  service = await TestService.start();
  const personal = { customer: CUSTOMER, delivery: DELIVERY, tracking: TRACKING };
  await service.import([
    user(VENDOR),
    user(AFFILIATE),
    product(10, VENDOR),
    affiliation(AFFILIATE, 10),
    recurringPayment('PRE', 10, PAYMENT),
    transaction('FIRST', 10, { ...personal, sale_date: '2025-06-01T00:00:00Z', affiliate_id: 1 }),
    transaction('SALE', 10, { ...personal, pre_key: 'PRE', affiliate_id: 1 }),
  ]);
  raw = await openRaw(service.database.url);
  keys = { full: await service.key(VENDOR), masked: await service.key(VENDOR, 'masked') };
});
afterAll(async () => {
  await raw.close();
  await service.stop();
});

function showsPersonal(text: string): boolean {
  return text.includes(MARK) || text.includes(IP);
}

const NULLABLE = new Set(['vtid', 'custom', 'other_params']);

/** Returns an answer with each personal text replaced by the value that a masked answer has. */
function withoutPersonal(text: string): unknown {
  return JSON.parse(text, (name, value: unknown) => {
    const isPersonal = typeof value === 'string' && showsPersonal(value);
    if (!isPersonal) return value;
    return NULLABLE.has(name) ? null : '';
  });
}

async function expectMasked(path: string): Promise<void> {
  const [full, masked] = [await service.get(path, keys.full), await service.get(path, keys.masked)];
  expect([path, full.status, masked.status]).toEqual([path, 200, 200]);
  expect([path, showsPersonal(full.text)]).toEqual([
    path,
    SHOWING.some((begin) => path.startsWith(begin)),
  ]);
  expect([path, showsPersonal(masked.text)]).toEqual([path, false]);
  expect(JSON.parse(masked.text)).toEqual(withoutPersonal(full.text));
}

describe('a masked key', () => {
  it('is tested with every operation that reads', async () => {
    const operations = await Promise.all(
      VENDOR_VERSIONS.map((version) => operationsOf(service, version, keys.full)),
    );
    const reads = operations.flat().filter((name) => name.startsWith('GET '));
    expect(reads.filter((name) => !(name in REQUESTS))).toEqual([]);
  });

  it.each(Object.values(REQUESTS))('gets all but personal data of %s', expectMasked);

  it('gets no personal data compressed', async () => {
    for (const path of TAGGED) {
      const answer = await service.get(path, keys.masked, { 'Accept-Encoding': 'gzip' });
      expect(showsPersonal(plainText(answer))).toBe(false);
    }
  });

  it('gets no page that was kept for a full key, nor the other way round', async () => {
    for (let round = 0; round < 3; round += 1) {
      for (const path of TAGGED) await expectMasked(path);
    }
  });

  it.each(TAGGED)('has entity tags of its own: %s', async (path) => {
    const full = (await service.get(path, keys.full)).headers.etag ?? '';
    const masked = (await service.get(path, keys.masked)).headers.etag ?? '';
    expect(masked).not.toBe(full);
    const ask = (key: string, tag: string) => service.get(path, key, { 'If-None-Match': tag });
    expect((await ask(keys.masked, full)).status).toBe(200);
    expect(showsPersonal((await ask(keys.masked, full)).text)).toBe(false);
    expect((await ask(keys.full, masked)).status).toBe(200);
    expect((await ask(keys.masked, masked)).status).toBe(304);
    expect((await ask(keys.full, full)).status).toBe(304);
  });

  it('gets no personal data of rows without stored JSON', async () => {
    await raw.run('UPDATE transactions SET rendered = NULL');
    await raw.run('UPDATE ledger_revisions SET revision = revision + 1');
    for (const path of TAGGED) await expectMasked(path);
  });
});
