import { expect } from '@jest/globals';
import {
  AFFILIATE,
  changes,
  MOVED,
  NEW,
  OTHER,
  parties,
  sales,
  VENDOR,
  versions,
} from '../builders/all-records.js';
import { product, recurringPayment, transaction, user } from '../builders/ledger-records.js';
import { ROWS } from '../builders/access-rows.js';
import { until } from '../servers/running-service.js';
import { HEALTH, type RecordedService, type SentStatement } from '../servers/recorded-service.js';
import {
  makeNewestSource,
  queryRecords,
  readLarge,
  readMasked,
  sendRecords,
} from './works-of-access.js';
import { changeByAssistant, hasNoOldToken, keepOldToken } from './works-of-assistants.js';
import { hasNoOldReads, keepOldReads, RETENTION_COMMANDS } from './works-of-personal-data.js';
import type { UpstreamWorks } from './works-of-upstreams.js';
import { erasePeople } from './works-of-people.js';
import { manageWebhooks, useWebhooks } from './works-of-webhooks.js';
import { PASSWORD } from '../browser/visitor.js';
import { usePasswordLinks } from './works-of-links.js';
import { useAccountPages } from './works-of-pages.js';
import { TestSmtpServer } from '../servers/smtp-server.js';
import { BATCH_LINES, bytesOf, problemsOf } from '../builders/test-ledger.js';
import { send } from '../http/http.js';

const RANGE = 'start_date=2025-06-01&end_date=2025-06-30';
/** This range includes refunds of earlier sales. */
const REFUNDS = 'start_date=2025-06-20&end_date=2026-12-31';
const RELATIONSHIP = `${AFFILIATE}/products/10`;
const HOUR_MS = 3_600_000;
/** Id of a user whom a source added. */
const PROVISIONAL = 90;
/** Waiting changes are added to the sums by tracking field once there are this many. */
const WAITING = 5_000;
/** Number of values of a field that have sums of their own. One batch can contain as many. */
const TRACKED_VALUES = BATCH_LINES;

/**
 * Does everything that the service does with its database, each kind of work once.
 * @param upstream the upstream whose settings the service has
 */
export async function doAllWork(
  recorded: RecordedService,
  upstream: UpstreamWorks,
  more: Record<string, string>,
) {
  await importEverything(recorded);
  const [vendor, affiliate] = [await makeKey(recorded, VENDOR), await makeKey(recorded, AFFILIATE)];
  const masked = await makeKey(recorded, VENDOR, ['--access', 'masked']);
  const busy = await makeKey(recorded, NEW);
  const source = await makeKey(recorded, VENDOR);
  await makeNewestSource(recorded);
  const mirrored = await makeKey(recorded, await upstream.manage(recorded));
  await manageByCommands(recorded);
  await nameProvisionalUser(recorded);
  await erasePeople(recorded);
  await keepOldReads(recorded);
  await keepOldToken(recorded);
  const smtp = await TestSmtpServer.start();
  await recorded.start({
    ...more,
    ...smtp.environment,
    MANAGEMENT_PORT: '0',
    PAGE_CACHE_MB: '1',
    PERSONAL_DATA_READS: 'on',
  });
  // A key is looked up again only after a while, so this comes before other requests with it.
  await changeByAssistant(recorded, vendor);
  await callOperations(recorded, vendor, affiliate);
  await readBusyDay(recorded, busy);
  await queryRecords(recorded, vendor);
  await readMasked(recorded, masked);
  await readLarge(recorded, vendor, masked);
  await sendRecords(recorded, source);
  await useWebhooks(recorded, vendor);
  await upstream.use(recorded, mirrored);
  await useAccountPages(recorded, upstream);
  await usePasswordLinks(recorded, smtp);
  await watch(recorded);
  await until('the end of old reads', () => hasNoOldReads(recorded));
  await until('the end of the old token', () => hasNoOldToken(recorded));
  const reads = ['reads', 'list', '--vendor', String(VENDOR)];
  for (const more of [[], ['--transaction', 'T3', '--from', '2025-01-01', '--to', '9999-12-31']]) {
    await mustRun(recorded, [...reads, ...more]);
  }
  await recorded.stop();
  await smtp.stop();
}

