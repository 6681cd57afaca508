/** Another process holds the only write lock of a SQLite file. */
import { setImmediate as othersFirst } from 'node:timers/promises';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import SqliteConnection from 'better-sqlite3';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Database, type Reader } from '../../src/platform/database/database.js';
import { DatabaseProbe } from '../../src/platform/observability/database-probe.js';
import { relationshipPath, Relationships } from '../support/builders/relationships.js';
import { byChance } from '../support/random/by-chance.js';
import { TestLedger } from '../support/builders/test-ledger.js';

/**
 * A busy machine may keep a process from running for this long. Former waits inside SQLite were
 * longer.
 */
const BLOCKED_MS = 1_500;
const READS = 20;
/** Reads that take far longer than one turn of the event loop may. */
const MANY_READS = 50_000;
/** The time is so short that a migration finds the file locked as often as unlocked. */
const LOCKED_MS = 5;
/** This is ten times the number of writes that one process may do in a row. */
const MOST_WRITTEN = 100;

let relationships: Relationships;
let other: SqliteConnection.Database;
beforeAll(async () => {
  relationships = await Relationships.start();
  other = new SqliteConnection(pathOf(relationships));
});
afterEach(() => {
  if (other.inTransaction) other.exec('ROLLBACK');
});
afterAll(async () => {
  other.close();
  await relationships.stop();
});

function pathOf({ service }: Relationships): string {
  return service.database.url.slice('sqlite:'.length);
}

function put(custom_commission: number) {
  const { service, key } = relationships;
  return service.put(relationshipPath(), key, { approval_status: 'INSTANT', custom_commission });
}

function get() {
  const { service, key } = relationships;
  return service.get(relationshipPath(), key);
}

describe('While another process holds the lock', () => {
  it('a writer waits for it, and nobody else does', async () => {
    expect(await put(9)).toMatchObject({ status: 200 });
    other.exec('BEGIN IMMEDIATE');
    const delays = monitorEventLoopDelay({ resolution: 10 });
    delays.enable();
    const ended: number[] = [];
    const writers = [10, 11, 12].map(async (commission) => {
      const { status } = await put(commission);
      ended.push(commission);
      return status;
    });
    for (let read = 0; read < READS; read += 1) expect((await get()).status).toBe(200);
    delays.disable();
    expect(ended).toEqual([]);
    other.exec('ROLLBACK');
    expect(await Promise.all(writers)).toEqual([200, 200, 200]);
    // The writers run in the order of their requests.
    expect(ended).toEqual([10, 11, 12]);
    expect(delays.max / 1_000_000).toBeLessThan(BLOCKED_MS);
  });

  it('the readiness of the service is found out without a wait', async () => {
    const probe = new DatabaseProbe({ dialect: 'sqlite', path: pathOf(relationships) });
    other.exec('BEGIN IMMEDIATE');
    expect(await probe.probe()).toMatchObject({ answers: true });
  });
});

describe('While a transaction runs many statements', () => {
  it.each(['a writer', 'a reader of a snapshot'])('%s lets other work go first', async (who) => {
    const database = relationships.service.app.get(Database);
    const reads = async ({ select }: Pick<Reader, 'select'>) => {
      const work = { isRunning: true, turns: 0 };
      const others = async () => {
        for (; work.isRunning; work.turns += 1) await othersFirst();
      };
      void others();
      for (let read = 0; work.turns < 2 && read < MANY_READS; read += 1) {
        await select('SELECT id FROM users WHERE id = ?', [read]);
      }
      work.isRunning = false;
      return work.turns;
    };
    const turns = await (who === 'a writer'
      ? database.write(reads)
      : database.readSnapshot(() => Promise.resolve(true), reads));
    expect(turns).toBeGreaterThan(1);
  });
});

describe('Migrations', () => {
  it('wait for the lock, which others take again and again', async () => {
    const ledger = await TestLedger.create();
    const locker = new SqliteConnection(ledger.database.url.slice('sqlite:'.length));
    locker.pragma('journal_mode = WAL');
    const migration = { isRunning: true };
    const ended = ledger.cli(['migrate']).finally(() => (migration.isRunning = false));
    while (migration.isRunning) {
      locker.exec('BEGIN IMMEDIATE');
      await byChance(2 * LOCKED_MS);
      locker.exec('ROLLBACK');
      await byChance(2 * LOCKED_MS);
    }
    locker.close();
    expect(await ended).toMatchObject({ status: 0, stderr: '' });
    expect(await ledger.cli(['migrate', '--status'])).toMatchObject({ status: 0 });
    await ledger.drop();
  });
});

describe('A process that writes all the time', () => {
  it('lets another one in', async () => {
    const beside = await relationships.service.beside();
    const busy = relationships.service.app.get(Database);
    let written = 0;
    const writeForAWhile = () =>
      busy.write(async () => {
        written += 1;
        // Other processes may try meanwhile, and find the lock held.
        const begun = performance.now();
        while (performance.now() - begun < 20) await othersFirst();
      });
    // The queue always has a next writer.
    let [current, next] = [writeForAWhile(), writeForAWhile()];
    while (written === 0) await othersFirst();
    const entered = { isIn: false };
    const waiting = beside.app.get(Database).write(() => {
      entered.isIn = true;
      return Promise.resolve();
    });
    for (; !entered.isIn && written < MOST_WRITTEN; [current, next] = [next, writeForAWhile()]) {
      await current;
    }
    expect(entered.isIn).toBe(true);
    await Promise.all([waiting, current, next]);
    await beside.stop();
  });
});
