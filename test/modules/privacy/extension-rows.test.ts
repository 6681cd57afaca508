/** Personal data in tables of extensions: found, exported, erased, retained and swept. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Database } from '../../../src/platform/database/database.js';
import { ErasePersonService } from '../../../src/modules/privacy/people/erase-person.service.js';
import { PeopleService } from '../../../src/modules/privacy/people/people.service.js';
import { PendingErasuresService } from '../../../src/modules/privacy/people/pending-erasures.service.js';
import { ExtensionSweepCheck } from '../../../src/modules/privacy/extension-rows/extension-sweep.job.js';
import { ExtensionSweepService } from '../../../src/modules/privacy/extension-rows/extension-sweep.service.js';
import {
  RetentionLoopService,
  RetentionRunService,
} from '../../../src/modules/privacy/retention/retention-run.service.js';
import { RetentionRulesService } from '../../../src/modules/privacy/retention/retention-rules.service.js';
import { BY_OPERATOR } from '../../../src/platform/values/author.js';
import {
  product,
  recurringPayment,
  transaction,
  user,
} from '../../support/builders/ledger-records.js';
import { Visitor } from '../../support/browser/visitor.js';
import { runCli } from '../../support/processes/cli.js';
import { NOTES } from '../../support/servers/notes-extension.js';
import { TestService } from '../../support/servers/service.js';
import { dialect } from '../../support/sql/test-database.js';
import { openRaw, type RawConnection, type RawRow } from '../../support/sql/raw-connection.js';

const [VENDOR, OTHER] = [1, 2];
const EMAIL = 'Ann.Otherwood@private.example';
const OF_ANN = { email: EMAIL, first_name: 'Ann', last_name: 'O' };
const PAST = '2025-06-01 12:00:00';
const FUTURE = '2999-01-01 00:00:00';
const MANY = 1_200;

const LEDGER = [
  user(VENDOR),
  user(OTHER),
  product(10, VENDOR),
  product(20, OTHER),
  transaction('many', 10, { customer: OF_ANN }),
  transaction('upper', 10, { customer: { ...OF_ANN, email: ` ${EMAIL.toUpperCase()} ` } }),
  transaction('elsewhere', 20, { customer: OF_ANN }),
  transaction('others', 10),
  recurringPayment('PRE', 10, { contact_email: EMAIL }),
];

let service: TestService;
let raw: RawConnection;
beforeAll(async () => {
  service = await TestService.start({}, [NOTES]);
  // The background loops would empty rows, too.
  await service.app.get(RetentionLoopService).beforeApplicationShutdown();
  await service.app.get(ExtensionSweepCheck).beforeApplicationShutdown();
  raw = await openRaw(service.database.url);
  await service.import(LEDGER);
});
afterAll(async () => {
  await raw.close();
  await service.stop();
});

const TABLES = ['notes', 'notes_wishes', 'notes_contacts'];

function note(vendor_id: number, transaction_id: string, number = 1): string {
  return `(${vendor_id}, '${transaction_id}', ${number}, 'Call Ann', 'Bob', 'red')`;
}

function contact(vendor_id: number, address: string, asked = PAST): string {
  return `(${vendor_id}, '${address}', 'Ann', '${asked}')`;
}

async function addNotes(...notes: readonly string[]): Promise<void> {
  const columns = 'vendor_id, transaction_id, number, text, author, color';
  await raw.run(`INSERT INTO notes (${columns}) VALUES ${notes.join(', ')}`);
}

async function addContacts(...contacts: readonly string[]): Promise<void> {
  const columns = 'vendor_id, address, name, asked';
  await raw.run(`INSERT INTO notes_contacts (${columns}) VALUES ${contacts.join(', ')}`);
}

/** Returns the keys of the rows whose personal data is kept. */
async function kept(): Promise<string[]> {
  const rows = [
    ...(await raw.rows(
      "SELECT transaction_id AS name FROM notes WHERE text <> '' AND author = 'Bob'",
    )),
    ...(await raw.rows("SELECT pre_key AS name FROM notes_wishes WHERE wish <> ''")),
    ...(await raw.rows('SELECT address AS name FROM notes_contacts WHERE name IS NOT NULL')),
  ];
  return [...new Set(rows.map(({ name }: RawRow) => String(name)))].sort();
}

async function erase(email: string, vendor_id: number | null) {
  return service.app.get(ErasePersonService).erase(email, vendor_id, BY_OPERATOR);
}

