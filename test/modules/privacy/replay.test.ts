/** Data that a restored backup contains is erased again before the service starts. */
import { randomBytes } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { NO_APPLICATION, OPERATOR } from '../../../src/platform/values/author.js';
import { ErasePersonService } from '../../../src/modules/privacy/people/erase-person.service.js';
import { PeopleService } from '../../../src/modules/privacy/people/people.service.js';
import { PersonCipher } from '../../../src/modules/privacy/tombstones/person-keys.service.js';
import { product, transaction, user } from '../../support/builders/ledger-records.js';
import { TestLedger } from '../../support/builders/test-ledger.js';
import { TestService } from '../../support/servers/service.js';

const BY = { user_id: OPERATOR, application_id: NO_APPLICATION };
const EMAIL = 'customer@example.test';
const GONE = 'gone@example.test';
const LEDGER = [user(1), user(2), product(10, 1), product(20, 2)];
const SALES = [transaction('A', 10), transaction('B', 20)];

let service: TestService;
let ledger: TestLedger;
let file: string;
beforeAll(async () => {
  service = await TestService.start();
  const customer = { email: GONE, first_name: 'Ada', last_name: 'Byron' };
  await service.import([...LEDGER, ...SALES, transaction('C', 20, { customer })]);
  ledger = TestLedger.on(service.database);
  file = join(service.database.folder, 'erasures.ndjson');
});
afterAll(async () => {
  await ledger.close();
  await service.stop();
});

const salesOf = async (email: string) => service.app.get(PeopleService).find(email, null);

/** Restores the database as in a backup from before the first erasure. */
async function restore(): Promise<void> {
  for (const table of ['erased_people', 'person_keys', 'audit_log']) {
    await ledger.run(`DELETE FROM ${table}`);
  }
  await service.import(SALES);
}

it('starts while the database has what the file has', async () => {
  await service.app.get(ErasePersonService).erase(EMAIL, 1, BY);
  await service.app.get(ErasePersonService).erase(GONE, null, BY);
  await (await service.beside()).app.close();
  expect(await salesOf(EMAIL)).toMatchObject([{ vendor_id: 2 }]);
});

it('does not start after a restore, and says how to go on', async () => {
  await ledger.run("UPDATE transactions SET customer_email = 'x@example.test' WHERE vendor_id = 1");
  await restore();
  expect(await salesOf(EMAIL)).toMatchObject([{ vendor_id: 1 }, { vendor_id: 2 }]);
  await expect(service.beside()).rejects.toThrow('npm run cli -- people replay');
});

it('erases again by people replay, and then starts', async () => {
  const { stdout, status } = await ledger.cli(['people', 'replay', '--json'], {
    env: { ERASURES_FILE: file },
  });
  expect(status).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ erasures: 2, added: 2, people: 1, sales: 1 });
  await (await service.beside()).app.close();
  await service.import(SALES);
  expect(await salesOf(EMAIL)).toMatchObject([{ vendor_id: 2 }]);
  expect((await ledger.cli(['verify'])).status).toBe(0);
});

it('writes the file again from the database, if it is lost', async () => {
  const before = readFileSync(file, 'utf8');
  rmSync(file);
  await (await service.beside()).app.close();
  const people = (text: string) => [...new Set(text.match(/"person":"[^"]+"/g))].sort();
  expect(people(readFileSync(file, 'utf8'))).toEqual(people(before));
});

it('goes on with an erasure that was interrupted', async () => {
  const erased = await ledger.rows('SELECT customer_email FROM transactions WHERE vendor_id = 1');
  await restore();
  // Only the tombstone is committed.
  const [, line = ''] = /(\{"vendor_id":1[^\n]+)/.exec(readFileSync(file, 'utf8')) ?? [];
  const { person, erased_at } = JSON.parse(line) as { person: string; erased_at: string };
  await ledger.run(
    `INSERT INTO erased_people (vendor_id, person, erased_at, is_pending) VALUES (1, '${person}', '${erased_at}', 1)`,
  );
  await ledger.cli(['people', 'replay'], { env: { ERASURES_FILE: file } });
  const now = await ledger.rows('SELECT customer_email FROM transactions WHERE vendor_id = 1');
  expect(now).toEqual(erased);
  expect(await ledger.rows('SELECT * FROM erased_people WHERE is_pending = 1')).toEqual([]);
});

describe('people erase', () => {
  const erase = (ERASURES_FILE: string) =>
    ledger.cli(['people', 'erase', EMAIL, '--all'], { env: { ERASURES_FILE } });

  it('says that the file cannot be used, and so does the start', async () => {
    const below = join(file, 'below.ndjson');
    const told = 'ERASURES_FILE: the file cannot be read (ENOTDIR).';
    expect(await erase(below)).toEqual({ status: 1, stdout: '', stderr: `${told}\n` });
    await expect(service.beside({ ERASURES_FILE: below })).rejects.toThrow(told);
    expect(await salesOf(EMAIL)).toMatchObject([{ vendor_id: 2 }]);
  });

  it('writes nothing into the file of another database', async () => {
    const foreign = join(service.database.folder, 'foreign.ndjson');
    const secret = service.app.get(PersonCipher).encryptKey(randomBytes(32));
    writeFileSync(foreign, `${JSON.stringify({ secret })}\n`);
    const { status, stderr } = await erase(foreign);
    expect([status, stderr]).toEqual([
      1,
      'ERASURES_FILE: the erasures in it are of another database.\n',
    ]);
    expect(readFileSync(foreign, 'utf8')).toBe(`${JSON.stringify({ secret })}\n`);
    expect(await salesOf(EMAIL)).toMatchObject([{ vendor_id: 2 }]);
  });
});