/** @returns the operations of the API for which no statement was sent */
export function operationsLeftOut(statements: readonly SentStatement[]): string[] {
  const done = new Set(statements.map(({ work }) => work));
  return ROWS.map(({ operation }) => operation).filter((operation) => !done.has(operation));
}

async function importEverything(recorded: RecordedService): Promise<void> {
  await mustRun(recorded, ['import', '-'], bytesOf([...parties(), ...sales('completed')]));
  await importChanges(recorded);
  await mustRun(recorded, ['import', '-'], bytesOf(versions()));
  // The last batch of a dry run repeats records that the first batch would have stored.
  const filling = Array.from({ length: BATCH_LINES }, () => user(VENDOR, { name: 'Zoë' }));
  const unmoved = sales('pending').slice(MOVED);
  const rehearsed = [...unmoved, ...filling, ...unmoved];
  await mustRun(recorded, ['import', '-', '--dry-run'], bytesOf(rehearsed));
  const dangling = [transaction('dangling', 999), transaction('T0', 30), product(10, OTHER)];
  const refused = await recorded.command(['import', '-'], bytesOf(dangling));
  expect(problemsOf(refused).size).toBe(3);
  // An older version leaves a vendor with only products in this state.
  await mustRun(recorded, ['import', '-'], bytesOf([user(NEW), product(NEW, NEW)]));
  await recorded.ledger.run(`DELETE FROM ledger_revisions WHERE vendor_id = ${NEW}`);
  await recorded.ledger.run(`DELETE FROM changed_records WHERE vendor_id = ${NEW}`);
  await mustRun(recorded, ['import', '-'], bytesOf([transaction('first', NEW)]));
  await mustRun(recorded, ['import', '-'], bytesOf([product(NEW, NEW, { name: 'New' })]));
  await importTracked(recorded);
  const next_date = new Date(Date.now() + HOUR_MS).toISOString();
  const due = recurringPayment('PRE-DUE', 10, { id: 90, next_date });
  const undated = recurringPayment('PRE-UNDATED', 10, { id: 91, next_date: null });
  await mustRun(recorded, ['import', '-'], bytesOf([due, undated]));
  // The product moves to another vendor and back.
  for (const product_id of [10, 30, 10]) {
    const moved = recurringPayment('PRE-MOVED', product_id, { id: 92 });
    await mustRun(recorded, ['import', '-'], bytesOf([moved]));
  }
  await mustRun(recorded, ['verify']);
  await recorded.ledger.run('UPDATE sale_counts SET sales = sales + 1');
  await recorded.ledger.run('UPDATE tracking_sums SET amount = amount + 1');
  expect((await recorded.command(['verify'])).status).toBe(1);
  await recorded.ledger.run('UPDATE sale_counts SET sales = sales - 1');
  await recorded.ledger.run('UPDATE tracking_sums SET amount = amount - 1');
}

/**
 * Imports changes. A sale that moves to another day, and one that loses its refund, are separate
 * kinds of work, each with a warning.
 */
async function importChanges(recorded: RecordedService): Promise<void> {
  const changed = await recorded.command(['import', '-'], bytesOf(changes()));
  expect(changed.status).toBe(0);
  const moved = Array.from({ length: MOVED }, (_, index) =>
    expect.stringMatching(`another sale_date: [^;]+ \\(transaction T${index}\\)$`),
  );
  const unrefunded = expect.stringMatching(
    /warning: refund: is missing, [^;]+; refund: is no longer there: [^;]+ \(transaction T1\)$/,
  );
  expect([...problemsOf(changed).values()]).toEqual([...moved, unrefunded]);
}

/**
 * Imports sales with tracking fields so that their sums are updated twice and one field has more
 * values than sums. One of these sales changes while its field is full, and one later. A gap in the
 * sequence of changes simulates the changes that must be waiting.
 */
