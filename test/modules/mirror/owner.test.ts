/** `upstreams add` without a vendor determines the vendor from the upstream's sales. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { user } from '../../support/builders/ledger-records.js';
import { TestLedger } from '../../support/builders/test-ledger.js';
import { STUB_KEY, StubUpstream } from '../../support/servers/stub-upstream.js';
import { stubSale } from '../../support/servers/stub/contents.js';

const NONE = { relationships: [], payments: [] };
const VENDOR = { id: 31, name: 'Nina', email: 'nina@vendor.example' };

let upstream: StubUpstream;
let settings: Readonly<Record<string, string>>;
let ledger: TestLedger;

beforeAll(async () => {
  const products = [{ id: 10, name: 'Product 10' }];
  upstream = new StubUpstream({
    ...NONE,
    vendor: VENDOR,
    products,
    sales: [stubSale('first', {})],
  });
  settings = await upstream.start();
});
afterAll(() => {
  upstream.stop();
});
beforeEach(async () => {
  ledger = await TestLedger.create();
});
afterEach(() => ledger.drop());

function add(url: string) {
  const file = ledger.file('upstream-key', `${STUB_KEY}\n`);
  const options = ['--url', url, '--key-file', file, '--json'];
  return ledger.cli(['upstreams', 'add', ...options], { env: settings });
}

const users = () => ledger.rows('SELECT id, name, email, status FROM users');

describe('an upstream whose vendor is not named', () => {
  it('is that of its first sale, who is added as a user', async () => {
    const { status, stdout } = await add(upstream.url);
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ vendor_id: 31, state: 'active' });
    expect(await users()).toEqual([{ ...VENDOR, status: 'active' }]);
    expect(await add(upstream.url)).toMatchObject({ status: 1 });
  });

  it('leaves a user as it is who is there already', async () => {
    await ledger.mustImport([user(31)]);
    const before = await users();
    expect(await add(upstream.url)).toMatchObject({ status: 0 });
    expect(await users()).toEqual(before);
  });

  it('adds nobody if it has no sale, or cannot be read', async () => {
    const empty = new StubUpstream({ ...NONE, vendor: VENDOR, products: [], sales: [] });
    const allowed = await empty.start();
    const file = ledger.file('upstream-key', STUB_KEY);
    const options = ['--url', empty.url, '--key-file', file];
    const { status, stderr } = await ledger.cli(['upstreams', 'add', ...options], { env: allowed });
    empty.stop();
    expect(status).toBe(1);
    expect(stderr).toContain(
      'The upstream has no sales yet, so its vendor is unknown. Pass --vendor ID.',
    );
    const wrong = await add(`${upstream.url}/nowhere`);
    expect(wrong).toMatchObject({ status: 1 });
    expect(wrong.stderr).toContain('The upstream');
    expect(await users()).toEqual([]);
  });
});
