import { readdirSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { InternationalEmails1766790000000 } from '../../../src/database/migrations/1766790000000-international-emails.js';
import { RecurringTexts1766900000000 } from '../../../src/database/migrations/1766900000000-recurring-texts.js';
import { AffiliatesOfVendors1767000000000 } from '../../../src/database/migrations/1767000000000-affiliates-of-vendors.js';
import { FoldedEmails1767400000000 } from '../../../src/database/migrations/1767400000000-folded-emails.js';
import { MIGRATIONS } from '../../../src/database/migrations/index.js';
import type { Ended } from '../../support/processes/cli.js';
import { EXTENSIONS } from '../../../src/extensions.js';
import {
  affiliation,
  clicks,
  product,
  recurringPayment,
  transaction,
  user,
} from '../../support/builders/ledger-records.js';
import { createEmptyDatabase, dialect } from '../../support/sql/test-database.js';
import { summaryOf, TestLedger } from '../../support/builders/test-ledger.js';
import { migrateUntil, runMigration } from '../../support/sql/run-migration.js';
import { timeToGoWrong } from '../../support/processes/time-to-go-wrong.js';

const LOCK_TABLE =
  'CREATE TABLE migration_lock (id INTEGER NOT NULL PRIMARY KEY, holder VARCHAR(36) NOT NULL, expires_at BIGINT NOT NULL)';
const NOW = dialect === 'sqlite' ? "CAST(strftime('%s', 'now') AS INTEGER)" : 'UNIX_TIMESTAMP()';

const ALL_MIGRATIONS = [...MIGRATIONS, ...EXTENSIONS.flatMap(({ migrations }) => migrations)];

let ledger: TestLedger;
beforeEach(async () => {
  ledger = TestLedger.on(await createEmptyDatabase());
});
afterEach(() => ledger.drop());

async function lockUntil(seconds: number): Promise<void> {
  await ledger.run(LOCK_TABLE);
  await ledger.run(
    `INSERT INTO migration_lock VALUES (1, 'another instance', ${NOW} + ${seconds})`,
  );
}

async function applied(): Promise<number> {
  return (await ledger.rows('SELECT name FROM migrations')).length;
}

/** Inserts a row in the earlier form of the table, without its texts and with a price of 47.00. */
function rowOfPayment({ key, ...own }: Readonly<Record<string, string>>) {
  const texts = ['processor_email', 'contact_email', 'sender_email', 'ip', 'referrer'];
  const numbers = [
    'id',
    'current_payments',
    'max_number_of_payments',
    'max_total_of_all_payments',
    'max_amount_per_payment',
    'payment_period',
    'payment_count',
    'payment_first_payout',
    'has_payment_trial',
    'payment_trial_price',
    'payment_trial_period',
    'payment_trial_payout',
    'current_payments_amount',
  ];
  const row = Object.entries({
    pre_key: key ?? '',
    ...own,
    product_id: 10,
    vendor_id: 1,
    price: 4700,
    ...Object.fromEntries(texts.map((name) => [name, ''])),
    ...Object.fromEntries(numbers.map((name) => [name, 1])),
    created: '2025-06-01 12:00:00',
    last_date: '2025-06-01 12:00:00',
  });
  const values = row.map(([, value]) => (typeof value === 'string' ? `'${value}'` : value));
  return { columns: row.map(([name]) => name).join(', '), values: values.join(', ') };
}

describe('The migrations', () => {
  it('run once if four processes start at once on an empty database', async () => {
    const starts = [1, 2, 3, 4].map((id) => ledger.import([user(id)]));
    for (const { status, stderr } of await Promise.all(starts)) {
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    }
    expect((await ledger.dump()).users).toHaveLength(4);
    expect(await applied()).toBe(ALL_MIGRATIONS.length);
    expect(await ledger.rows('SELECT id FROM migration_lock')).toEqual([]);
  });

  it('ignore the lock of an instance that died', async () => {
    await lockUntil(-1);
    expect(await ledger.cli(['verify'])).toMatchObject({ status: 0, stderr: '' });
    expect(await applied()).toBe(ALL_MIGRATIONS.length);
  });

  it('wait for the lock of a running instance', async () => {
    await lockUntil(3_600);
    const start = ledger.cli(['verify']);
    await timeToGoWrong(2_500);
    const tables = dialect === 'sqlite' ? 'sqlite_master' : 'information_schema.tables';
    const column = dialect === 'sqlite' ? 'name' : 'table_schema = DATABASE() AND table_name';
    expect(await ledger.rows(`SELECT 1 AS found FROM ${tables} WHERE ${column} = 'users'`)).toEqual(
      [],
    );
    await ledger.run('DELETE FROM migration_lock');
    expect(await start).toMatchObject({ status: 0, stderr: '' });
  });

  it('add the e-mail of the buyer at the processor to a ledger of an earlier version', async () => {
    const sale = transaction('sale', 10);
    await ledger.mustImport([user(1), product(10, 1), sale]);
    const folded = 'customer_processor_email_folded';
    for (const index of ['transactions_by_processor_email', `transactions_by_${folded}`]) {
      await ledger.run(`DROP INDEX ${index}${dialect === 'sqlite' ? '' : ' ON transactions'}`);
    }
    await ledger.run(`ALTER TABLE transactions DROP COLUMN ${folded}`);
    await ledger.run('ALTER TABLE transactions DROP COLUMN customer_processor_email');
    await ledger.run('ALTER TABLE users DROP COLUMN processor_email');
    await ledger.run(
      "ALTER TABLE users ADD COLUMN processor_email VARCHAR(255) NOT NULL DEFAULT 'old@example.test'",
    );
    await ledger.run("DELETE FROM migrations WHERE name = 'BuyersProcessorEmail1764500000000'");
    const result = await ledger.import([user(2), sale], '--json');
    expect(summaryOf(result)).toMatchObject({
      user: { inserted: 1 },
      transaction: { unchanged: 1 },
    });
    const customer = { ...sale.customer, processor_email: 'ada@processor.test' };
    const changed = await ledger.import([{ ...sale, customer }], '--json');
    expect(summaryOf(changed)).toMatchObject({ transaction: { updated: 1 } });
    const { transactions, users } = await ledger.dump();
    expect(transactions).toMatchObject([{ customer_processor_email: 'ada@processor.test' }]);
    expect(users?.at(-1)).toMatchObject({ id: 2, processor_email: '' });
  });

  it('give the records of an earlier version no version, so that the next one applies', async () => {
    const stored = [user(1), product(10, 1), transaction('sale', 10)];
    await ledger.mustImport(stored);
    const tables = ['users', 'products', 'affiliations', 'recurring_payments', 'transactions'];
    for (const table of [...tables, 'daily_clicks']) {
      await ledger.run(`ALTER TABLE ${table} DROP COLUMN record_version`);
    }
    await ledger.run("DELETE FROM migrations WHERE name = 'RecordVersions1765200000000'");
    const first = stored.map((record) => ({ ...record, record_version: 1 }));
    const result = await ledger.import([...stored, ...first, ...stored], '--json');
    const counts = { unchanged: 2, stale: 1, rejected: 0 };
    expect(summaryOf(result)).toMatchObject({ user: counts, product: counts, transaction: counts });
    expect(result.status).toBe(0);
  });

  it('give the e-mails of international domains the form that is compared', async () => {
    const emails = ['ida@bücher.example', 'jo@xn--bcher-kva.example', 'ann@example.test'];
    await ledger.mustImport(emails.map((email, index) => user(index + 1, { email })));
    await ledger.run('UPDATE users SET sign_in_email = email');
    await runMigration(ledger.database.url, new InternationalEmails1766790000000());
    expect(await ledger.rows('SELECT sign_in_email FROM users ORDER BY id')).toEqual(
      ['ida@bücher.example', 'jo@bücher.example', 'ann@example.test'].map((sign_in_email) => ({
        sign_in_email,
      })),
    );
  });

  it('move what is due from the next payment, which was a date-time, to the next date', async () => {
    await migrateUntil(ledger.database.url, RecurringTexts1766900000000);
    const [id, name] = [1, "'x'"];
    await ledger.run(`INSERT INTO users (id, name, email, processor_email, status, sign_in_email)
      VALUES (${id}, ${name}, ${name}, '', 'active', '')`);
    await ledger.run(`INSERT INTO products (id, vendor_id, name) VALUES (10, ${id}, ${name})`);
    const stored = [
      ['P-1', 'ACTIVE', '2031-05-04 03:02:01', '2031-06-04 00:00:00'],
      ['p-1', 'ACTIVE', '2031-05-04 03:02:01', '2031-05-04 03:02:01'],
      ['P-1 ', 'CANCELED', '2031-05-04 00:00:00', '2031-06-04 23:59:59'],
    ] as const;
    for (const [key, status, next_payment, next_date] of stored) {
      const { columns, values } = rowOfPayment({ key, status, next_payment, next_date });
      await ledger.run(`INSERT INTO recurring_payments (${columns}) VALUES (${values})`);
    }
    await ledger.run(`INSERT INTO recurring_sums (vendor_id, status, day, agreements, amount)
      VALUES (1, 'ACTIVE', '2031-05-04', 2, 9400), (1, 'CANCELED', '2031-05-04', 1, 4700)`);
    const before = await ledger.rows('SELECT * FROM recurring_payments ORDER BY pre_key');
    await runMigration(ledger.database.url, new RecurringTexts1766900000000());
    expect(await ledger.cli(['migrate'])).toMatchObject({ status: 0, stderr: '' });
    const after = await ledger.rows('SELECT * FROM recurring_payments ORDER BY pre_key');
    const emails = ['processor_email', 'contact_email', 'sender_email'];
    const added = ['status_word', ...emails.map((email) => `${email}_folded`)];
    const nulls = Object.fromEntries(added.map((column) => [column, null]));
    expect(after).toEqual(before.map((row) => ({ ...row, ...nulls })));
    expect(await ledger.rows('SELECT * FROM recurring_sums ORDER BY status, day')).toEqual(
      [
        ['ACTIVE', '2031-05-04', 1, 4700],
        ['ACTIVE', '2031-06-04', 1, 4700],
        ['CANCELED', '2031-06-04', 1, 4700],
      ].map(([status, day, agreements, amount]) => ({
        vendor_id: 1,
        status,
        day,
        agreements,
        amount,
      })),
    );
    const line = recurringPayment('P-1', 10, { next_payment: '47.00', next_date: null });
    await ledger.mustImport([line]);
    expect(summaryOf(await ledger.import([line], '--json'))).toMatchObject({
      recurring_payment: { unchanged: 1 },
    });
    // Rows that were inserted by hand have no place in the feed of changes.
    expect((await ledger.cli(['verify'])).stdout).not.toContain('day of the next payment');
  });

  it('leave names of the operator to the vendors of its records, and those of a source to its own', async () => {
    const sales = [10, 20].flatMap((id) =>
      [3, 4].map((affiliate_id) => transaction(`${id}-${affiliate_id}`, id, { affiliate_id })),
    );
    const users = [1, 2, 3, 4, 5, 6, 7, 8].map((id) => user(id, { display_name: `Shown ${id}` }));
    const relationships = [5, 6, 7].map((id) => affiliation(id, 10));
    await ledger.mustImport([...users, product(10, 1), product(20, 2), ...sales]);
    await ledger.mustImport([...relationships, clicks(8, 10)]);
    await ledger.run('UPDATE users SET source_vendor_id = 2 WHERE id = 4');
    const audited = [
      ['affiliation.set', 6],
      ['affiliation.set', 7],
      ['affiliation.import', 7],
    ] as const;
    for (const [action, id] of audited) {
      await ledger.run(`INSERT INTO audit_log (created, user_id, application_id, action, subject, state_after)
        VALUES ('2026-01-01 00:00:00', 1, 1, '${action}', 'affiliate ${id}, product 10', '{}')`);
    }
    await ledger.run('DROP TABLE vendor_users');
    await ledger.run('DROP TABLE vendor_affiliates');
    await ledger.run(`DELETE FROM migrations
      WHERE name IN ('UsersOfVendors1766950000000', 'AffiliatesOfVendors1767000000000')`);
    const shown = [1, 2].map(async (vendor) => {
      const { stdout } = await ledger.cli(['export', '--vendor', String(vendor), '-']);
      const lines = stdout.trimEnd().split('\n');
      return lines.map((line) => JSON.parse(line) as object);
    });
    const named = (id: number, display_name: string | null) => {
      return { affiliate: { id, display_name } };
    };
    const [first, second] = await Promise.all(shown);
    expect(first).toMatchObject([named(4, null), named(3, 'Shown 3')]);
    expect(second).toMatchObject([named(4, 'Shown 4'), named(3, 'Shown 3')]);
    await runMigration(ledger.database.url, new AffiliatesOfVendors1767000000000());
    const given = await ledger.rows(
      'SELECT vendor_id, affiliate_id FROM vendor_affiliates ORDER BY vendor_id, affiliate_id',
    );
    const pairs = [
      [1, 3],
      [1, 4],
      [1, 5],
      [1, 7],
      [1, 8],
      [2, 3],
      [2, 4],
    ];
    expect(given).toEqual(pairs.map(([vendor_id, affiliate_id]) => ({ vendor_id, affiliate_id })));
  });

  it('run again over the tables of an interrupted start', async () => {
    await ledger.mustImport([user(1)]);
    // SQLite rolls an interrupted migration back. A migration that copies a table leaves out
    // derived columns.
    if (dialect === 'sqlite') {
      await runMigration(ledger.database.url, new FoldedEmails1767400000000(), 'down');
    }
    await ledger.run('DELETE FROM migrations');
    await ledger.run('DROP TABLE refund_counts');
    expect(await ledger.cli(['verify'])).toMatchObject({ status: 0, stderr: '' });
    expect((await ledger.dump()).users).toHaveLength(1);
  });
});

describe('DATABASE_MIGRATIONS=off', () => {
  const env = { DATABASE_MIGRATIONS: 'off' };

  it('fails on an empty database with one clear line, and leaves it empty', async () => {
    const { status, stdout, stderr } = await ledger.cli(['verify'], { env });
    expect(status).not.toBe(0);
    expect(stdout).toBe('');
    expect(stderr).toMatch(/^[^\n]*migrations[^\n]*DATABASE_MIGRATIONS=auto[^\n]*\n$/);
    const tables =
      dialect === 'sqlite'
        ? "sqlite_master WHERE type = 'table'"
        : 'information_schema.tables WHERE table_schema = DATABASE()';
    expect(await ledger.rows(`SELECT COUNT(*) AS tables_there FROM ${tables}`)).toEqual([
      { tables_there: 0 },
    ]);
  });

  it('changes nothing if the database is up to date', async () => {
    await ledger.mustImport([user(1)]);
    expect(await ledger.cli(['verify'], { env })).toMatchObject({ status: 0, stderr: '' });
  });
});

describe('migrate', () => {
  const names = ALL_MIGRATIONS.map(({ name }) => name);
  const linesOf = ({ stdout }: Ended) => stdout.trimEnd().split('\n');

  it('updates the schema whatever DATABASE_MIGRATIONS is, and lists what it applied', async () => {
    const first = await ledger.cli(['migrate'], { env: { DATABASE_MIGRATIONS: 'off' } });
    expect(first).toMatchObject({ status: 0, stderr: '' });
    expect(linesOf(first)).toEqual([
      ...names.map((name) => `applied  ${name}`),
      `The schema is up to date: ${names.length} applied.`,
    ]);
    expect(await applied()).toBe(names.length);
    expect((await ledger.dump()).users).toEqual([]);
    const second = await ledger.cli(['migrate']);
    expect(second).toEqual({
      status: 0,
      stderr: '',
      stdout: 'The schema is up to date: nothing was pending.\n',
    });
  });

  it('applies each migration once if several run at once', async () => {
    const runs = await Promise.all([1, 2, 3].map(() => ledger.cli(['migrate'])));
    expect(runs.map(({ status, stderr }) => [status, stderr])).toEqual(runs.map(() => [0, '']));
    const told = runs.flatMap(linesOf).filter((line) => line.startsWith('applied  '));
    expect(told.sort()).toEqual(names.map((name) => `applied  ${name}`).sort());
  });

  it('--status lists what is pending with exit status 1, and writes nothing', async () => {
    const before = await ledger.cli(['migrate', '--status']);
    expect(before).toMatchObject({ status: 1, stderr: '' });
    expect(linesOf(before)).toEqual([
      ...names.map((name) => `pending  ${name}`),
      expect.stringMatching(/^The schema is not up to date: \d+ pending\. Run .*migrate/),
    ]);
    if (dialect === 'sqlite') expect(readdirSync(ledger.database.folder)).toEqual([]);
    else expect(await ledger.rows('SHOW TABLES')).toEqual([]);
  });

  it('--status lists what is applied, by this or another version, and what is not', async () => {
    await ledger.cli(['migrate']);
    await ledger.run(`DELETE FROM migrations WHERE name = '${names.at(-1) ?? ''}'`);
    await ledger.run("INSERT INTO migrations (timestamp, name) VALUES (1, 'Newer1')");
    const pending = await ledger.cli(['migrate', '--status']);
    expect(pending).toMatchObject({ status: 1, stderr: '' });
    expect(linesOf(pending).slice(0, -1)).toEqual([
      ...names.slice(0, -1).map((name) => `applied  ${name}`),
      'unknown  Newer1 (applied by another version)',
      `pending  ${names.at(-1) ?? ''}`,
    ]);
    await ledger.cli(['migrate']);
    const done = await ledger.cli(['migrate', '--status']);
    expect(done).toMatchObject({ status: 0, stderr: '' });
    expect(linesOf(done).at(-1)).toBe('The schema is up to date.');
  });
});
