/**
 * Combinations of two rules: the data of a person that is erased, replayed, expired or counted
 * twice.
 */
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Visitor } from '../../support/browser/visitor.js';
import {
  product,
  recurringPayment,
  transaction,
  user,
} from '../../support/builders/ledger-records.js';
import { TestLedger } from '../../support/builders/test-ledger.js';
import { sendRecords } from '../../support/http/records.js';
import { TestService } from '../../support/servers/service.js';
import { addVendorExtras } from '../../support/sql/vendor-extras.js';

const VENDOR = 1;
const TWICE = 'twice@example.test';
const GONE = 'gone@example.test';
const [OLD, RECENT] = ['2020-01-01T00:00:00Z', '2025-06-01T00:00:00Z'];
/** Fields of subscriptions with e-mails of people who have no sales. */
const PAYERS = ['contact_email', 'processor_email', 'sender_email'] as const;
const payerOf = (field: string) => `only.${field}@example.test`;

const payments = () =>
  PAYERS.map((field, at) =>
    recurringPayment(`ONLY-${field}`, 10, { id: at + 1, [field]: payerOf(field) }),
  );
const ofPerson = (email: string, processor_email = email) => ({
  customer: { email, first_name: 'Ada', last_name: 'Byron', processor_email },
});

let service: TestService;
let ledger: TestLedger;
let file: string;
beforeAll(async () => {
  service = await TestService.start();
  ledger = TestLedger.on(service.database);
  file = join(service.database.folder, 'erasures.ndjson');
  await service.import([user(VENDOR), product(10, VENDOR), ...payments()]);
  await addVendorExtras(ledger, VENDOR, 1, 'none');
  await ledger.run(`INSERT INTO webhook_endpoints
    (id, vendor_id, url, state, secret, position, number, failures, next_try, created)
    SELECT 1, vendor_id, url, 'paused', '', 0, 1, 0, created, created FROM upstreams`);
});
afterAll(async () => {
  await ledger.close();
  await service.stop();
});

async function people(...args: readonly string[]): Promise<string> {
  const result = await ledger.cli(['people', ...args], { env: { ERASURES_FILE: file } });
  expect([args, result.status, result.stderr]).toEqual([args, 0, '']);
  return result.stdout;
}

async function emailsOf(pattern: string): Promise<unknown[]> {
  const rows = await ledger.rows(
    `SELECT customer_email FROM transactions WHERE transaction_id LIKE '${pattern}' ORDER BY transaction_id`,
  );
  return rows.map(({ customer_email }) => customer_email);
}

it('counts and exports each record once that has the e-mail in several fields and spellings', async () => {
  const [upper, mixed] = [TWICE.toUpperCase(), 'Twice@example.test'];
  await service.import([
    transaction('both', 10, ofPerson(TWICE)),
    transaction('both-cases', 10, ofPerson(upper, mixed)),
    transaction('other-cases', 10, ofPerson(mixed, TWICE)),
    transaction('buyer', 10, ofPerson(upper, 'payer@example.test')),
    transaction('payer', 10, ofPerson('buyer@example.test', mixed)),
    recurringPayment('TWICE', 10, {
      id: 9,
      contact_email: TWICE,
      processor_email: upper,
      sender_email: TWICE,
    }),
  ]);
  const found = JSON.parse(await people('find', TWICE, '--all', '--json')) as object;
  expect(found).toMatchObject({ vendor_id: VENDOR, sales: 5, recurring_payments: 1 });
  const visitor = await Visitor.signedIn(service, VENDOR);
  const { text } = await visitor.get(`/account/people.json?email=${TWICE}`);
  const { records } = JSON.parse(text) as { records: Record<string, string>[] };
  const keys = records.map(({ transaction_id, pre_key, type }) =>
    type === 'transaction' ? transaction_id : pre_key,
  );
  expect(keys.sort()).toEqual(['TWICE', 'both', 'both-cases', 'buyer', 'other-cases', 'payer']);
  expect((await visitor.get(`/account/people?email=${TWICE}`)).text).toContain(
    '<dt>Transactions</dt><dd>5</dd>',
  );
});