describe('rows of extensions', () => {
  beforeAll(async () => {
    await addNotes(...Array.from({ length: MANY }, (_, number) => note(VENDOR, 'many', number)));
    await addNotes(note(VENDOR, 'upper'), note(VENDOR, 'MANY'), note(VENDOR, 'others'));
    await addNotes(note(OTHER, 'elsewhere'), note(OTHER, 'many'));
    await raw.run(`INSERT INTO notes_wishes VALUES (${VENDOR}, 'PRE', 'Send it to Ann')`);
    await addContacts(
      contact(VENDOR, `\t${EMAIL.toLowerCase()} `),
      contact(VENDOR, EMAIL, FUTURE),
      contact(VENDOR, 'Änn.Otherwood@private.example'),
      contact(OTHER, EMAIL),
    );
  });

  it('are counted with the person', async () => {
    const found = await service.app.get(PeopleService).find(EMAIL, null);
    expect(
      found.map(({ vendor_id, sales, extension_rows }) => [vendor_id, sales, extension_rows]),
    ).toEqual([
      [VENDOR, 2, MANY + 4],
      [OTHER, 1, 2],
    ]);
    const [nobody] = await service.app.get(PeopleService).find('customer@example.test', VENDOR);
    expect(nobody).toMatchObject({ sales: 1, extension_rows: 1 });
  });

  it('are counted on the page of the person', async () => {
    const visitor = await Visitor.signedIn(service, VENDOR);
    const { text } = await visitor.get(`/account/people?email=${encodeURIComponent(EMAIL)}`);
    expect(text).toMatch(new RegExp(`Records of extensions(<[^>]*>|\\s)*${MANY + 4}<`));
  });

  it('are exported with all their columns', async () => {
    let exported = '';
    for await (const part of service.app.get(PeopleService).json(EMAIL, VENDOR)) exported += part;
    const { records } = JSON.parse(exported) as { records: Record<string, unknown>[] };
    const ofType = (wanted: string) => records.filter(({ type }) => type === wanted);
    expect(ofType('notes')).toHaveLength(MANY + 1);
    expect(ofType('notes')).toContainEqual({
      vendor_id: VENDOR,
      type: 'notes',
      transaction_id: 'many',
      number: 7,
      text: 'Call Ann',
      author: 'Bob',
      color: 'red',
    });
    expect(ofType('notes_wishes')).toEqual([
      { vendor_id: VENDOR, type: 'notes_wishes', pre_key: 'PRE', wish: 'Send it to Ann' },
    ]);
    expect(ofType('notes_contacts')).toHaveLength(2);
  });

  it('are erased with the person at one vendor, and no others', async () => {
    const { erased } = await erase(EMAIL, VENDOR);
    const counts = { sales: 2, recurring_payments: 1, extension_rows: MANY + 3 };
    expect(erased).toEqual([{ vendor_id: VENDOR, ...counts }]);
    expect(await kept()).toEqual([
      EMAIL,
      'MANY',
      'elsewhere',
      'many',
      'others',
      'Änn.Otherwood@private.example',
    ]);
    const [{ address } = {}] = await raw.rows(
      'SELECT address FROM notes_contacts WHERE name IS NULL',
    );
    expect(address).toMatch(/^erased-[0-9a-f]{16}@erased\.invalid$/);
    expect(await raw.rows("SELECT COUNT(*) AS rows_left FROM notes WHERE color = 'red'")).toEqual([
      { rows_left: MANY + 5 },
    ]);
  });

  it('are changes of their kind when they are erased, so that followers forget them', async () => {
    const sql = "SELECT vendor_id, kind, record_key FROM changed_records WHERE kind LIKE 'notes%'";
    const changes = [{ vendor_id: VENDOR, kind: 'notes_wishes', record_key: 'PRE' }];
    expect(await raw.rows(sql)).toEqual(changes);
  });

  it('are erased at all vendors, also of a person without a sale', async () => {
    await addContacts(contact(OTHER, 'only@private.example'), contact(77, 'only@private.example'));
    const { reason, erased } = await erase('Only@private.example', null);
    expect(reason).toBe('found');
    expect(erased).toEqual(
      [OTHER, 77].map((vendor_id) => ({
        vendor_id,
        sales: 0,
        recurring_payments: 0,
        extension_rows: 1,
      })),
    );
    expect(await kept()).not.toContain('only@private.example');
  });

  it('do not fail an erasure if their table rejects it', async () => {
    await service.import([
      transaction('rejected', 10, { customer: { ...OF_ANN, email: 'b@private.example' } }),
    ]);
    await addContacts(contact(VENDOR, 'b@private.example'), contact(VENDOR, ' b@private.example'));
    await raw.run(
      'CREATE UNIQUE INDEX notes_contacts_once ON notes_contacts (vendor_id, address, asked)',
    );
    const { erased } = await erase('b@private.example', VENDOR);
    expect(erased).toEqual([{ vendor_id: VENDOR, sales: 1, recurring_payments: 0 }]);
    await raw.run(
      dialect === 'sqlite'
        ? 'DROP INDEX notes_contacts_once'
        : 'DROP INDEX notes_contacts_once ON notes_contacts',
    );
    await service.app.get(ExtensionSweepService).sweep();
    expect(await kept()).not.toContain(' b@private.example');
  });

  it('do not fail an erasure if a table or column no longer exists', async () => {
    await raw.run('ALTER TABLE notes_wishes RENAME TO wishes_away');
    await raw.run('ALTER TABLE notes RENAME COLUMN author TO writer');
    const { erased } = await erase(EMAIL, OTHER);
    await raw.run('ALTER TABLE notes RENAME COLUMN writer TO author');
    await raw.run('ALTER TABLE wishes_away RENAME TO notes_wishes');
    expect(erased).toMatchObject([{ vendor_id: OTHER, sales: 1, extension_rows: 2 }]);
    expect(await raw.rows("SELECT text FROM notes WHERE transaction_id = 'elsewhere'")).toEqual([
      { text: '' },
    ]);
  });
});

