import { expect } from '@jest/globals';
import { AFFILIATE, OTHER, sales, VENDOR } from '../builders/all-records.js';
import {
  affiliation,
  clicks,
  product,
  recurringPayment,
  transaction,
  user,
} from '../builders/ledger-records.js';
import { LARGE_TRACKING } from '../builders/large-sale.js';
import { bytesOf } from '../builders/test-ledger.js';
import { basic } from '../http/http.js';
import type { RecordedService } from '../servers/recorded-service.js';

/** Turns the newest application into a source. */
export async function makeNewestSource({ ledger }: RecordedService): Promise<void> {
  const newest = '(SELECT MAX(id) AS id FROM api_applications)';
  await ledger.run(
    `UPDATE api_applications SET access = 'source' WHERE id = (SELECT id FROM ${newest} AS newest)`,
  );
}

/**
 * Adds and changes users through a source until others rely on them. Then the operator's records
 * name some of them, and the vendor gets a sale of one.
 */
export async function sendRecords(recorded: RecordedService, source: string): Promise<void> {
  const described = await recorded.get('GET /ledger/v1', '/ledger/v1', source);
  expect(described.status).toBe(200);
  for (const name of ['Zoë', 'Zoé', 'Zoe']) {
    const added = [user(9_999, { name }), user(9_998, { name })];
    const alone = name === 'Zoe' ? [user(9_997, { name })] : [];
    const ofSource = product(9_996, VENDOR, { name });
    const records = [...added, ...alone, user(OTHER), ofSource, ...sales('completed')];
    const answer = await recorded.send('POST /ledger/v1/records', {
      method: 'POST',
      path: '/ledger/v1/records',
      body: JSON.stringify(records),
      headers: { ...basic(source), 'Content-Type': 'application/json' },
    });
    expect(answer.status).toBe(200);
    const forOther = transaction('for-other', 30, { affiliate_id: 9_999 });
    expect((await recorded.command(['import', '-'], bytesOf([forOther]))).status).toBe(0);
    await recorded.ledger.run('DELETE FROM products WHERE id = 9998');
    await recorded.ledger.run("INSERT INTO products (id, vendor_id, name) VALUES (9998, 9998, '')");
  }
  // The sale belongs to an affiliate without a name.
  await recorded.ledger.run(
    "UPDATE transactions SET affiliate_id = 9995 WHERE transaction_id = 'for-other'",
  );
  const named = [user(9_999), user(9_997), user(9_995)];
  const given = transaction('of-operator', 10, { affiliate_id: 9_999 });
  const { status } = await recorded.command(['import', '-'], bytesOf([...named, given]));
  expect(status).toBe(0);
  await removeProduct(recorded);
}

/** Removes a product of the source with everything that belongs to it. */
async function removeProduct(recorded: RecordedService): Promise<void> {
  const id = 9_996;
  const belonging = [
    affiliation(AFFILIATE, id),
    clicks(AFFILIATE, id),
    recurringPayment('PRE-REMOVED', id, { id: 93 }),
    ...[AFFILIATE, 9_998].map((affiliate_id) =>
      transaction(`removed-${affiliate_id}`, id, { affiliate_id }),
    ),
  ];
  expect((await recorded.command(['import', '-'], bytesOf(belonging))).status).toBe(0);
  const whose = ['--vendor', String(VENDOR), '--product', String(id)];
  const removed = await recorded.command(['sources', 'remove', ...whose, '--yes', '--force']);
  expect(removed.status).toBe(0);
}

/**
 * Reads with masked access, for which the columns are read, because the stored JSON contains
 * personal data.
 */
export async function readMasked(recorded: RecordedService, key: string): Promise<void> {
  const list = '/v3.0/transactions';
  const paths = [
    [list, `${list}?start_date=2025-06-01&end_date=2025-06-30`],
    [`${list}/{transaction_id}`, `${list}/T3`],
    ['/ledger/v1/changes', '/ledger/v1/changes?limit=10'],
    ['/ledger/v1/transactions.ndjson', '/ledger/v1/transactions.ndjson'],
    ['/ledger/v1/transactions.csv', '/ledger/v1/transactions.csv'],
  ] as const;
  for (const [operation, path] of paths) await mustGet(recorded, `GET ${operation}`, path, key);
}