async function importTracked(recorded: RecordedService): Promise<void> {
  const sold = Array.from({ length: TRACKED_VALUES + 10 }, (_, place) => {
    const tracking = { tid: place < TRACKED_VALUES ? 't0' : 't1', sub_id1: `click-${place}` };
    return transaction(`tracked-${place}`, NEW, { tracking });
  });
  const [first, second] = sold;
  const files = [
    [...sold.slice(0, TRACKED_VALUES), { ...first, amount: '48.00' }],
    sold.slice(TRACKED_VALUES),
  ];
  const gap = `last_sequence = last_sequence + ${WAITING} WHERE vendor_id = ${NEW}`;
  for (const file of files) {
    await recorded.ledger.run(`UPDATE ledger_revisions SET ${gap}`);
    await mustRun(recorded, ['import', '-'], bytesOf(file));
  }
  await mustRun(recorded, ['import', '-'], bytesOf([{ ...second, amount: '48.00' }]));
}

/**
 * Reads two pages deep in the day of the tracked sales, and then pages whose names are known from
 * earlier ones.
 */
async function readBusyDay(recorded: RecordedService, key: string): Promise<void> {
  const list = '/v3.0/transactions';
  for (const index of [30, 20, 0, 1, 2, 3, 4]) {
    const path = `${list}?${RANGE}&page_size=10&page_index=${index}`;
    expect((await recorded.get(`GET ${list}`, path, key)).status).toBe(200);
  }
}

async function makeKey(
  recorded: RecordedService,
  user_id: number,
  more: readonly string[] = [],
): Promise<string> {
  const args = ['keys', 'create', '--user', String(user_id), '--name', 'all', '--json', ...more];
  return (JSON.parse(await mustRun(recorded, args)) as { key: string }).key;
}

/** Manages an application that sends no requests. */
async function manageByCommands(recorded: RecordedService): Promise<void> {
  const args = ['keys', 'create', '--user', String(OTHER), '--name', 'spare', '--json'];
  args.push('--expires', new Date(Date.now() + HOUR_MS / 2).toISOString());
  const { id } = JSON.parse(await mustRun(recorded, args)) as { id: number };
  for (const command of [
    ['keys', 'list'],
    ['keys', 'rotate', String(id), '--overlap', '1h'],
    ['keys', 'list'],
    ['keys', 'end-overlap', String(id)],
    ['keys', 'allow', String(id), '127.0.0.1'],
    ['keys', 'access', String(id), 'masked'],
    ['keys', 'mcp-writes', String(id), 'on'],
    ['limits', 'set', String(id), '5/1s'],
    ['limits', 'show', String(id)],
    ['limits', 'clear', String(id)],
    ['audit'],
    ['users', 'list'],
    ['users', 'add', 'Added', 'added@example.test'],
    ['users', 'add', 'Added', 'added@example.test'],
    ...RETENTION_COMMANDS,
  ]) {
    await mustRun(recorded, command);
  }
  await manageWebhooks((args) => mustRun(recorded, args));
  const lines = (await mustRun(recorded, ['audit'])).split('\n').map((line) => `Audit ${line}`);
  await mustRun(recorded, ['audit', 'missing', '-'], lines.join('\n'));
  const KEY_ENCRYPTION_SECRET = 'what it was before, long enough for a secret';
  await mustRun(recorded, ['keys', 'rotate', String(id)], '', { KEY_ENCRYPTION_SECRET });
  await mustRun(recorded, ['keys', 'rewrap', '-'], KEY_ENCRYPTION_SECRET);
  await mustRun(recorded, ['keys', 'revoke', String(id)]);
  await mustRun(recorded, ['users', 'set-password', String(VENDOR)], PASSWORD);
  await mustRun(recorded, ['users', 'set-password', String(AFFILIATE)], PASSWORD);
  await mustRun(recorded, ['users', 'set-password', String(NEW)], PASSWORD);
  // A user who can sign in keeps the email address for it.
  await mustRun(recorded, ['import', '-'], bytesOf([user(AFFILIATE, { name: 'Renamed' })]));
}

/**
 * Imports the operator's first record of a user who has a password, a key and a link, which removes
 * all three.
 */