describe('a sweep', () => {
  beforeEach(async () => {
    for (const table of TABLES) await raw.run(`DELETE FROM ${table}`);
    await addNotes(note(VENDOR, 'many'), note(VENDOR, 'others'), note(VENDOR, 'unknown'));
    await raw.run(`INSERT INTO notes_wishes VALUES (${VENDOR}, 'PRE', 'Send it to Ann')`);
    await addContacts(contact(VENDOR, EMAIL), contact(VENDOR, EMAIL, FUTURE));
  });

  it('empties rows that were written after the erasure', async () => {
    const counts = await service.app.get(ExtensionSweepService).sweep();
    expect([...counts]).toEqual([
      ['notes', 1],
      ['notes_contacts', 1],
      ['notes_wishes', 1],
    ]);
    expect(await kept()).toEqual([EMAIL, 'others', 'unknown']);
  });

  it('runs after a replay of erasures', async () => {
    await service.app.get(PendingErasuresService).replay([]);
    expect(await kept()).toEqual([EMAIL, 'others', 'unknown']);
  });

  it('runs by a command for an extension that is not installed', async () => {
    await raw.run('ALTER TABLE notes_wishes RENAME TO wishes_away');
    const erased = await runCli(service.database.url, ['extension', 'erase', 'notes']);
    await raw.run('ALTER TABLE wishes_away RENAME TO notes_wishes');
    expect([erased.status, erased.stdout]).toEqual([
      0,
      [
        'notes: 1 rows emptied',
        'notes_contacts: 1 rows emptied',
        'notes_wishes: no personal data is declared, or the table no longer exists',
        '',
      ].join('\n'),
    ]);
    const unknown = await runCli(service.database.url, ['extension', 'erase', 'unknown']);
    const message = 'There is no table of an extension unknown.\n';
    expect([unknown.status, unknown.stdout, unknown.stderr]).toEqual([1, '', message]);
  });

  it('runs when a service starts without the extension, and in commands', async () => {
    const beside = await service.beside();
    await beside.stop();
    expect(await kept()).toEqual([EMAIL, 'others', 'unknown']);
    await addNotes(note(VENDOR, 'upper'));
    const { stdout } = await runCli(service.database.url, ['people', 'find', EMAIL]);
    expect(stdout).toBe(`Vendor ${VENDOR}: 0 sales; 0 recurring payments; 1 extension rows\n`);
    expect(await kept()).toEqual([EMAIL, 'others', 'unknown']);
  });

  it('runs with retention, which also empties old rows by e-mail', async () => {
    await service.app.get(RetentionRulesService).set({ vendor_id: VENDOR, months: 1 }, BY_OPERATOR);
    const runs = service.app.get(RetentionRunService);
    const today = '2025-08-01';
    const options = { today, signal: new AbortController().signal };
    for (const due of await runs.vendors(today, VENDOR)) await runs.run(due, options);
    expect(await kept()).toEqual([EMAIL, 'unknown']);
    expect(await raw.rows('SELECT address FROM notes_contacts ORDER BY address')).toEqual([
      { address: '' },
      { address: EMAIL },
    ]);
  });

  it('empties a row whose write overlapped the erasure', async () => {
    await service.import([transaction('race', 10, { customer: { ...OF_ANN, email: 'r@x.test' } })]);
    const written = service.app.get(Database).write(async (session) => {
      await session.run(
        `INSERT INTO notes (vendor_id, transaction_id, number, text, author, color)
          VALUES ${note(VENDOR, 'race')}`,
        [],
      );
    });
    await Promise.all([written, erase('r@x.test', VENDOR)]);
    await service.app.get(ExtensionSweepService).sweep();
    expect(await kept()).not.toContain('race');
  });
});
