import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { expectFailure } from '../../support/oracles/failure.js';
import { affiliation, product, user } from '../../support/builders/ledger-records.js';
import { resultOf } from '../../support/http/results.js';
import { TestService } from '../../support/servers/service.js';
import { TEXTS } from '../../support/random/texts.js';

const [VENDOR, OTHER_VENDOR] = [1, 2];
const [AFFILIATE, STRANGER, CHANGING] = [100, 101, 102];

let service: TestService;
let key: string;

beforeAll(async () => {
  service = await TestService.start();
  await service.import([
    ...[VENDOR, OTHER_VENDOR, AFFILIATE, STRANGER, CHANGING].map((id) => user(id)),
    ...TEXTS.map((_, index) => user(200 + index)),
    product(10, VENDOR),
    product(11, VENDOR),
    product(20, OTHER_VENDOR),
    affiliation(AFFILIATE, 10, { created: '2025-01-01T00:00:00Z' }),
    affiliation(AFFILIATE, 11, {
      created: '2025-05-01T23:30:00.9-04:00',
      status: 'REQUESTED',
      comments: 'Please let me in',
      custom_commission: 75,
      delayed_commission: true,
      custom_sales_page_url: 'https://www.example/',
      custom_payment_1st_payout: 12,
      custom_payment_trial_payout: 3,
    }),
    affiliation(AFFILIATE, 20),
    ...TEXTS.map(([, text], index) => affiliation(200 + index, 10, { comments: text })),
  ]);
  key = await service.key(VENDOR);
});
afterAll(() => service.stop());

function pathOf(product_id: number | string, affiliate_id: number | string): string {
  return `/v2.0/products/${product_id}/affiliates/${affiliate_id}`;
}

function read(product_id: number | string, affiliate_id: number | string) {
  return resultOf(service, pathOf(product_id, affiliate_id), key);
}

describe('GET /v2.0/products/{product_id}/affiliates/{affiliate_id}', () => {
  it('gives every value of a relationship that has them all, and none that only 2.1 has', async () => {
    expect(await read(11, AFFILIATE)).toEqual({
      created: '2025-05-02T03:30:00+00:00',
      product_id: 11,
      affiliate_id: '100',
      comments: 'Please let me in',
      status_id: 1,
      custom_commission: '0.75',
      delayed_commission: '1',
    });
  });

  it('gives zeroes and an empty comment for what is not set', async () => {
    expect(await read(10, AFFILIATE)).toEqual({
      created: '2025-01-01T00:00:00+00:00',
      product_id: 10,
      affiliate_id: '100',
      comments: '',
      status_id: 2,
      custom_commission: '0.00',
      delayed_commission: '0',
    });
  });

  it.each([
    ['REQUESTED', 1],
    ['APPROVED', 2],
    ['DENIED', 3],
  ])('numbers the status %s %i', async (status, status_id) => {
    await service.import([affiliation(CHANGING, 10, { status })]);
    expect(await read(10, CHANGING)).toMatchObject({ status_id });
  });

  it.each([
    [0, '0.00'],
    [1, '0.01'],
    [5, '0.05'],
    [10, '0.10'],
    [29, '0.29'],
    [57, '0.57'],
    [99, '0.99'],
    [100, '1.00'],
  ])('writes a commission of %i percent as the fraction %s', async (percent, fraction) => {
    await service.import([affiliation(CHANGING, 10, { custom_commission: percent })]);
    expect(await read(10, CHANGING)).toMatchObject({ custom_commission: fraction });
  });

  it.each([
    [true, '1'],
    [false, '0'],
    [null, '0'],
  ])('writes the flag %s as the text %s', async (delayed_commission, text) => {
    await service.import([affiliation(CHANGING, 10, { delayed_commission })]);
    expect(await read(10, CHANGING)).toMatchObject({ delayed_commission: text });
  });

  it.each(TEXTS.map(([name, text], index) => ({ name, text, id: 200 + index })))(
    'gives $name back character by character',
    async ({ text, id }) => {
      expect(await read(10, id)).toMatchObject({ comments: text });
    },
  );

  it('reads ids that are percent-encoded', async () => {
    expect(await read('%31%31', '%31%30%30')).toEqual(await read(11, AFFILIATE));
  });

  it.each([
    ['there is no relationship between the two', () => pathOf(10, STRANGER)],
    ['there is no such affiliate', () => pathOf(10, 999)],
    ['there is no such product', () => pathOf(999, AFFILIATE)],
  ])('is 4040 where %s', async (_, path) => {
    expectFailure(await service.get(path(), key), 4040, '2.0');
  });

  it("is 4012 for another vendor's product, with and without a relationship", async () => {
    expectFailure(await service.get(pathOf(20, AFFILIATE), key), 4012, '2.0');
    expectFailure(await service.get(pathOf(20, STRANGER), key), 4012, '2.0');
  });

  it.each(['x', '-1', '1.0', '%20', '1e2'])(
    'is 4001 that names both ids which are no whole numbers: %s',
    async (id) => {
      const detail = expectFailure(await service.get(pathOf(id, id), key), 4001, '2.0');
      expect(detail).toContain('product_id');
      expect(detail).toContain('affiliate_id');
    },
  );
});
