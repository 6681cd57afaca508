import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { expectFailure } from '../../support/oracles/failure.js';
import { product, transaction, user } from '../../support/builders/ledger-records.js';
import { TestService } from '../../support/servers/service.js';

const GOOD = {
  start_date: '2025-06-01',
  end_date: '2025-06-01',
  page_size: '50',
  page_index: '0',
} as const;
type Name = keyof typeof GOOD;

/** Values in their encoded form that are invalid for every parameter. */
const WRONG = [
  '',
  '%20',
  '%00',
  'abc',
  'null',
  'undefined',
  'NaN',
  'true',
  '%5B%5D',
  '{}',
  '-1',
  '%2B5',
  '+5',
  '5+',
  '%205',
  '5%20',
  '5%00',
  '5%0A',
  '%095',
  '%225%22',
  "'5'",
  '%60',
  '5;6',
  '5,6',
  '1e2',
  '0x10',
  '0b1',
  '0o7',
  '5.0',
  '5.',
  '.5',
  '1_0',
  '5n',
  'Infinity',
  '1,000',
  '%EF%BC%92',
  '%D9%A5',
  '%C2%B2',
  "1'%20OR%20'1'='1",
  '1;DROP%20TABLE%20transactions',
  '1%20UNION%20SELECT%20*%20FROM%20api_keys',
  '99999999999999999999',
  '1'.repeat(10_000),
  '%F0%9F%98%80',
  'x'.repeat(10_000),
];
const WRONG_DATES = [
  '2025-02-30',
  '2025-02-29',
  '1900-02-29',
  '2100-02-29',
  '2025-04-31',
  '2025-13-01',
  '2025-00-10',
  '2025-06-00',
  '2025-06-32',
  '2025-2-3',
  '2025-06-1',
  '25-06-01',
  '20250601',
  '2025/06/01',
  '2025.06.01',
  '01-06-2025',
  '2025-06',
  '2025',
  '2025-152',
  '2025-W22-7',
  '2025-06-01T00:00:00',
  '2025-06-01T00:00:00Z',
  '2025-06-01%2000:00:00',
  '12025-06-01',
  '-2025-06-01',
  '%2B2025-06-01',
  '+2025-06-01',
  '%202025-06-01',
  '2025-06-01%20',
  '2025-06-01%00',
  '2025-06-01%0A',
  '%EF%BC%92025-06-01',
  "'2025-06-01'",
  '%222025-06-01%22',
  '2025%E2%80%9006%E2%80%9001',
  'today',
  '1748736000',
  "2025-06-01'--",
];
const WRONG_VALUES: readonly (readonly [Name, string])[] = [
  ...(['start_date', 'end_date', 'page_size', 'page_index'] as const).flatMap((name) =>
    WRONG.map((value) => [name, value] as const),
  ),
  ...(['start_date', 'end_date'] as const).flatMap((name) =>
    WRONG_DATES.map((value) => [name, value] as const),
  ),
  ...['0', '00', '201', '1000'].map((value) => ['page_size', value] as const),
  ...['2147483648', '-0'].map((value) => ['page_index', value] as const),
];

let service: TestService;
let key: string;

beforeAll(async () => {
  service = await TestService.start();
  await service.import([user(1), product(10, 1), transaction('one', 10)]);
  key = await service.key(1);
});
afterAll(() => service.stop());

function queryOf(changes: Partial<Record<Name, string>>): string {
  const pairs = Object.entries({ ...GOOD, ...changes });
  return pairs.map(([name, value]) => `${name}=${value}`).join('&');
}

async function refused(query: string): Promise<string> {
  return expectFailure(await service.get(`/v3.0/transactions?${query}`, key), 4001);
}

async function taken(query: string) {
  const answer = await service.envelope(`/v3.0/transactions?${query}`, key);
  expect(answer.meta.status).toMatchObject({ http_status_code: 200, code: 2000 });
  return answer.meta;
}

/** Returns the parameters that a detail names. */
function namedIn(detail: string): string[] {
  return Object.keys(GOOD).filter((name) => new RegExp(`\\b${name} must\\b`).test(detail));
}

