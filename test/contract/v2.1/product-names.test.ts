import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { product, transaction, user } from '../../support/builders/ledger-records.js';
import { resultsOf } from '../../support/http/results.js';
import { TestService } from '../../support/servers/service.js';
import { NAMES as TEXTS } from '../../support/random/texts.js';

const NAMES = '/v2.1/products/names';
const [VENDOR, OTHER_VENDOR, WITHOUT, MANY] = [1, 2, 3, 4];

let service: TestService;

beforeAll(async () => {
  service = await TestService.start();
  await service.import([
    ...[VENDOR, OTHER_VENDOR, WITHOUT, MANY].map((id) => user(id)),
    product(30, VENDOR, { name: 'Sold later' }),
    product(4, VENDOR, { name: '' }),
    product(200, VENDOR, { name: 'Zoë’s course' }),
    product(5, OTHER_VENDOR),
    transaction('one', 30, { product_name: 'Its name then' }),
    ...TEXTS.map(([, text], index) => product(1_000 - index, MANY, { name: text })),
    ...Array.from({ length: 300 }, (_, index) => product(5_000 - index, MANY)),
  ]);
});
afterAll(() => service.stop());

describe('GET /v2.1/products/names', () => {
  it("gives the vendor's products and no other's by product_id, which is a number", async () => {
    expect(await resultsOf(service, NAMES, await service.key(VENDOR))).toEqual([
      { product_id: 4, product_name: '' },
      { product_id: 30, product_name: 'Sold later' },
      { product_id: 200, product_name: 'Zoë’s course' },
    ]);
  });

  it('gives all of many, each name character by character', async () => {
    const names = await resultsOf(service, NAMES, await service.key(MANY));
    const texts = TEXTS.map(([, text], index) => ({
      product_id: 1_000 - index,
      product_name: text,
    }));
    expect(names).toHaveLength(TEXTS.length + 300);
    expect(names.slice(0, TEXTS.length)).toEqual(texts.reverse());
    const ids = names.map(({ product_id }) => Number(product_id));
    expect(ids).toEqual([...ids].sort((left, right) => left - right));
  });

  it('is an empty list for a user without products', async () => {
    expect(await resultsOf(service, NAMES, await service.key(WITHOUT))).toEqual([]);
  });

  it("gives today's name after the product was renamed", async () => {
    await service.import([product(5, OTHER_VENDOR, { name: 'Its new name' })]);
    expect(await resultsOf(service, NAMES, await service.key(OTHER_VENDOR))).toEqual([
      { product_id: 5, product_name: 'Its new name' },
    ]);
  });

  it('ignores parameters that it does not know', async () => {
    const key = await service.key(VENDOR);
    expect(await resultsOf(service, `${NAMES}?page=2&limit=1&page_size=x`, key)).toHaveLength(3);
  });
});