async function nameProvisionalUser(recorded: RecordedService): Promise<void> {
  const given = user(PROVISIONAL);
  await mustRun(recorded, ['import', '-'], bytesOf([given]));
  await mustRun(recorded, ['users', 'set-password', String(PROVISIONAL)], PASSWORD);
  await makeKey(recorded, PROVISIONAL);
  await recorded.ledger.run(
    `UPDATE users SET source_vendor_id = ${VENDOR}, admitted = 'upgrade' WHERE id = ${PROVISIONAL}`,
  );
  await recorded.ledger.run(`INSERT INTO password_links
    (user_id, token_hash, kind, sign_in_email, created, expires)
    VALUES (${PROVISIONAL}, 'hash', 'invitation', '', '2025-01-01 00:00:00', '9999-12-31 00:00:00')`);
  await mustRun(recorded, ['users', 'provisional']);
  const named = user(PROVISIONAL, { email: 'named@example.test' });
  await mustRun(recorded, ['import', '-'], bytesOf([named]));
}

/** Reads figures from each table of kept sums, and from the sales. */
async function readFigures(
  get: (operation: string, path: string, key?: string) => Promise<unknown>,
  affiliate: string,
): Promise<void> {
  const figures = '/ledger/v1/figures';
  const all = 'measures=sales,taxes,clicks,unpaid_commissions';
  for (const query of [
    'compare=previous_year&start_date=2025-01-01&end_date=2025-06-30&interval=week',
    `${all}&affiliate_id=2`,
    'group_by=product&product_id=10&interval=quarter',
    'group_by=affiliate&measures=affiliate_commissions',
    'group_by=tid&measures=gross',
    'tid=a&measures=sales',
    'group_by=product&tid=a&interval=month',
    'group_by=product&tid=a&refunds_on=sale_date',
    'group_by=product&tid=a&start_date=1990-01-01&end_date=1990-12-31',
    'group_by=tid&measures=pending_amount,service_fees',
    'group_by=product&measures=clicks',
    'group_by=tid&product_id=10&affiliate_id=2',
    'as=affiliate&measures=sales,clicks,unpaid_commissions&group_by=product',
  ]) {
    await get(figures, `${figures}?${query}`);
  }
  await get(figures, `${figures}?as=affiliate&measures=unpaid_commissions`, affiliate);
  await get('/ledger/v1/earnings', '/ledger/v1/earnings', affiliate);
  const tracking = '/ledger/v1/earnings/tracking';
  for (const query of [
    '',
    '?vendor_id=1',
    '?refunds_on=sale_date',
    '?start_date=2025-06-02&end_date=2025-12-31',
  ]) {
    await get(tracking, tracking + query, affiliate);
  }
  for (const report of ['catalogue', 'unpaid', 'renewals', 'cohorts']) {
    await get(`${figures}/${report}`, `${figures}/${report}`);
  }
}

