/** Database users with fewer rights than the service needs. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createConnection, type Connection } from 'mysql2/promise';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { readDatabaseUrl } from '../../src/config/settings/database-url.js';
import { migrateDatabase } from '../../src/platform/database/migrations/migrate-database.js';
import { deniedPrivilege } from '../../src/platform/database/mysql/denied-privilege.js';
import { loadFeatures } from '../../src/start/installed-features.js';
import { runCli } from '../support/processes/cli.js';
import { OwnDatabase } from '../support/servers/own-database.js';
import { RunningService } from '../support/servers/running-service.js';
import { TestLedger } from '../support/builders/test-ledger.js';

const EVERY_DAY = 'SELECT, INSERT, UPDATE, DELETE';
const ALL = `${EVERY_DAY}, CREATE, ALTER, INDEX`;

let database: OwnDatabase;
let root: Connection;
beforeAll(async () => {
  database = await OwnDatabase.start();
  root = await createConnection(database.directUrl);
});
afterAll(async () => {
  await root.end();
  await database.end();
});

/**
 * Creates a user with these rights.
 * @returns the database address for the user
 */
async function userWith(name: string, rights: string): Promise<string> {
  await root.query(`CREATE USER ${name}@'%' IDENTIFIED BY 'Hunter2'`);
  await root.query(`GRANT ${rights} ON faults.* TO ${name}@'%'`);
  const url = new URL(database.directUrl);
  url.username = name;
  url.password = 'Hunter2';
  return url.href;
}

describe('A user of the database', () => {
  it('that may not create tables is told in one line which right it lacks and what to do', async () => {
    const url = await userWith('reader', EVERY_DAY);
    const service = new RunningService(TestLedger.on({ ...place(url) }), {});
    for (const result of [
      await runCli(url, ['keys', 'list']),
      await runCli(url, ['migrate']),
      await service.ended,
    ]) {
      expect(result.stderr).toMatch(
        new RegExp(
          "^DATABASE_URL: the user 'reader'@'[^']+' lacks the privilege CREATE on the database, [^\\n]*" +
            `GRANT ${ALL} ON \`faults\`\\.\\* TO 'reader'@[^\\n]* "npm run cli -- migrate" [^\\n]*\\n$`,
        ),
      );
    }
    expect((await service.ended).status).toBe(1);
    expect((await runCli(url, ['migrate'])).status).toBe(3);
  });

  it('is told in one line of a server that can only be read, if the schema is not up to date', async () => {
    const url = await userWith('late', ALL);
    await root.query('SET GLOBAL read_only = 1');
    const { status, stderr } = await runCli(url, ['migrate']);
    await root.query('SET GLOBAL read_only = 0');
    expect(status).toBe(3);
    expect(stderr).toMatch(/^DATABASE_URL: the server can only be read \(read_only\), [^\n]*\n$/);
  });

  it('that may not change the schema works where it is up to date', async () => {
    const owner = await userWith('owner', ALL);
    expect(await runCli(owner, ['migrate'])).toMatchObject({ status: 0, stderr: '' });
    const daily = await userWith('daily', EVERY_DAY);
    for (const command of [['verify'], ['migrate'], ['migrate', '--status']]) {
      expect(await runCli(daily, command)).toMatchObject({ status: 0, stderr: '' });
    }
  });

  it('that may create tables alone lacks a right for a later migration, which adds an index', async () => {
    class Later1795000000000 implements MigrationInterface {
      async up(runner: QueryRunner): Promise<void> {
        await runner.query('CREATE INDEX users_by_name ON users (name)');
      }
      down(): Promise<void> {
        return Promise.resolve();
      }
    }
    const settings = readDatabaseUrl(await userWith('maker', `${EVERY_DAY}, CREATE`));
    const own = (await loadFeatures([])).schema;
    const schema = { ...own, extensionMigrations: [Later1795000000000] };
    const error: unknown = await migrateDatabase(settings, schema).catch(
      (failure: unknown) => failure,
    );
    expect(deniedPrivilege(error)).toEqual({
      privilege: 'INDEX',
      user: expect.stringMatching(/^'maker'@/),
      isForSchema: true,
    });
  });

  it('is told in one line of a server without space', async () => {
    await root.query(
      "CREATE TRIGGER no_space BEFORE INSERT ON users FOR EACH ROW SIGNAL SQLSTATE 'HY000' SET MYSQL_ERRNO = 1114",
    );
    const result = await runCli(database.directUrl, ['import', 'docs/example-ledger.ndjson']);
    await root.query('DROP TRIGGER no_space');
    expect(result).toMatchObject({
      status: 3,
      stderr: 'DATABASE_URL: the database server has no space left.\n',
    });
  });

  it('that may make no temporary tables is told so by a dry run, which needs no more than them', async () => {
    const rehearsal = ['import', 'docs/example-ledger.ndjson', '--dry-run'];
    const lacking = await userWith('lacking', EVERY_DAY);
    expect(await runCli(lacking, rehearsal)).toMatchObject({
      status: 3,
      stderr: expect.stringMatching(/^DATABASE_URL: [^\n]* CREATE TEMPORARY TABLES[,]? [^\n]*\n$/),
    });
    const enough = await userWith('enough', `${EVERY_DAY}, CREATE TEMPORARY TABLES`);
    expect(await runCli(enough, rehearsal)).toMatchObject({ status: 0, stderr: '' });
  });

  it('that may not write is told so by a command that does', async () => {
    const url = await userWith('looker', 'SELECT');
    const { status, stderr } = await runCli(url, ['import', 'docs/example-ledger.ndjson']);
    expect(status).toBe(3);
    expect(stderr).toMatch(
      /^DATABASE_URL: the user 'looker'@'[^']+' lacks the privileges? \w+(?:, \w+)* on the database: GRANT SELECT, INSERT, UPDATE, DELETE ON `faults`\.\* TO 'looker'@'[^']+'\n$/,
    );
  });
});

/** Returns a ledger's location. Only the list of processes is written to the folder. */
function place(url: string) {
  return { url, folder: '/tmp', drop: () => Promise.resolve() };
}
