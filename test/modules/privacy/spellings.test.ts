/**
 * Finds and erases people in every spelling of their e-mails, with the same few statements each
 * time.
 */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import SqliteConnection from 'better-sqlite3';
import { createConnection } from 'mysql2/promise';
import { Database, type Session } from '../../../src/platform/database/database.js';
import { spelledAlike } from '../../../src/platform/database/entities/spellings.js';
import { ErasePersonService } from '../../../src/modules/privacy/people/erase-person.service.js';
import { PeopleService } from '../../../src/modules/privacy/people/people.service.js';
import type { FoundPerson } from '../../../src/modules/privacy/people/people.model.js';
import { PersonSubscriptionsService } from '../../../src/modules/recurring/person-subscriptions.service.js';
import { PersonSalesService } from '../../../src/modules/transactions/person-sales.service.js';
import {
  product,
  recurringPayment,
  transaction,
  user,
} from '../../support/builders/ledger-records.js';
import { TestLedger } from '../../support/builders/test-ledger.js';
import { TestService } from '../../support/servers/service.js';
import { rowsRead } from '../../support/sql/plans.js';
import { StatementLog, type Statement } from '../../support/sql/statements.js';
import { dialect } from '../../support/sql/test-database.js';

const BY = { user_id: 0, application_id: 0 };
const [VENDOR, EVEN, MANY] = [1, 2, 3];
const EMAIL = 'anna.änder-1@private.example';

/** Every character that JavaScript removes from the ends of a text. */
const SPACES = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code)).filter(
  (character) => character.trim() === '',
);
/**
 * The last ones belong to other people, although some rules would treat them as equal to the first.
 */
const SPELLINGS = [
  EMAIL,
  'Anna.änder-1@Private.EXAMPLE',
  ` ${EMAIL}`,
  `${EMAIL}  `,
  `   Anna${EMAIL.slice(4)} `,
  ...SPACES.flatMap((space) => [`${space}${EMAIL}`, `ANNA${EMAIL.slice(4)}${space}`]),
  `${SPACES.join('')}${EMAIL}${SPACES.join('')}`,
  EMAIL.replace('ä', 'Ä'),
  EMAIL.replace('ä', 'a'),
  EMAIL.replace('.', '. '),
  `+${EMAIL}`,
  EMAIL.replace('i', 'İ'),
  EMAIL.replace('i', 'ı'),
  EMAIL.replace('e', 'Ｅ'),
  `${EMAIL}.org`,
  'ΣΑΣ@private.example',
  'σας@private.example',
  '\u212aim@private.example',
  'kim@private.example',
  'it’s@private.example',
  'a"b@private.example',
  '😀Ä@private.example',
  '\u180ex@private.example',
];
const EMAIL_COLUMNS = {
  transactions: ['customer_email', 'customer_processor_email'],
  recurring_payments: ['processor_email', 'contact_email', 'sender_email'],
} as const;

const INDEXES = [
  'transactions_by_customer',
  'transactions_by_customer_email_folded',
  'transactions_by_processor_email',
  'transactions_by_customer_processor_email_folded',
  ...['processor_email', 'contact_email', 'sender_email'].flatMap((column) => [
    `recurring_payments_by_${column}`,
    `recurring_payments_by_${column}_folded`,
  ]),
];

/** Texts with letters in every case, so that an index has many texts between two spellings. */
const MANY_SPELLINGS = Array.from({ length: 256 }, (_, bits) =>
  Array.from('anna.nan')
    .map((letter, at) => (bits & (1 << at) ? letter.toUpperCase() : letter))
    .join(''),
);

const SOUGHT = 'anna.nan77@private.example';

let service: TestService;
let ledger: TestLedger;
let people: PeopleService;
beforeAll(async () => {
  service = await TestService.start();
  ledger = TestLedger.on(service.database);
  people = service.app.get(PeopleService);
  const mixed = MANY_SPELLINGS.map((name, index) =>
    transaction(`many-${index}`, 30, {
      customer: {
        email: `${name}${index}@private.example`,
        first_name: 'A',
        last_name: 'N',
        processor_email: `${name}-${index}@private.example`,
      },
    }),
  );
  await service.import([
    user(VENDOR),
    user(EVEN),
    user(MANY),
    product(10, VENDOR),
    product(20, EVEN),
    product(30, MANY),
    ...SPELLINGS.map((_, index) => transaction(`sale-${index}`, 10)),
    ...SPELLINGS.map((_, index) => recurringPayment(`PRE-${index}`, 10)),
    ...mixed,
    ...MANY_SPELLINGS.map((name, index) =>
      recurringPayment(`MANY-${index}`, 30, {
        processor_email: `${name}${index}@private.example`,
        contact_email: `${name}-${index}@private.example`,
        sender_email: `${name}.${index}@private.example`,
      }),
    ),
    transaction('even', 20, { customer: { email: SOUGHT, first_name: 'A', last_name: 'N' } }),
    recurringPayment('EVEN', 20, { processor_email: SOUGHT }),
  ]);
});
afterAll(async () => {
  await ledger.close();
  await service.stop();
});

/**
 * Spells each e-mail column of the row differently, as an instance without the folded columns does.
 */
