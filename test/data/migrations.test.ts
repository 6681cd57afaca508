import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { MIGRATIONS } from '../../src/database/migrations/index.js';
import { user } from '../support/ledger-records.js';
import { dialect } from '../support/test-database.js';
import { TestLedger } from '../support/test-ledger.js';

const LOCK_TABLE =
  'CREATE TABLE migration_lock (id INTEGER NOT NULL PRIMARY KEY, holder VARCHAR(36) NOT NULL, expires_at BIGINT NOT NULL)';
const NOW = dialect === 'sqlite' ? "CAST(strftime('%s', 'now') AS INTEGER)" : 'UNIX_TIMESTAMP()';

let ledger: TestLedger;
beforeEach(async () => {
  ledger = await TestLedger.create();
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
  it('run once where four processes start at once on an empty database', async () => {
    const starts = [1, 2, 3, 4].map((id) => ledger.import([user(id)]));
    for (const { status, stderr } of await Promise.all(starts)) {
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    }
    expect((await ledger.dump()).users).toHaveLength(4);
    expect(await applied()).toBe(MIGRATIONS.length);
    expect(await ledger.rows('SELECT id FROM migration_lock')).toEqual([]);
  });

  it('pass over the lock of an instance that died', async () => {
    await lockUntil(-1);
    expect(await ledger.cli(['verify'])).toMatchObject({ status: 0, stderr: '' });
    expect(await applied()).toBe(MIGRATIONS.length);
  });

  it('wait for the lock of an instance that lives', async () => {
    await lockUntil(3_600);
    const start = ledger.cli(['verify']);
    await wait(2_500);
    const tables = dialect === 'sqlite' ? 'sqlite_master' : 'information_schema.tables';
    const column = dialect === 'sqlite' ? 'name' : 'table_schema = DATABASE() AND table_name';
    expect(await ledger.rows(`SELECT 1 AS found FROM ${tables} WHERE ${column} = 'users'`)).toEqual(
      [],
    );
    await ledger.run('DELETE FROM migration_lock');
    expect(await start).toMatchObject({ status: 0, stderr: '' });
  });

  it('run again over tables that a start which was cut off has left', async () => {
    await ledger.mustImport([user(1)]);
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

  it('changes nothing where the database is up to date', async () => {
    await ledger.mustImport([user(1)]);
    expect(await ledger.cli(['verify'], { env })).toMatchObject({ status: 0, stderr: '' });
  });
});
