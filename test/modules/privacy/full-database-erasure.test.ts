/** A database runs out of space while a person is erased, and at the next start. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Database } from '../../../src/platform/database/database.js';
import { NO_APPLICATION, OPERATOR } from '../../../src/platform/values/author.js';
import { ErasePersonService } from '../../../src/modules/privacy/people/erase-person.service.js';
import { ErasuresCheckService } from '../../../src/modules/privacy/people/erasures-check.job.js';
import { product, transaction, user } from '../../support/builders/ledger-records.js';
import { TestLedger } from '../../support/builders/test-ledger.js';
import { TestService } from '../../support/servers/service.js';

const BY = { user_id: OPERATOR, application_id: NO_APPLICATION };
const EMAIL = 'customer@example.test';
/** After so many failures in a row, the last page of the table is full. */
const FAILURES = 30;
const UNLIMITED = 1_073_741_823;
const NEW_ROWS = {
  erased_people: `INSERT INTO erased_people (vendor_id, person, erased_at, is_pending)
    VALUES (99, lower(hex(randomblob(32))), '2020-01-01 00:00:00', 2)`,
  audit_log: `INSERT INTO audit_log (created, user_id, application_id, action, subject, state_after)
    SELECT created, user_id, application_id, action, '', '' FROM audit_log LIMIT 1`,
};

let service: TestService;
let ledger: TestLedger;
let file: string;
beforeAll(async () => {
  service = await TestService.start();
  await service.import([user(1), product(10, 1), transaction('A', 10)]);
  ledger = TestLedger.on(service.database);
  file = join(service.database.folder, 'erasures.ndjson');
});
afterAll(async () => {
  await ledger.close();
  await service.stop();
});

const limitPages = (pages: number) =>
  service.app
    .get(Database)
    .write((session) => session.select(`PRAGMA max_page_count = ${pages}`, []));
const emails = () => ledger.rows('SELECT customer_email FROM transactions');

/** Leaves no space for another row of this table. */
async function fill(table: keyof typeof NEW_ROWS): Promise<void> {
  await limitPages(1);
  for (let failures = 0; failures < FAILURES;) {
    try {
      await service.app.get(Database).write((session) => session.run(NEW_ROWS[table], []));
      failures = 0;
    } catch (error) {
      expect(error).toMatchObject({ code: 'SQLITE_FULL' });
      failures += 1;
    }
  }
}

it('keeps no tombstone of an erasure that it cannot store, and the service starts', async () => {
  await fill('erased_people');
  const erasing = service.app.get(ErasePersonService).erase(EMAIL, 1, BY);
  await expect(erasing).rejects.toMatchObject({ code: 'SQLITE_FULL' });
  expect(existsSync(file)).toBe(false);
  expect(await emails()).toEqual([{ customer_email: EMAIL }]);
  await (await service.beside()).app.close();
  await limitPages(UNLIMITED);
});

it('starts with an erasure that it has no space for, and ends it later', async () => {
  await service.app.get(ErasePersonService).erase(EMAIL, 1, BY);
  const [erased] = await emails();
  await ledger.run('UPDATE erased_people SET is_pending = 1 WHERE vendor_id = 1');
  await ledger.run(`UPDATE transactions SET customer_email = '${EMAIL}'`);
  await fill('audit_log');
  const check = service.app.get(ErasuresCheckService);
  await check.check();
  expect(await emails()).toEqual([{ customer_email: EMAIL }]);
  await limitPages(UNLIMITED);
  await check.check();
  expect(await emails()).toEqual([erased]);
  expect(await ledger.rows('SELECT * FROM erased_people WHERE is_pending = 1')).toEqual([]);
});
