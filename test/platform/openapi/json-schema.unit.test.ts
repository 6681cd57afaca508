import { describe, expect, it } from '@jest/globals';
import { AnswerSchemas } from '../../support/oracles/json-schema.js';

const NAMES = 'GET /v2.1/products/names';
const SUMMARY = 'GET /v2.0/transactions/summaries/{paykey}';
const META = {
  status: { http_status_code: 200, code: 2000, message: 'Success', detail: null },
  results_count: 1,
  api_version: '2.1',
};
const ITEM = { product_id: 10, product_name: '' };
const SALE = {
  transaction_id: 'one',
  date: '2025-06-01T12:00:00+00:00',
  product_name: 'Product',
  product_id: 10,
  status: 'COMPLETED',
  price: '-47.00',
  first_name: '',
  last_name: '',
  processor_email: '',
};

function nameFaults(item: object, meta: object = META, more: object = {}): string[] {
  return new AnswerSchemas('2.1').faults(NAMES, { meta, results: [item], ...more });
}

function saleFaults(...sales: readonly object[]): string[] {
  const meta = { ...META, api_version: '2.0' };
  return new AnswerSchemas('2.0').faults(SUMMARY, { meta, results: sales });
}

describe('the check of a body against the schema of its operation', () => {
  it('finds nothing in a body that is as the schema says', () => {
    expect(nameFaults(ITEM)).toEqual([]);
    expect(saleFaults(SALE)).toEqual([]);
  });

  it.each([
    ['an extra field', { ...ITEM, extra: 1 }, '$.results[0].extra'],
    ['a missing field', { product_id: 10 }, '$.results[0].product_name'],
    ['a text for a number', { ...ITEM, product_id: '10' }, '$.results[0].product_id'],
    ['a fraction for a whole number', { ...ITEM, product_id: 1.5 }, '$.results[0].product_id'],
    ['a number out of bounds', { ...ITEM, product_id: -1 }, '$.results[0].product_id'],
    ['null where it is not allowed', { ...ITEM, product_name: null }, '$.results[0].product_name'],
    ['a list for an object', [ITEM], '$.results[0]'],
  ])('finds %s', (_, item, place) => {
    const faults = nameFaults(item);
    expect(faults).toHaveLength(1);
    expect(faults[0]).toMatch(new RegExp(`^${place.replace(/[$.[\]]/g, '\\$&')}: `));
  });

  it.each([
    ['an extra field of the envelope', META, { extra: 1 }],
    ['an extra field of meta', { ...META, total_count: 1 }, {}],
    ['another version', { ...META, api_version: '2.0' }, {}],
    ['a detail beside a success', { ...META, status: { ...META.status, detail: '' } }, {}],
  ])('finds %s', (_, meta, more) => {
    expect(nameFaults(ITEM, meta, more)).toHaveLength(1);
  });

  it.each([
    { status: 'settled' },
    { price: '47' },
    { price: '-0.00' },
    { price: '047.00' },
    { price: 47 },
    { date: '2025-06-01T12:00:00Z' },
    { date: '2025-06-01 12:00:00' },
    { transaction_id: '' },
  ])('finds a value that is not of its form: %j', (changes) => {
    expect(saleFaults({ ...SALE, ...changes })).toHaveLength(1);
  });

  it('finds too few and too many results', () => {
    expect(saleFaults()).toEqual(['$.results: 0 items']);
    expect(saleFaults(SALE, SALE)).toEqual(['$.results: 2 items']);
  });

  it('refuses an operation that has no schema', () => {
    expect(() => new AnswerSchemas('2.1').faults('GET /v2.1/nowhere', {})).toThrow('no schema');
  });
});