async function callOperations(
  recorded: RecordedService,
  vendor: string,
  affiliate: string,
): Promise<void> {
  const get = async (operation: string, path = operation, key = vendor, headers = {}) => {
    const answer = await recorded.get(`GET ${operation}`, path, key, headers);
    expect([path, answer.status]).toEqual([path, 200]);
    return answer;
  };
  for (const version of ['3.0', '2.1', '2.0']) await get(`/v${version}`);
  // JSON above the maximum is not stored. The first read is of a page, the next one of a single
  // transaction.
  await recorded.ledger.run("UPDATE transactions SET rendered = NULL WHERE transaction_id = 'T3'");
  const list = '/v3.0/transactions';
  for (const page of ['page_size=10', 'page_size=40&page_index=1', 'page_size=51&page_index=1']) {
    const { headers } = await get(list, `${list}?${RANGE}&${page}`);
    const tag = { 'If-None-Match': String(headers.etag) };
    const again = await recorded.get(`GET ${list}`, `${list}?${RANGE}&${page}`, vendor, tag);
    expect(again.status).toBe(304);
  }
  await get(`${list}/{transaction_id}`, `${list}/T3`);
  for (const query of ['limit=2', 'limit=1000', 'kinds=affiliate', 'kinds=transaction']) {
    await get('/ledger/v1/changes', `/ledger/v1/changes?${query}`);
  }
  await readFigures(get, affiliate);
  for (const format of ['ndjson', 'csv']) {
    const path = `/ledger/v1/transactions.${format}`;
    await get(path, `${path}?${REFUNDS}`);
  }
  await get('/v2.1/transaction/details/{paykey}', '/v2.1/transaction/details/T12');
  await get('/v2.0/transactions/summaries/{paykey}', '/v2.0/transactions/summaries/T3');
  await get('/v2.1/products/names');
  await get(
    '/v2.1/affiliates/{affiliate_id}/products/{product_id}',
    `/v2.1/affiliates/${RELATIONSHIP}`,
  );
  const statistics = '/v2.1/affiliatestats/{affiliate_id}/products/{product_id}';
  await get(statistics, `/v2.1/affiliatestats/${RELATIONSHIP}`);
  const strangers = `/v2.1/affiliatestats/${OTHER}/products/10`;
  expect((await recorded.get(`GET ${statistics}`, strangers, vendor)).status).toBe(404);
  await get(
    '/v2.0/products/{product_id}/affiliates/{affiliate_id}',
    `/v2.0/products/10/affiliates/${AFFILIATE}`,
  );
  await get('/v2.0/recurring_payment/{preKey}', '/v2.0/recurring_payment/PRE-1');
  for (const [feed, key, paykey] of [
    ['/v2.0/latest-transactions', vendor, 'T3'],
    ['/v2.0/latest-affiliates-transactions', affiliate, 'foreign-2'],
  ] as const) {
    await get(`${feed}/{paykey}`, feed, key);
    await get(`${feed}/{paykey}`, `${feed}/${paykey}`, key);
    await get(`${feed}/{paykey}`, `${feed}/unknown`, key);
  }
  await changeByOperations(recorded, vendor);
}

async function changeByOperations(recorded: RecordedService, key: string): Promise<void> {
  const relationship = 'PUT /v2.1/affiliates/{affiliate_id}/products/{product_id}';
  for (const products of ['10', '11']) {
    const path = `/v2.1/affiliates/${AFFILIATE}/products/${products}`;
    const body = { approval_status: 'DELAYED', custom_commission: 40 };
    expect((await recorded.put(relationship, path, key, body)).status).toBe(200);
  }
  // The lease of this cancellation ended without a result.
  await recorded.ledger.run(
    "INSERT INTO recurring_cancels (pre_key, claim, ends) VALUES ('PRE-2', 'lost', '2025-01-01 00:00:00')",
  );
  for (const pre_key of ['PRE-1', 'PRE-2', 'PRE-1']) {
    const path = `/v2.0/recurring_payment/${pre_key}`;
    const work = 'PUT /v2.0/recurring_payment/{preKey}';
    expect((await recorded.put(work, path, key, { status: 'CANCEL' })).status).toBe(200);
  }
  // The result of this cancellation is unknown, so the service repeats the call by itself.
  await recorded.ledger.run(
    `INSERT INTO recurring_cancels (pre_key, claim, ends, user_id)
     VALUES ('PRE-3', 'lost', '2025-01-01 00:00:00', ${VENDOR})`,
  );
  const waiting = 'SELECT pre_key FROM recurring_cancels';
  await until('the end of it', async () => (await recorded.ledger.rows(waiting)).length === 0);
}

/** Reads health checks and metrics from the management port. */
async function watch(recorded: RecordedService): Promise<void> {
  for (const path of ['/health/live', '/health/ready', '/metrics']) {
    const answer = await send(recorded.managementPort, {
      path,
      headers: { 'X-Test-Work': HEALTH },
    });
    expect([path, answer.status]).toEqual([path, 200]);
  }
}

async function mustRun(
  recorded: RecordedService,
  args: readonly string[],
  input?: Buffer | string,
  settings?: Readonly<Record<string, string>>,
): Promise<string> {
  const { status, stdout, stderr } = await recorded.command(args, input, settings);
  expect([args, status, stderr]).toEqual([args, 0, '']);
  return stdout;
}
