/** The account page of a customer's personal data. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { product, transaction, user } from '../../support/builders/ledger-records.js';
import { Visitor } from '../../support/browser/visitor.js';
import { TestService } from '../../support/servers/service.js';

const PATH = '/account/people';
const EMAIL = 'customer@example.test';
const OF_OTHER = 'buyer.of.other@example.test';
/** The ledger accepts an e-mail of at most 255 characters. */
const LONGEST = `${'x'.repeat(255 - '@example.test'.length)}@example.test`;
const query = (email: string) => new URLSearchParams({ email }).toString();

let service: TestService;
let ann: Visitor;
beforeAll(async () => {
  service = await TestService.start();
  const customer = { email: OF_OTHER, first_name: 'Bo', last_name: 'Other' };
  await service.import([
    user(1),
    user(2),
    product(10, 1),
    product(20, 2),
    transaction('A', 10),
    transaction('B', 20, { customer }),
    transaction('C', 20),
    transaction('L', 10, { customer: { ...customer, email: LONGEST } }),
  ]);
  ann = await Visitor.signedIn(service, 1);
});
afterAll(() => service.stop());

describe('the personal data of a customer', () => {
  it('is linked from the transaction and the search', async () => {
    const link = `href="${PATH}?${query(EMAIL)}"`;
    expect((await ann.get('/account/transactions/A')).text).toContain(link);
    expect((await ann.get(`/account/search?q=${EMAIL}`)).text).toContain(link);
  });

  it('is shown and downloaded, in any case of the e-mail', async () => {
    const { text } = await ann.get(`${PATH}?${query(EMAIL.toUpperCase())}`);
    expect(text).toContain('<dt>Transactions</dt><dd>1</dd>');
    const file = await ann.get(`${PATH}.json?${query(EMAIL)}`);
    expect(JSON.parse(file.text)).toMatchObject({
      records: [{ vendor_id: 1, transaction_id: 'A', customer: { email: EMAIL } }],
    });
  });

  it.each([
    ['', '/account/data-protection'],
    ['customer=', '/account/data-protection'],
    [`customer=+${encodeURIComponent(EMAIL)}+`, `${PATH}?${query(EMAIL)}`],
    ['customer=By', '/account/customers?name=By'],
    ['customer=By+%40+home', '/account/customers?name=By+%40+home'],
  ])('is found by e-mail or name from one field: %s', async (typed, target) => {
    const { status, headers } = await ann.get(`${PATH}?${typed}`);
    expect([status, headers.location]).toEqual([303, target]);
    const { text } = await ann.get('/account/data-protection');
    expect(text).toMatch(/action="\/account\/people"[^]*name="customer"/);
  });

  it('of another vendor is not found, not downloaded and not erased', async () => {
    const { text } = await ann.get(`${PATH}?${query(OF_OTHER)}`);
    expect(text).toContain('No data of this person is stored.');
    const file = await ann.get(`${PATH}.json?${query(OF_OTHER)}`);
    expect(JSON.parse(file.text)).toEqual({ records: [] });
    expect((await ann.post(`${PATH}/erase?${query(OF_OTHER)}`)).status).toBe(303);
    const other = await service.get('/v3.0/transactions/B', await service.key(2));
    expect(other.text).toContain(OF_OTHER);
  });

  it('is not erased without the token of a form, or without an e-mail', async () => {
    const path = `${PATH}/erase?${query(EMAIL)}`;
    const forged = await ann.post(path, { csrf_token: 'forged' });
    expect(forged.status).toBe(403);
    expect((await ann.get(`${PATH}?${query('no address')}`)).status).toBe(400);
    await ann.get(path);
    expect((await ann.post(`${PATH}/erase?${query('no address')}`)).status).toBe(400);
    expect((await ann.get(`${PATH}?${query(EMAIL)}`)).text).toContain('<dd>1</dd>');
  });

  it.each([`x${LONGEST}`, 'erased-0123456789abcdef@erased.invalid'])(
    'cannot be erased of %s',
    async (email) => {
      const path = `${PATH}/erase?${query(email)}`;
      expect((await ann.get(path)).status).toBe(400);
      expect((await ann.post(path)).status).toBe(400);
      const file = await ann.get(`${PATH}.json?${query(email)}`);
      expect(file.status).toBe(email.length > 255 ? 400 : 200);
    },
  );

  it('is found, downloaded and erased also with the longest e-mail', async () => {
    const found = '<dt>Transactions</dt><dd>1</dd>';
    expect((await ann.get(`${PATH}?${query(` ${LONGEST} `)}`)).text).toContain(found);
    const file = await ann.get(`${PATH}.json?${query(LONGEST)}`);
    expect(JSON.parse(file.text)).toMatchObject({ records: [{ transaction_id: 'L' }] });
    const path = `${PATH}/erase?${query(LONGEST)}`;
    await ann.get(path);
    expect((await ann.post(path)).status).toBe(303);
    expect((await ann.get(`${PATH}?${query(LONGEST)}`)).text).not.toContain(found);
  });

  it('is erased after a page that says what happens', async () => {
    const path = `${PATH}/erase?${query(EMAIL)}`;
    expect((await ann.get(path)).text).toContain('This cannot be undone.');
    const erased = await ann.follow(await ann.post(path));
    expect(erased.text).toContain('The personal data was erased.');
    const { text } = await ann.get('/account/data-protection');
    expect(text).toMatch(/Past erasures<\/h2>.*?>You<.*?>Erased a customer’s data<.*?Sales: 1/s);
    const others = await Visitor.signedIn(service, 2);
    expect((await others.get('/account/data-protection')).text).not.toContain('Past erasures');
    expect((await ann.get('/account/transactions/A')).text).not.toContain('Byron');
    const other = await service.get('/v3.0/transactions/C', await service.key(2));
    expect(other.text).toContain(EMAIL);
  });
});
