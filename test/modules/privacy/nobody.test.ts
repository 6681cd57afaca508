/**
 * Erases people without any stored data: there is a tombstone only while a write may be in
 * progress.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { NO_APPLICATION, OPERATOR } from '../../../src/platform/values/author.js';
import { ImportService } from '../../../src/modules/records-in/import.service.js';
import { ErasePersonService } from '../../../src/modules/privacy/people/erase-person.service.js';
import { OpenImportsService } from '../../../src/modules/privacy/people/open-imports.service.js';
import { Visitor } from '../../support/browser/visitor.js';
import { product, transaction, user } from '../../support/builders/ledger-records.js';
import { TestLedger } from '../../support/builders/test-ledger.js';
import { sendRecords } from '../../support/http/records.js';
import { until } from '../../support/servers/running-service.js';
import { TestService } from '../../support/servers/service.js';
import { addVendorExtras } from '../../support/sql/vendor-extras.js';

const BY = { user_id: OPERATOR, application_id: NO_APPLICATION };
const [VENDOR, OTHER] = [1, 2];
const [KNOWN, NOBODY, LATE] = ['known@example.test', 'nobody@example.test', 'late@example.test'];
const NOTHING = { erased: [], reason: null };
const TOLD = 'Nothing of this person was found, so nothing was erased. If older data';

let service: TestService;
let ledger: TestLedger;
let file: string;
beforeAll(async () => {
  service = await TestService.start();
  await service.import([user(VENDOR), product(10, VENDOR), saleOf('known', KNOWN)]);
  ledger = TestLedger.on(service.database);
  file = join(service.database.folder, 'erasures.ndjson');
});
afterAll(async () => {
  await ledger.close();
  await service.stop();
});

const erase = (email: string, vendor_id: number | null = VENDOR) =>
  service.app.get(ErasePersonService).erase(email, vendor_id, BY);
const tombstones = () => ledger.rows('SELECT vendor_id, erased_at FROM erased_people');
const linesOf = () => (existsSync(file) ? readFileSync(file, 'utf8').match(/"person"/g) : []);

function saleOf(id: string, email: string, sale_date = '2025-06-01T00:00:00Z'): object {
  const customer = { email, first_name: 'Ada', last_name: 'Byron' };
  return transaction(id, 10, { customer, sale_date });
}

const erasePath = (email: string) => `/account/people/erase?email=${email}`;

const isImporting = async () => (await ledger.rows('SELECT id FROM open_imports')).length > 0;

/** Starts an import that waits before its last record until `goOn` is called. */
function openImport(record: object): { goOn: () => void; ended: Promise<unknown> } {
  let goOn: () => void = () => undefined;
  const told = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  async function* bytes() {
    await told;
    yield Buffer.from(`${JSON.stringify(record)}\n`);
  }
  const nothing = () => undefined;
  const ended = service.app.get(ImportService).import(Readable.from(bytes()), {
    source: 'test',
    dryRun: false,
    strict: true,
    onProblem: nothing,
    onWarning: nothing,
    onProgress: nothing,
  });
  return { goOn, ended };
}

it('leaves no tombstone and no line, and says so', async () => {
  expect(await erase(NOBODY)).toEqual(NOTHING);
  expect(await erase(NOBODY, null)).toEqual(NOTHING);
  expect([await tombstones(), linesOf()]).toEqual([[], []]);
  const env = { ERASURES_FILE: file };
  const told = await ledger.cli(['people', 'erase', NOBODY, '--vendor', '1'], { env });
  expect(told).toMatchObject({ status: 0, stdout: expect.stringContaining(TOLD) });
  const json = await ledger.cli(['people', 'erase', NOBODY, '--all', '--json'], { env });
  expect(JSON.parse(json.stdout)).toEqual({
    vendor_id: null,
    sales: 0,
    recurring_payments: 0,
    found: false,
    tombstone: false,
  });
  const visitor = await Visitor.signedIn(service, VENDOR);
  const page = await visitor.get(`/account/people?email=${NOBODY}`);
  expect(page.text).toContain('If older data of this person arrives later');
  expect(page.text).not.toContain('Erase…');
  expect((await visitor.get('/account/data-protection?done=nothing')).text).toContain(TOLD);
});