/**
 * Reads transactions that are too large to be in memory together, so that the service reads them in
 * parts.
 */
export async function readLarge(
  recorded: RecordedService,
  vendor: string,
  masked: string,
): Promise<void> {
  const sales = Array.from({ length: 13 }, (_, at) =>
    transaction(`large-${at}`, 10, {
      sale_date: '2025-08-01T12:00:00Z',
      tracking: LARGE_TRACKING,
    }),
  );
  expect((await recorded.command(['import', '-'], bytesOf(sales))).status).toBe(0);
  const list = '/v3.0/transactions?start_date=2025-08-01&end_date=2025-08-31';
  await mustGet(recorded, 'GET /v3.0/transactions', list, vendor);
  await mustGet(recorded, 'GET /ledger/v1/changes', '/ledger/v1/changes?limit=1000', vendor);
  const csv = '/ledger/v1/transactions.csv';
  for (const key of [vendor, masked]) await mustGet(recorded, `GET ${csv}`, csv, key);
}

/** Spellings of `lookup`: more than are looked up for the subscriptions with a name. */
const MANY_SPELLINGS = Array.from({ length: 24 }, (_, bits) =>
  Array.from('lookup', (letter, at) => ((bits >> at) % 2 === 0 ? letter : letter.toUpperCase())),
).map((letters) => letters.join(''));

/** Queries records with filters by each index, and with filters that no index serves. */
export async function queryRecords(recorded: RecordedService, key: string): Promise<void> {
  const email = 'customer@example.test';
  const spelled = ['Ada', 'Adam', ...MANY_SPELLINGS].map((first_name, at) =>
    transaction(`spelled-${at}`, 10, {
      customer: { email: at === 0 ? email : email.toUpperCase(), first_name, last_name: 'B' },
    }),
  );
  const related = [
    user(9_994),
    user(9_993),
    affiliation(9_994, 10),
    affiliation(9_993, 10),
    ...spelled,
    recurringPayment('PRE-spelled', 10, { contact_email: email }),
  ];
  expect((await recorded.command(['import', '-'], bytesOf(related))).status).toBe(0);
  const transactions = [
    'limit=2',
    'order=oldest&limit=2',
    'product_id=10,20&limit=2',
    'affiliate_id=2,3&date=sale',
    'affiliate_id=2&date=sale&limit=1',
    'email=customer@example.test&limit=1',
    'pre_key=PRE-1',
    'date=refund&start_date=2025-06-01&end_date=2026-06-30&limit=1',
    'refunded=true&tid=a&min_amount=1&limit=1',
    'figure=seller_earnings&product_id=10&limit=2',
  ];
  const queries = [
    ...transactions.map((query) => ['transactions', query] as const),
    ['recurring_payments', 'limit=1'],
    ['recurring_payments', 'email=customer@example.test&status=ACTIVE'],
    ['recurring_payments', 'name=a'],
    ['relationships', 'limit=1'],
    ['relationships', 'product_id=10&affiliate_id=2&status=APPROVED'],
    ['affiliates', 'limit=1'],
    ['customers', 'email=customer@example.test'],
    ['customers', 'name=ada&limit=1'],
    ['activity', 'limit=1'],
    ['activity', 'subject=affiliate%202,%20product%2010'],
  ] as const;
  for (const [operation, query] of queries) {
    const path = `/ledger/v1/${operation}`;
    const { text } = await recorded.get(`GET ${path}`, `${path}?${query}`, key);
    const { meta } = JSON.parse(text) as { meta: { next_cursor?: string | null } };
    expect([query, meta.next_cursor]).not.toEqual([query, undefined]);
    if (typeof meta.next_cursor !== 'string') continue;
    await mustGet(recorded, `GET ${path}`, `${path}?${query}&after=${meta.next_cursor}`, key);
  }
  const csv = '/ledger/v1/transactions.csv';
  await mustGet(recorded, `GET ${csv}`, `${csv}?status=refunded&figure=refunded`, key);
}

async function mustGet(
  recorded: RecordedService,
  work: string,
  path: string,
  key: string,
): Promise<void> {
  const { status } = await recorded.get(work, path, key);
  expect([path, status]).toEqual([path, 200]);
}
