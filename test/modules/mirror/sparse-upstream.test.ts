/**
 * An upstream that omits fields, or sends numbers as text: each sale, detail and term is still
 * stored.
 */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { user } from '../../support/builders/ledger-records.js';
import { TestLedger } from '../../support/builders/test-ledger.js';
import { STUB_KEY, StubUpstream, type StubHook } from '../../support/servers/stub-upstream.js';
import { stubAffiliate, stubRelationship, stubSale } from '../../support/servers/stub/contents.js';
import type { Envelope } from '../../support/servers/stub/spoiled.js';

type Fields = Readonly<Record<string, unknown>>;

const [VENDOR, PRODUCT, AFFILIATE] = [1, 10, 7];
const VENDOR_IDS: Fields = { 'S-1': undefined, 'S-2': null, 'S-3': 'n/a', 'S-4': '' };
const ids = Object.keys(VENDOR_IDS);

const stub = new StubUpstream({
  vendor: { id: VENDOR, name: 'Vendor', email: 'vendor@example.test' },
  products: [{ id: PRODUCT, name: 'Product 10' }],
  sales: ids.map((id, index) => {
    const sold = new Date(Date.UTC(2025, 5, 1 + index)).toISOString();
    return stubSale(id, { sold, affiliate: stubAffiliate(AFFILIATE) });
  }),
  relationships: [stubRelationship(AFFILIATE, PRODUCT)],
  payments: [],
});

/** Turns numbers and flags of the envelope into text, and omits the other fields of a page. */
function inText({ meta, results }: Envelope): Envelope {
  const { status, pagination } = meta as Record<'status' | 'pagination', Fields | undefined>;
  const texts = { ...status, code: String(status?.code) };
  const page = pagination && { ...pagination, has_more: pagination.has_more === true ? '1' : '0' };
  return { meta: { ...meta, status: texts, pagination: page }, results };
}

function resultsOf(path: string, results: Envelope['results']): Envelope['results'] {
  if (path.startsWith('/v2.0/latest-transactions')) return [];
  const detail = /\/details\/(.+)$/.exec(path)?.[1];
  return results.map((result) => {
    if (detail !== undefined) return { ...result, vendor_id: VENDOR_IDS[detail] };
    return path.startsWith('/v2.1/affiliates/') ? { ...result, created: '0000-00-00' } : result;
  });
}

const sparse: StubHook = ({ path }, answer) => {
  const { meta, results } = inText(JSON.parse(String(answer.body)) as Envelope);
  return { ...answer, body: JSON.stringify({ meta, results: resultsOf(path, results) }) };
};

let ledger: TestLedger;

beforeAll(async () => {
  stub.hook = sparse;
  ledger = await TestLedger.create();
  await ledger.mustImport([{ ...user(VENDOR), id: VENDOR }]);
});
afterAll(async () => {
  stub.stop();
  await ledger.drop();
});

it('is read whole', async () => {
  const env = await stub.start();
  const file = ledger.file('upstream-key', STUB_KEY);
  const options = ['--vendor', String(VENDOR), '--url', stub.url, '--key-file', file];
  await ledger.cli(['upstreams', 'add', ...options, '--names', 'service=acme'], { env });
  const { stdout } = await ledger.cli(['upstreams', 'run', '1', '--json'], { env });
  expect(JSON.parse(stdout)).toMatchObject({
    problem: null,
    failures: 0,
    problems: [{ kind: 'affiliation changed: created', count: 1 }],
  });
  const sales = await ledger.rows('SELECT transaction_id AS id, customer_phone FROM transactions');
  expect(sales.map(({ id }) => id).sort()).toEqual(ids);
  expect(sales.filter(({ customer_phone }) => customer_phone === null)).toEqual([]);
  const [terms] = await ledger.rows('SELECT affiliate_id, created FROM affiliations');
  expect(terms).toEqual({ affiliate_id: AFFILIATE, created: '1970-01-01 00:00:00' });
});