it('leaves one while an import is unfinished, and what it brings is erased', async () => {
  const { goOn, ended } = openImport(saleOf('late', LATE));
  await until('the import', isImporting);
  const visitor = await Visitor.signedIn(service, VENDOR);
  const page = await visitor.get(`/account/people?email=${LATE}`);
  expect(page.text).toContain('An import is unfinished');
  const asked = await visitor.get(erasePath(LATE));
  expect(asked.text).toContain('Erase this customer?');
  const erased = await visitor.post(erasePath(LATE));
  expect([erased.status, erased.headers.location]).toEqual([
    303,
    '/account/data-protection?done=early',
  ]);
  expect(await tombstones()).toHaveLength(1);
  expect(await erase(NOBODY, null)).toMatchObject({ reason: 'early' });
  goOn();
  await ended;
  const [sale] = await ledger.rows(
    "SELECT customer_email FROM transactions WHERE transaction_id = 'late'",
  );
  expect(sale?.customer_email).toMatch(/^erased-/);
  expect(await tombstones()).toHaveLength(2);
  expect(linesOf()).toHaveLength(2);
  expect(await erase(NOBODY)).toEqual(NOTHING);
});

it('leaves at most a thousand of a vendor', async () => {
  const { goOn, ended } = openImport(saleOf('another', KNOWN));
  await until('the import', isImporting);
  await ledger.run('UPDATE early_erasures SET tombstones = 999 WHERE vendor_id = 1');
  expect(await erase(NOBODY)).toMatchObject({ reason: 'early' });
  const before = linesOf();
  const message = '1,000 people were already erased before their data';
  const visitor = await Visitor.signedIn(service, VENDOR);
  await visitor.get(erasePath(NOBODY));
  expect((await visitor.post(erasePath(NOBODY))).text).toContain(message);
  const command = ['people', 'erase', NOBODY, '--vendor', '1', '--json'];
  const refused = await ledger.cli(command, { env: { ERASURES_FILE: file } });
  expect(refused).toMatchObject({ status: 1, stdout: '' });
  expect(refused.stderr).toContain(message);
  expect(linesOf()).toEqual(before);
  goOn();
  await ended;
});

it('leaves one while the first run of an upstream is unfinished', async () => {
  await ledger.run('DELETE FROM early_erasures');
  await addVendorExtras(ledger, VENDOR, 1, 'none');
  await ledger.run('UPDATE upstreams SET last_full = NULL');
  expect(await erase(NOBODY)).toMatchObject({ reason: 'early' });
  await ledger.run("UPDATE upstreams SET last_full = '2025-01-01 00:00:00'");
  expect(await erase(NOBODY)).toEqual(NOTHING);
});

it('adds one line for a person, however often the person is erased', async () => {
  const later = new Date(Date.now() + 3_600_000).toISOString();
  await service.import([saleOf('future', KNOWN, later)]);
  const before = linesOf()?.length ?? 0;
  expect(await erase(KNOWN)).toMatchObject({ reason: 'found' });
  for (const vendor_id of [VENDOR, null]) expect(await erase(KNOWN, vendor_id)).toEqual(NOTHING);
  expect(linesOf()).toHaveLength(before + 1);
});

it('knows of the records of a source only if they take several batches', async () => {
  await service.import([user(OTHER)]);
  const during = jest.spyOn(service.app.get(OpenImportsService), 'during');
  const key = await service.sourceKey(VENDOR);
  await sendRecords(service, key, [product(11, VENDOR)]);
  expect(during).toHaveBeenCalledTimes(0);
  await sendRecords(
    service,
    key,
    Array.from({ length: 2_001 }, () => product(11, VENDOR)),
  );
  expect(during).toHaveBeenCalledTimes(1);
  // Batches are smaller while another account writes, too.
  const some = Array.from({ length: 101 }, () => product(11, VENDOR));
  await sendRecords(service, key, some);
  expect(during).toHaveBeenCalledTimes(1);
  await sendRecords(service, await service.sourceKey(OTHER), [product(20, OTHER)]);
  await sendRecords(service, key, some);
  expect(during).toHaveBeenCalledTimes(2);
  during.mockRestore();
  expect(await ledger.rows('SELECT id FROM open_imports')).toEqual([]);
});
