import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { expectFailure } from '../../support/oracles/failure.js';
import { affiliation, product, user } from '../../support/builders/ledger-records.js';
import { resultOf } from '../../support/http/results.js';
import { TestService } from '../../support/servers/service.js';
import { TEXTS } from '../../support/random/texts.js';

const [VENDOR, OTHER_VENDOR] = [1, 2];
const [BARE, FULL, ZEROES, EMPTY, STRANGER] = [100, 101, 102, 103, 104];
const FULL_TERMS = {
  created: '2025-05-01T23:30:00.9-04:00',
  status: 'REQUESTED',
  comments: 'Please let me in',
  custom_commission: 75,
  delayed_commission: true,
  custom_sales_page_url: 'https://www.example/sell?a=1&b=ü',
  custom_payment_1st_payout: 12,
  custom_payment_trial_payout: 3,
};

let service: TestService;
let key: string;

beforeAll(async () => {
  service = await TestService.start();
  await service.import([
    user(VENDOR),
    user(OTHER_VENDOR),
    ...[BARE, FULL, ZEROES, EMPTY, STRANGER].map((id) => user(id)),
    ...TEXTS.map((_, index) => user(200 + index)),
    product(10, VENDOR),
    product(11, VENDOR),
    product(20, OTHER_VENDOR),
    affiliation(BARE, 10, { created: '2025-01-01T00:00:00Z', status: 'APPROVED' }),
    affiliation(FULL, 10, FULL_TERMS),
    affiliation(FULL, 11, { status: 'DENIED', custom_commission: 100 }),
    affiliation(ZEROES, 10, {
      custom_commission: 0,
      custom_payment_1st_payout: 0,
      custom_payment_trial_payout: 0,
      delayed_commission: false,
    }),
    affiliation(EMPTY, 10, { comments: '', custom_sales_page_url: '' }),
    affiliation(FULL, 20),
    ...TEXTS.map(([, text], index) => affiliation(200 + index, 10, { comments: text })),
  ]);
  key = await service.key(VENDOR);
});
afterAll(() => service.stop());

function pathOf(affiliate_id: number | string, product_id: number | string): string {
  return `/v2.1/affiliates/${affiliate_id}/products/${product_id}`;
}

function read(affiliate_id: number | string, product_id: number | string = 10) {
  return resultOf(service, pathOf(affiliate_id, product_id), key);
}

describe('GET /v2.1/affiliates/{affiliate_id}/products/{product_id}', () => {
  it('gives every value of a relationship that has them all, numbers as numbers', async () => {
    expect(await read(FULL)).toEqual({
      created: '2025-05-02T03:30:00+00:00',
      product_id: 10,
      affiliate_id: FULL,
      comments: 'Please let me in',
      status: 'REQUESTED',
      custom_commission: 75,
      delayed_commission: true,
      custom_sales_page_url: 'https://www.example/sell?a=1&b=ü',
      custom_payment_1st_payout: 12,
      custom_payment_trial_payout: 3,
    });
  });

  it('gives 0 for numbers that are not set, an empty comment, not delayed, and no address', async () => {
    expect(await read(BARE)).toEqual({
      created: '2025-01-01T00:00:00+00:00',
      product_id: 10,
      affiliate_id: BARE,
      comments: '',
      status: 'APPROVED',
      custom_commission: 0,
      delayed_commission: false,
      custom_sales_page_url: null,
      custom_payment_1st_payout: 0,
      custom_payment_trial_payout: 0,
    });
  });

  it('gives 0 for numbers that are set to it', async () => {
    expect(await read(ZEROES)).toMatchObject({
      custom_commission: 0,
      delayed_commission: false,
      custom_payment_1st_payout: 0,
      custom_payment_trial_payout: 0,
    });
  });

  it('gives empty texts as they are', async () => {
    expect(await read(EMPTY)).toMatchObject({ comments: '', custom_sales_page_url: '' });
  });

  it.each(['REQUESTED', 'APPROVED', 'DENIED'])('names the status %s', async (status) => {
    await service.import([affiliation(ZEROES, 11, { status })]);
    expect(await read(ZEROES, 11)).toMatchObject({ status });
  });

  it('gives the relationship of the affiliate with this product and no other', async () => {
    expect(await read(FULL, 11)).toMatchObject({
      product_id: 11,
      affiliate_id: FULL,
      status: 'DENIED',
      custom_commission: 100,
    });
  });

  it.each(TEXTS.map(([name, text], index) => ({ name, text, id: 200 + index })))(
    'gives $name back character by character',
    async ({ text, id }) => {
      expect(await read(id)).toMatchObject({ comments: text });
    },
  );

  it('reads ids that are percent-encoded or begin with zeroes', async () => {
    expect(await read('%31%30%31', '%310')).toEqual(await read(FULL));
    expect(await read('000101', '010')).toEqual(await read(FULL));
  });

  it.each([
    ['there is no relationship between the two', () => pathOf(STRANGER, 10)],
    ['there is no such affiliate', () => pathOf(999, 10)],
    ['there is no such product', () => pathOf(FULL, 999)],
  ])('is 4040 where %s', async (_, path) => {
    expectFailure(await service.get(path(), key), 4040, '2.1');
  });

  it("is 4012 for another vendor's product, with and without a relationship", async () => {
    expectFailure(await service.get(pathOf(FULL, 20), key), 4012, '2.1');
    expectFailure(await service.get(pathOf(STRANGER, 20), key), 4012, '2.1');
    expectFailure(await service.get(pathOf(999, 20), key), 4012, '2.1');
  });

  it.each([
    'x',
    '1x',
    '-1',
    '+1',
    '1.0',
    '1e2',
    '0x1',
    '%20101',
    '101%20',
    '9007199254740993',
    '٣',
  ])('is 4001 that names the id which is no whole number: %s', async (id) => {
    const written = encodeURI(id).replaceAll('%25', '%');
    const affiliate = expectFailure(await service.get(pathOf(written, 10), key), 4001, '2.1');
    expect(affiliate).toContain('affiliate_id');
    expect(affiliate).not.toContain('product_id');
    const both = expectFailure(await service.get(pathOf(written, written), key), 4001, '2.1');
    expect(both).toContain('affiliate_id');
    expect(both).toContain('product_id');
  });
});
