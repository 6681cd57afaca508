import { readdirSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { MIGRATIONS } from '../../../src/platform/database/migrations/index.js';
import { user } from '../../support/builders/ledger-records.js';
import { TestLedger } from '../../support/builders/test-ledger.js';
import type { Ended } from '../../support/processes/cli.js';
import { timeToGoWrong } from '../../support/processes/time-to-go-wrong.js';
import { createEmptyDatabase, dialect } from '../../support/sql/test-database.js';

const LOCK_TABLE =
  'CREATE TABLE migration_lock (id INTEGER NOT NULL PRIMARY KEY, holder VARCHAR(36) NOT NULL, expires_at BIGINT NOT NULL)';
const NOW = dialect === 'sqlite' ? "CAST(strftime('%s', 'now') AS INTEGER)" : 'UNIX_TIMESTAMP()';

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

describe('The migrations', () => {
  it('run once if four processes start at once on an empty database', async () => {
    const starts = [1, 2, 3, 4].map((id) => ledger.import([user(id)]));
    for (const { status, stderr } of await Promise.all(starts)) {
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    }
    expect((await ledger.dump()).users).toHaveLength(4);
    expect(await applied()).toBe(MIGRATIONS.length);
    expect(await ledger.rows('SELECT id FROM migration_lock')).toEqual([]);
  });

  it('ignore the lock of an instance that died', async () => {
    await lockUntil(-1);
    expect(await ledger.cli(['verify'])).toMatchObject({ status: 0, stderr: '' });
    expect(await applied()).toBe(MIGRATIONS.length);
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
  const names = MIGRATIONS.map(({ name }) => name);
  const linesOf = ({ stdout }: Ended) => stdout.trimEnd().split('\n');

  it('updates the schema whatever DATABASE_MIGRATIONS is, and lists what it applied', async () => {
    const first = await ledger.cli(['migrate'], { env: { DATABASE_MIGRATIONS: 'off' } });
    expect(first).toMatchObject({ status: 0, stderr: '' });
    expect(linesOf(first)).toEqual([
      ...names.map((name) => `applied  ${name}`),
      `The schema is up to date: ${names.length} applied.`,
    ]);
    expect(await applied()).toBe(MIGRATIONS.length);
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

  it('gives audit entries of a former version the accounts that they are about', async () => {
    await ledger.cli(['migrate']);
    const entries = [
      [7, 'affiliation.set', 'affiliate 2, product 3', 7],
      [0, 'key.create', 'application 4 of user 8', 8],
      [0, 'webhook.delete', 'webhook endpoint 5 of user 9', 9],
      [0, 'password.set', 'user 10', 10],
      [0, 'person.erase', 'person at user 11', 11],
      [0, 'retention.set', 'vendor 12', 12],
      [0, 'retention.set', 'all vendors', 0],
      [0, 'two_factor.require', 'all users', 0],
      [0, 'key.rewrap', 'keys of 3 applications', 0],
      [0, 'affiliation.import', 'affiliate 2, product 3', 0],
    ] as const;
    for (const [user_id, action, subject] of entries) {
      await ledger.run(
        `INSERT INTO audit_log (created, user_id, application_id, action, subject, state_after)
          VALUES ('2025-06-01 00:00:00', ${user_id}, 0, '${action}', '${subject}', '{}')`,
      );
    }
    await ledger.run("DELETE FROM migrations WHERE name = 'ActivityOfAccounts1771340000000'");
    expect(await ledger.cli(['migrate'])).toMatchObject({ status: 0, stderr: '' });
    const rows = await ledger.rows('SELECT account_id FROM audit_log ORDER BY id');
    expect(rows.map(({ account_id }) => Number(account_id))).toEqual(
      entries.map(([, , , account_id]) => account_id),
    );
  });

  it('--status lists what is applied, by this or another version, and what is not', async () => {
    await ledger.cli(['migrate']);
    const last = MIGRATIONS.at(-1)?.name ?? '';
    await ledger.run(`DELETE FROM migrations WHERE name = '${last}'`);
    await ledger.run("INSERT INTO migrations (timestamp, name) VALUES (1, 'Newer1')");
    const pending = await ledger.cli(['migrate', '--status']);
    expect(pending).toMatchObject({ status: 1, stderr: '' });
    expect(linesOf(pending).slice(0, -1)).toEqual([
      ...names.filter((name) => name !== last).map((name) => `applied  ${name}`),
      'unknown  Newer1 (applied by another version)',
      `pending  ${last}`,
    ]);
    await ledger.cli(['migrate']);
    const done = await ledger.cli(['migrate', '--status']);
    expect(done).toMatchObject({ status: 0, stderr: '' });
    expect(linesOf(done).at(-1)).toBe('The schema is up to date.');
  });
});
