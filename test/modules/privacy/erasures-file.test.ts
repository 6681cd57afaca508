/**
 * The file of erasures beside the database: a start reads it, adds to it and continues unfinished
 * erasures.
 */
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { Database } from '../../../src/platform/database/database.js';
import { NO_APPLICATION, OPERATOR } from '../../../src/platform/values/author.js';
import { ErasePersonService } from '../../../src/modules/privacy/people/erase-person.service.js';
import { ErasuresCheckService } from '../../../src/modules/privacy/people/erasures-check.job.js';
import { product, transaction, user } from '../../support/builders/ledger-records.js';
import { TestLedger } from '../../support/builders/test-ledger.js';
import { TestService } from '../../support/servers/service.js';

const BY = { user_id: OPERATOR, application_id: NO_APPLICATION };
const EMAIL = 'customer@example.test';
const MANY = 2_500;
const OWN_TABLES = /erased_people|erasure_files|person_keys/;
const ERASED_AT = '2020-01-01 00:00:00';

let service: TestService;
let ledger: TestLedger;
let file: string;
beforeAll(async () => {
  service = await TestService.start();
  const [vendor, other] = [user(1), user(2)];
  await service.import([vendor, other, product(10, 1), product(20, 2), transaction('A', 10)]);
  await service.import([transaction('B', 10, { customer: personOf('b@example.test') })]);
  ledger = TestLedger.on(service.database);
  file = join(service.database.folder, 'erasures.ndjson');
});
afterAll(async () => {
  await ledger.close();
  await service.stop();
});

const personOf = (email: string) => ({ email, first_name: 'Ada', last_name: 'Byron' });
const tombstone = (vendor_id: number, number: number) => {
  return { vendor_id, person: number.toString(16).padStart(64, '0'), erased_at: ERASED_AT };
};
const linesOf = (path: string) => readFileSync(path, 'utf8').trim().split(/\n+/);
const emailsOf = async (id: string) =>
  ledger.rows(`SELECT customer_email FROM transactions WHERE transaction_id = '${id}'`);
const recorded = () => ledger.rows('SELECT * FROM erasure_files ORDER BY seen, bytes');

/** Stores tombstones as an instance of the previous version does. */
async function storeWithoutNumber(tombstones: readonly ReturnType<typeof tombstone>[]) {
  const values = tombstones.map(
    ({ vendor_id, person, erased_at }) => `(${vendor_id}, '${person}', '${erased_at}', 0)`,
  );
  await ledger.run(
    `INSERT INTO erased_people (vendor_id, person, erased_at, is_pending) VALUES ${values.join()}`,
  );
}

/** @returns the cost of the check at a start: bytes of the file, and statements */
async function costOfStart(): Promise<{ read: number; statements: number }> {
  const select = jest.spyOn(service.app.get(Database), 'select');
  const { read } = await service.app.get(ErasuresCheckService).check();
  // Background work reads other tables meanwhile.
  const statements = select.mock.calls.filter(([sql]) => OWN_TABLES.test(sql)).length;
  select.mockRestore();
  return { read, statements };
}

it('begins with an id, and the database records how far it was compared', async () => {
  await service.app.get(ErasePersonService).erase(EMAIL, 1, BY);
  const [head = '', secret, line] = linesOf(file);
  expect(head).toMatch(/^\{"erasures_file":"[0-9a-f]{32}"\}$/);
  expect(secret).toContain('"secret"');
  expect(line).toContain('"vendor_id":1');
  const { erasures_file: id } = JSON.parse(head) as { erasures_file: string };
  const bytes = readFileSync(file).length;
  const [row] = await recorded();
  expect(row).toMatchObject({ id });
  expect([Number(row?.entries), Number(row?.bytes)]).toEqual([1, bytes]);
});

it('of the previous version gets an id once, and then a start costs as little as before', async () => {
  const few = await costOfStart();
  expect(few.read).toBe(0);
  const many = Array.from({ length: MANY }, (_, at) => tombstone((at % 2) + 1, at + 1));
  for (let at = 0; at < MANY; at += 500) await storeWithoutNumber(many.slice(at, at + 500));
  const [, ...old] = linesOf(file);
  const before = [...old, ...many.map((each) => JSON.stringify(each))];
  writeFileSync(file, `${before.join('\n')}\n{"vendor_id":1,"pers`);
  const first = await costOfStart();
  expect(first.read).toBeGreaterThan(MANY * 100);
  const after = linesOf(file);
  expect(after[0]).toContain('erasures_file');
  expect(new Set(after.slice(1))).toEqual(new Set(before));
  expect(after).toHaveLength(before.length + 1);
  expect(await costOfStart()).toEqual(few);
});

it('reads on where instances of the previous version have added lines', async () => {
  const [theirs, elsewhere] = [tombstone(1, 90_001), tombstone(2, 90_002)];
  await storeWithoutNumber([theirs, elsewhere]);
  const text = `\n${JSON.stringify(theirs)}\n`;
  writeFileSync(file, text, { flag: 'a' });
  expect((await costOfStart()).read).toBe(text.length);
  expect(linesOf(file)).toContain(JSON.stringify(elsewhere));
  const others = join(service.database.folder, 'others.ndjson');
  await (await service.beside({ ERASURES_FILE: others })).app.close();
  const people = (path: string) => new Set(readFileSync(path, 'utf8').match(/"person":"[^"]+"/g));
  expect(people(others)).toEqual(people(file));
  expect((await costOfStart()).read).toBe(0);
});

it('goes on after a crash between the steps of an erasure', async () => {
  const begin = join(service.database.folder, 'begin.ndjson');
  copyFileSync(file, begin);
  await service.app.get(ErasePersonService).erase('b@example.test', 1, BY);
  const [erased, line] = [await emailsOf('B'), linesOf(file).at(-1)];
  const crash = async () => {
    await ledger.run('UPDATE erased_people SET is_pending = 1 WHERE number = ' + (await last()));
    await ledger.run(
      "UPDATE transactions SET customer_email = 'b@example.test' WHERE transaction_id = 'B'",
    );
  };
  // The file and the database have the tombstone, and the rows are not erased yet.
  await crash();
  await (await service.beside()).app.close();
  expect(await emailsOf('B')).toEqual(erased);
  // Only the database has the tombstone.
  copyFileSync(begin, file);
  await crash();
  await (await service.beside()).app.close();
  expect(await emailsOf('B')).toEqual(erased);
  expect(linesOf(file)).toContain(line);
  expect(await ledger.rows('SELECT * FROM erased_people WHERE is_pending <> 2')).toEqual([]);
});

async function last(): Promise<string> {
  const [row] = await ledger.rows('SELECT MAX(number) AS number FROM erased_people');
  return String(row?.number);
}

it('is read wholly where a restored database knows less of it', async () => {
  const [row] = await ledger.rows('SELECT MAX(bytes) AS bytes FROM erasure_files');
  await ledger.run('DELETE FROM erased_people WHERE number = ' + (await last()));
  expect(Number(row?.bytes)).toBeGreaterThan(0);
  await expect(service.beside()).rejects.toThrow('npm run cli -- people replay');
  const { stdout } = await ledger.cli(['people', 'replay', '--json'], {
    env: { ERASURES_FILE: file },
  });
  expect(JSON.parse(stdout)).toMatchObject({ added: 1 });
  await (await service.beside()).app.close();
  expect((await costOfStart()).read).toBe(0);
});
