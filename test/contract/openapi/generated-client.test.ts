import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import createClient from 'openapi-fetch';
import type { components, paths } from '../../../openapi/v3.0.js';
import { basic } from '../../support/http/http.js';
import { product, refund, transaction, user } from '../../support/builders/ledger-records.js';
import { TestService } from '../../support/servers/service.js';

type Transaction = components['schemas']['transaction'];

const JUNE = { start_date: '2025-06-01', end_date: '2025-06-30' };
const PAGE_SIZE = 10;
const KEYS = Array.from({ length: 37 }, (_, index) => `PA/${index}`);

let service: TestService;
let key: string;

beforeAll(async () => {
  service = await TestService.start();
  await service.import([
    user(1),
    user(2, { display_name: 'Lena' }),
    product(10, 1),
    ...KEYS.map((transaction_id, index) =>
      transaction(transaction_id, 10, {
        sale_date: `2025-06-01T08:00:${String(index).padStart(2, '0')}Z`,
        affiliate_id: index % 2 === 0 ? 2 : null,
        ...(index % 3 === 0
          ? { status: 'refunded', refund: refund('2025-06-20T00:00:00Z') }
          : { status: 'completed' }),
      }),
    ),
  ]);
  key = await service.key(1);
});
afterAll(() => service.stop());

/** Makes a client from the document alone, as a vendor's developer does. */
function client(headers: Readonly<Record<string, string>>) {
  return createClient<paths>({ baseUrl: `http://127.0.0.1:${service.port}`, headers });
}

async function* walk(): AsyncGenerator<Transaction> {
  const api = client(basic(key));
  for (let page_index = 0, has_more = true; has_more; page_index += 1) {
    const query = { ...JUNE, page_size: PAGE_SIZE, page_index };
    const { data, error } = await api.GET('/v3.0/transactions', { params: { query } });
    if (data === undefined) throw new Error(error.meta.status.message);
    expect(data.meta.total_count).toBe(KEYS.length);
    yield* data.results;
    ({ has_more } = data.meta.pagination);
  }
}

describe('a client generated from openapi/v3.0.json', () => {
  it('reads the whole list page by page', async () => {
    const keys: string[] = [];
    const affiliates = new Set<string | null | undefined>();
    let refunds = 0;
    for await (const { transaction_id, affiliate, refund: taken } of walk()) {
      keys.push(transaction_id);
      affiliates.add(affiliate?.display_name);
      if (taken?.refund_amount === '47.00') refunds += 1;
    }
    expect(keys).toEqual([...KEYS].reverse());
    expect(affiliates).toEqual(new Set(['Lena', undefined]));
    expect(refunds).toBe(13);
  });

  it('reads one transaction, whose key it encodes', async () => {
    const { data, response } = await client(basic(key)).GET('/v3.0/transactions/{transaction_id}', {
      params: { path: { transaction_id: 'PA/3' } },
    });
    expect(response.headers.get('X-API-Version')).toBe('3.0');
    const [found]: Transaction[] = data?.results ?? [];
    expect(found).toMatchObject({
      transaction_id: 'PA/3',
      status: 'refunded' satisfies Transaction['status'],
      refund: { refund_date: '2025-06-20T00:00:00+00:00' },
    });
  });

  it('gets the error of an invalid parameter', async () => {
    const query = { ...JUNE, page_size: 201 };
    const { error } = await client(basic(key)).GET('/v3.0/transactions', { params: { query } });
    expectRefusal(error, 4001, /page_size/);
  });

  it.each([
    ['no key', {}, 4010],
    ['a wrong key', basic('wrong'), 4011],
  ] as const)('is told of %s', async (_, headers, code) => {
    const { error, response } = await client({ ...headers }).GET('/v3.0');
    expect(response.status).toBe(401);
    expectRefusal(error, code, /key/i);
  });
});

/** Expects that the document's type of a failure is precise enough to distinguish its codes. */
function expectRefusal(
  error: components['schemas']['failure'] | undefined,
  code: components['schemas']['failure']['meta']['status']['code'],
  detail: RegExp,
): void {
  expect(error?.meta.status.code).toBe(code);
  expect(error?.meta.status.detail).toMatch(detail);
  expect(error?.results).toEqual([null]);
}