describe('a wrong parameter of GET /v3.0/transactions is 4001, and detail names it alone', () => {
  it.each(WRONG_VALUES)('%s=%.40s', async (name, value) => {
    expect(namedIn(await refused(queryOf({ [name]: value })))).toEqual([name]);
  });

  it.each(Object.keys(GOOD) as Name[])('%s given twice, even with one value', async (name) => {
    const query = `${queryOf({})}&${name}=${GOOD[name]}`;
    expect(namedIn(await refused(query))).toEqual([name]);
  });

  it.each(Object.keys(GOOD) as Name[])('%s given a thousand times', async (name) => {
    const query = `${queryOf({})}${`&${name}=1`.repeat(900)}`;
    expect(namedIn(await refused(query))).toEqual([name]);
  });

  it.each(['start_date', 'end_date'] as const)('%s missing', async (name) => {
    const rest = Object.entries(GOOD).filter(([other]) => other !== name);
    expect(namedIn(await refused(new URLSearchParams(rest).toString()))).toEqual([name]);
  });

  it.each(['start_date[]', 'start_date[a]', 'start_date%5B0%5D', 'START_DATE', 'start_date%20'])(
    'start_date sent under the name %s is missing',
    async (name) => {
      const detail = await refused(`${name}=2025-06-01&end_date=2025-06-01`);
      expect(namedIn(detail)).toEqual(['start_date']);
    },
  );

  it('end_date before start_date', async () => {
    const query = queryOf({ start_date: '2025-06-02', end_date: '2025-06-01' });
    expect(namedIn(await refused(query))).toEqual(['end_date']);
  });
});

describe('several wrong parameters of GET /v3.0/transactions', () => {
  it.each([
    ['', ['start_date', 'end_date']],
    ['page_size=0', ['start_date', 'end_date', 'page_size']],
    [queryOf({ page_size: '0', page_index: '-1' }), ['page_size', 'page_index']],
    [
      'start_date=x&end_date=2025-02-30&page_size=201&page_index=x',
      ['start_date', 'end_date', 'page_size', 'page_index'],
    ],
    [queryOf({ start_date: '2025-06-02', page_size: '0' }), ['end_date', 'page_size']],
  ])('are all named: %s', async (query, names) => {
    expect(namedIn(await refused(query))).toEqual(names);
  });
});

describe('right parameters of GET /v3.0/transactions', () => {
  it('default to page 0 of 50', async () => {
    const { pagination } = await taken('start_date=2025-06-01&end_date=2025-06-01');
    expect(pagination).toEqual({ page_size: 50, page_index: 0, has_more: false });
  });

  it.each([
    ['1', '0'],
    ['200', '0'],
    ['1', '2147483647'],
    ['200', '2147483647'],
  ])('reach from bound to bound: page_size %s, page_index %s', async (page_size, page_index) => {
    const { pagination } = await taken(queryOf({ page_size, page_index }));
    expect(pagination).toEqual({
      page_size: Number(page_size),
      page_index: Number(page_index),
      has_more: false,
    });
  });

  it.each([
    ['2024-02-29', '2024-02-29'],
    ['2000-02-29', '2000-02-29'],
    ['0001-01-01', '0001-01-01'],
    ['0001-01-01', '9999-12-31'],
    ['9999-12-31', '9999-12-31'],
  ])('take real dates of any year: %s to %s', async (start_date, end_date) => {
    const { total_count } = await taken(queryOf({ start_date, end_date }));
    expect(total_count).toBe(start_date === '0001-01-01' && end_date === '9999-12-31' ? 1 : 0);
  });

  it.each([
    'start%5Fdate=2025-06-01&end_date=%32025-06-01',
    'end_date=2025-06-01&&start_date=2025-06-01&',
  ])('are read in any order and percent-encoded: %s', async (query) => {
    expect((await taken(query)).total_count).toBe(1);
  });

  it.each([
    'page=7',
    'limit=1',
    'per_page=1',
    'page_size[a]=7',
    'page_index[]=7',
    'PAGE_SIZE=7',
    '__proto__=7',
    '__proto__[page_size]=7',
    'constructor=7',
    'constructor[prototype]=7',
    'toCriteria=7',
    'hasOwnProperty=7',
    'toString=7',
    'vendor_id=2',
    'sort=-amount',
    '=7',
    'x',
    'page=1&page=2',
  ])('may stand beside unknown ones, which are ignored: %s', async (unknown) => {
    const meta = await taken(`start_date=2025-06-01&end_date=2025-06-01&${unknown}`);
    expect(meta).toMatchObject({
      total_count: 1,
      pagination: { page_size: 50, page_index: 0, has_more: false },
    });
  });
});