async function spellAll(): Promise<void> {
  const quoted = SPELLINGS.map((email) => `'${email.replaceAll("'", "''")}'`);
  const at = (index: number) => quoted[index % quoted.length] ?? '';
  for (const [index] of SPELLINGS.entries()) {
    for (const [table, columns] of Object.entries(EMAIL_COLUMNS)) {
      const key = table === 'transactions' ? 'transaction_id' : 'pre_key';
      const id = table === 'transactions' ? `sale-${index}` : `PRE-${index}`;
      const set = columns.map((column, shift) => `${column} = ${at(index + 7 * shift)}`);
      await ledger.run(`UPDATE ${table} SET ${set.join(', ')} WHERE ${key} = '${id}'`);
    }
  }
}

/** Returns the numbers of sales and subscriptions of a person, counted one by one. */
function expectedOf(email: string): Pick<FoundPerson, 'sales' | 'recurring_payments'> {
  const isPerson = SPELLINGS.map((spelling) => spelledAlike(spelling) === spelledAlike(email));
  const count = (columns: number) =>
    SPELLINGS.filter((_, index) =>
      Array.from({ length: columns }, (_, shift) => (index + 7 * shift) % isPerson.length).some(
        (at) => isPerson[at],
      ),
    ).length;
  return { sales: count(2), recurring_payments: count(3) };
}

async function foundOf(email: string): Promise<Pick<FoundPerson, 'sales' | 'recurring_payments'>> {
  const [found] = await people.find(email, VENDOR);
  return { sales: found?.sales ?? 0, recurring_payments: found?.recurring_payments ?? 0 };
}

describe('people whose e-mails are spelled in every way', () => {
  it('are found by each spelling', async () => {
    await spellAll();
    for (const email of SPELLINGS)
      expect([email, await foundOf(email)]).toEqual([email, expectedOf(email)]);
  });

  it('are erased with every spelling, also where several e-mails of a record are theirs', async () => {
    const { sales, recurring_payments } = expectedOf(EMAIL);
    const erasure = { vendor_id: VENDOR, email: EMAIL, until: '2030-01-01 00:00:00' };
    const gone = { ...erasure, address: 'gone@erased.invalid' };
    const sold = service.app.get(PersonSalesService);
    const subscribed = service.app.get(PersonSubscriptionsService);
    await service.app.get(Database).writeErasing(async (session: Session) => {
      await sold.lock(session, VENDOR);
      // A full part means that there may be more.
      const ids = await sold.idsUntil(session, erasure, 40);
      expect(ids).toHaveLength(40);
      await sold.erase(session, gone, ids);
      const keys = await subscribed.keysUntil(session, erasure, 40);
      expect(await subscribed.erase(session, gone, keys)).toBe(40);
    });
    const { erased } = await service.app.get(ErasePersonService).erase(EMAIL, VENDOR, BY);
    expect(erased).toEqual([
      {
        vendor_id: VENDOR,
        sales: sales - 40,
        recurring_payments: recurring_payments - 40,
      },
    ]);
    expect(await foundOf(EMAIL)).toEqual({ sales: 0, recurring_payments: 0 });
    for (const [table, columns] of Object.entries(EMAIL_COLUMNS)) {
      const rows = await ledger.rows(`SELECT * FROM ${table} WHERE vendor_id = ${VENDOR}`);
      const folded = columns.map((column) => `${column}_folded`);
      const left = rows.flatMap((row) => [...columns, ...folded].map((name) => String(row[name])));
      expect(left.filter((email) => spelledAlike(email) === EMAIL)).toEqual([]);
      expect(Object.keys(rows[0] ?? {})).toEqual(expect.arrayContaining(folded));
    }
  });

  it('are found with the same statements, which read nothing else, however others are spelled', async () => {
    const log = await StatementLog.of(service);
    const [even, many] = [() => people.find(SOUGHT, EVEN), () => people.find(SOUGHT, MANY)];
    expect(await many()).toMatchObject([{ vendor_id: MANY, sales: 1, recurring_payments: 1 }]);
    const sent = await log.allDuring(many);
    expect(sent).toHaveLength((await log.allDuring(even)).length);
    const lookups = sent.filter(({ sql }) => sql.includes('vendor_id = ?'));
    const each = [...new Map(lookups.map((statement) => [statement.sql, statement])).values()];
    if (dialect === 'sqlite') usesIndexes(each);
    else await readsFew(each);
  });
});

function usesIndexes(statements: readonly Statement[]): void {
  const connection = new SqliteConnection(service.database.url.slice('sqlite:'.length));
  const indexes = statements.map(({ sql, values }) => {
    const plan = connection.prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`);
    const details = plan.all(...values).map(({ detail }) => detail);
    return /^SEARCH \w+ USING (?:COVERING )?INDEX (\w+) /.exec(details.join('; '))?.[1];
  });
  connection.close();
  expect(indexes).toEqual(INDEXES);
}

async function readsFew(statements: readonly Statement[]): Promise<void> {
  const connection = await createConnection(service.database.url);
  for (const statement of statements) expect(await rowsRead(connection, statement)).toBeLessThan(5);
  await connection.end();
}
