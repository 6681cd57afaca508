import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { expectFailure } from '../../support/failure.js';
import { product, transaction, user } from '../../support/ledger-records.js';
import { ODD_KEYS, unknownKeysLike } from '../../support/odd-keys.js';
import { resultOf } from '../../support/results.js';
import { TestService } from '../../support/service.js';
import { TEXTS } from '../../support/texts.js';

const [VENDOR, AFFILIATE, PLAIN_VENDOR] = [1, 2, 3];

let service: TestService;
let key: string;

beforeAll(async () => {
  service = await TestService.start();
  await service.import([
    user(VENDOR, { processor_email: 'processor@vendor.test' }),
    user(AFFILIATE),
    user(PLAIN_VENDOR),
    product(10, VENDOR, { name: 'Its name today' }),
    product(30, PLAIN_VENDOR),
    transaction('plain', 30),
    transaction('bare', 10, {
      sale_date: '2025-06-01T14:03:11.987-04:00',
      product_name: 'Its name then',
      amount: '1234.5',
      affiliate_id: AFFILIATE,
    }),
    transaction('empty', 10, {
      product_name: '',
      amount: '-0.00',
      customer: { email: '', first_name: '', last_name: '' },
    }),
    ...['pending', 'completed', 'refunded', 'charged_back'].map((status) =>
      transaction(`is-${status}`, 10, { status }),
    ),
    ...TEXTS.map(([, text], index) =>
      transaction(`text-${index}`, 10, {
        product_name: text,
        customer: { email: text, first_name: text, last_name: text },
      }),
    ),
    ...ODD_KEYS.map((id) => transaction(id, 10)),
  ]);
  key = await service.key(VENDOR);
});
afterAll(() => service.stop());

function pathOf(paykey: string): string {
  return `/v2.0/transactions/summaries/${encodeURIComponent(paykey)}`;
}

function read(paykey: string) {
  return resultOf(service, pathOf(paykey), key);
}

describe('GET /v2.0/transactions/summaries/{paykey}', () => {
  it('gives every value of a transaction and nothing that is not of the summary', async () => {
    expect(await read('bare')).toEqual({
      transaction_id: 'bare',
      date: '2025-06-01T18:03:11+00:00',
      product_name: 'Its name then',
      product_id: 10,
      status: 'COMPLETED',
      price: '1234.50',
      first_name: 'Ada',
      last_name: 'Byron',
      processor_email: 'processor@vendor.test',
    });
  });

  it("gives the vendor's e-mail where it has none for the processor", async () => {
    const plain = await service.key(PLAIN_VENDOR);
    expect(await resultOf(service, '/v2.0/transactions/summaries/plain', plain)).toMatchObject({
      processor_email: 'user3@example.test',
    });
  });

  it('gives empty texts as they are, and no minus before nothing', async () => {
    expect(await read('empty')).toMatchObject({
      product_name: '',
      price: '0.00',
      first_name: '',
      last_name: '',
    });
  });

  it.each([
    ['pending', 'PENDING'],
    ['completed', 'COMPLETED'],
    ['refunded', 'REFUNDED'],
    ['charged_back', 'CHARGEBACK'],
  ])('names the status %s of the ledger %s', async (status, named) => {
    expect(await read(`is-${status}`)).toMatchObject({ status: named });
  });

  it.each([
    ['47', '47.00'],
    ['-18.8', '-18.80'],
    ['0.29', '0.29'],
    ['-0.01', '-0.01'],
    ['9999999999999.99', '9999999999999.99'],
    ['-9999999999999.99', '-9999999999999.99'],
  ])('writes the amount %s as the price %s', async (amount, price) => {
    await service.import([transaction('priced', 10, { amount })]);
    expect(await read('priced')).toMatchObject({ price });
  });

  it.each(TEXTS.map(([name, text], index) => ({ name, text, id: `text-${index}` })))(
    'gives $name back character by character',
    async ({ text, id }) => {
      expect(await read(id)).toMatchObject({
        product_name: text,
        first_name: text,
        last_name: text,
      });
    },
  );

  it.each(ODD_KEYS)('finds a paykey that is percent-encoded: %s', async (id) => {
    expect(await read(id)).toMatchObject({ transaction_id: id });
  });

  it.each(unknownKeysLike('bare'))(
    'is 4040 for a paykey that differs by little: %j',
    async (id) => {
      expectFailure(await service.get(pathOf(id), key), 4040, '2.0');
    },
  );

  it('is 4040 without a paykey', async () => {
    expectFailure(await service.get('/v2.0/transactions/summaries', key), 4040, '2.0');
    expectFailure(await service.get('/v2.0/transactions/summaries/', key), 4040, '2.0');
  });
});
