import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { expectFailure } from '../../support/oracles/failure.js';
import { product, transaction, user } from '../../support/builders/ledger-records.js';
import { ODD_KEYS, unknownKeysLike } from '../../support/builders/odd-keys.js';
import { resultOf } from '../../support/http/results.js';
import { TestService } from '../../support/servers/service.js';
import { TEXTS } from '../../support/random/texts.js';

const [VENDOR, AFFILIATE] = [1, 2];
const { customer: CUSTOMER } = transaction('any', 10);

let service: TestService;
let key: string;

beforeAll(async () => {
  service = await TestService.start();
  await service.import([
    // The processor e-mail of a user is read and not stored.
    user(VENDOR, { processor_email: 'processor@vendor.test' }),
    user(AFFILIATE),
    product(10, VENDOR, { name: 'Its name today' }),
    transaction('bare', 10, {
      sale_date: '2025-06-01T14:03:11.987-04:00',
      product_name: 'Its name then',
      amount: '1234.5',
      affiliate_id: AFFILIATE,
      customer: { ...CUSTOMER, processor_email: 'ada@processor.test' },
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
        customer: { email: '', first_name: text, last_name: text, processor_email: text },
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
      processor_email: 'ada@processor.test',
    });
  });

  it.each([
    ['absent', {}],
    ['null', { processor_email: null }],
  ])("gives the buyer's e-mail where that at the processor is %s", async (_, unknown) => {
    await service.import([
      transaction('plain', 10, { customer: { ...CUSTOMER, email: 'own@buyer.test', ...unknown } }),
    ]);
    expect(await read('plain')).toMatchObject({ processor_email: 'own@buyer.test' });
  });

  it('gives the e-mail at the processor that the last record names, an empty one too', async () => {
    for (const processor_email of ['first@processor.test', 'second@processor.test', '']) {
      const customer = { ...CUSTOMER, processor_email };
      await service.import([transaction('renamed', 10, { customer })]);
      expect(await read('renamed')).toMatchObject({ processor_email });
    }
    await service.import([transaction('renamed', 10, { customer: CUSTOMER })]);
    expect(await read('renamed')).toMatchObject({ processor_email: CUSTOMER.email });
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
        processor_email: text,
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