it('forgets what was answered and what failed with an erasure of recurring payments alone', async () => {
  const erased = await people('erase', payerOf(PAYERS[0]), '--all', '--json');
  expect(JSON.parse(erased)).toEqual({ vendor_id: VENDOR, sales: 0, recurring_payments: 1 });
  expect(await ledger.rows('SELECT answer FROM webhook_deliveries')).toEqual([{ answer: null }]);
  expect(await ledger.rows('SELECT problem FROM upstreams')).toEqual([{ problem: null }]);
  expect(await ledger.rows('SELECT text FROM upstream_problems')).toEqual([{ text: null }]);
});

it.each([
  ['replayed', `DELETE FROM erased_people`],
  ['resumed', `UPDATE erased_people SET is_pending = 1`],
])('erases who has recurring payments alone when the erasure is %s', async (_, back) => {
  for (const field of PAYERS) await people('erase', payerOf(field), '--vendor', String(VENDOR));
  const erased = async () =>
    (
      await ledger.rows(`SELECT ${PAYERS.join()} FROM recurring_payments
    WHERE pre_key LIKE 'ONLY-%' ORDER BY pre_key`)
    ).map((row) => Object.values(row));
  const before = await erased();
  expect(before.flat().join()).not.toContain('only.');
  // This is the state of a restored backup.
  for (const field of PAYERS) {
    await ledger.run(
      `UPDATE recurring_payments SET ${field} = '${payerOf(field)}' WHERE pre_key = 'ONLY-${field}'`,
    );
  }
  await ledger.run(back);
  expect(JSON.parse(await people('replay', '--json'))).toMatchObject({
    sales: 0,
    recurring_payments: 3,
  });
  expect(await erased()).toEqual(before);
});

it('keeps not even the address of an erased person in what is too old', async () => {
  await service.import([transaction('gone-stored', 10, { ...ofPerson(GONE), sale_date: OLD })]);
  await people('erase', GONE, '--vendor', String(VENDOR));
  expect(await emailsOf('gone-%')).toEqual([expect.stringMatching(/^erased-/)]);
  for (const args of [['set', '--vendor', '1', '--months', '24'], ['run']]) {
    expect(await ledger.cli(['retention', ...args])).toMatchObject({ status: 0, stderr: '' });
  }
  expect(await emailsOf('gone-%')).toEqual(['']);
  const arriving = [
    transaction('gone-stored', 10, { ...ofPerson(GONE), sale_date: OLD }),
    transaction('gone-late', 10, { ...ofPerson(GONE), sale_date: OLD }),
    transaction('gone-payer', 10, { ...ofPerson('x@example.test', GONE), sale_date: OLD }),
  ];
  await service.import(arriving);
  await sendRecords(service, await service.sourceKey(VENDOR), [
    ...arriving,
    transaction('gone-sent', 10, { ...ofPerson(GONE), sale_date: OLD }),
  ]);
  expect(await emailsOf('gone-%')).toEqual(['', '', '', '']);
  await service.import([
    recurringPayment('GONE', 10, {
      id: 20,
      status: 'CANCELED',
      contact_email: GONE,
      created: OLD,
      last_date: OLD,
    }),
  ]);
  const [row] = await ledger.rows(
    "SELECT contact_email FROM recurring_payments WHERE pre_key = 'GONE'",
  );
  expect(row).toEqual({ contact_email: '' });
});

it('erases what is neither too old nor sold after the erasure', async () => {
  const later = new Date(Date.now() + 3_600_000).toISOString();
  await service.import([
    transaction('kept-1-erased', 10, { ...ofPerson(GONE), sale_date: RECENT }),
    transaction('kept-2-later', 10, { ...ofPerson(GONE), sale_date: later }),
  ]);
  expect(await emailsOf('kept-%')).toEqual([expect.stringMatching(/^erased-/), GONE]);
  const key = await service.key(VENDOR);
  for (const kind of ['ndjson', 'csv']) {
    const { text } = await service.get(
      `/ledger/v1/transactions.${kind}?start_date=2020-01-01&end_date=2025-12-31`,
      key,
    );
    expect(text).not.toContain(GONE);
  }
  expect((await ledger.cli(['verify'])).stdout).toBe('All derived data matches the ledger.\n');
});
