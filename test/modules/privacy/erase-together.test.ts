/** Erases a customer while the ledger is imported and records of the same customer arrive. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { NO_APPLICATION, OPERATOR } from '../../../src/platform/values/author.js';
import { ErasePersonService } from '../../../src/modules/privacy/people/erase-person.service.js';
import { product, transaction, user } from '../../support/builders/ledger-records.js';
import { TestLedger } from '../../support/builders/test-ledger.js';
import { dumpOf, tracesIn } from '../../support/sql/person-traces.js';
import { TestService } from '../../support/servers/service.js';

const BY = { user_id: OPERATOR, application_id: NO_APPLICATION };
const VENDOR = 1;
const PERSON = { email: 'quillonia@private.example', first_name: 'Quillonia', last_name: 'V' };
/** These are several batches of an import, each with sales of the person. */
const SALES = 6_000;

let service: TestService;
let ledger: TestLedger;
beforeAll(async () => {
  service = await TestService.start();
  await service.import([user(VENDOR), product(10, VENDOR)]);
  ledger = TestLedger.on(service.database);
});
afterAll(async () => {
  await ledger.close();
  await service.stop();
});

function sales(name: string): object[] {
  return Array.from({ length: SALES }, (_, index) =>
    transaction(`${name}-${index}`, 10, index % 3 === 0 ? { customer: PERSON } : {}),
  );
}

it('leaves nothing, whichever of an import and an erasure comes first', async () => {
  await service.import(sales('before').slice(0, 900));
  const erasing = service.app.get(ErasePersonService);
  const [, { erased }] = await Promise.all([
    service.import(sales('beside')),
    erasing.erase(PERSON.email, VENDOR, BY),
  ]);
  expect(erased).toHaveLength(1);
  expect(erased[0]?.sales).toBeGreaterThanOrEqual(300);
  await service.import(sales('after'));
  expect(tracesIn(await dumpOf(ledger, VENDOR), ['quillonia'])).toEqual([]);
  const [counted] = await ledger.rows(
    "SELECT COUNT(*) AS count FROM transactions WHERE customer_email LIKE 'erased-%@erased.invalid'",
  );
  expect(Number(counted?.count)).toBe(300 + (2 * SALES) / 3);
  expect(await ledger.cli(['verify'])).toMatchObject({ status: 0, stderr: '' });
});
