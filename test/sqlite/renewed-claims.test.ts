/** Leases that end by themselves are renewed as long as their owner works. */
import { afterEach, expect, it, jest } from '@jest/globals';
import { product, transaction, user } from '../support/builders/ledger-records.js';
import { TestLedger } from '../support/builders/test-ledger.js';
import { storedTime } from '../support/processes/set-clock.js';
import { TestService } from '../support/servers/service.js';
import { createEmptyDatabase } from '../support/sql/test-database.js';

const PAST = '2025-01-01 00:00:00';
/** This is more than the number of sales that are expired at a time. */
const SALES = 120;

let ledger: TestLedger;
afterEach(() => ledger.drop());

it('who empties old personal data renews the claim with each batch', async () => {
  ledger = await TestLedger.create();
  const sale_date = '2001-01-01T00:00:00Z';
  await ledger.mustImport([
    user(1),
    product(10, 1),
    ...Array.from({ length: SALES }, (_, at) => transaction(`old-${at}`, 10, { sale_date })),
  ]);
  await ledger.run('CREATE TABLE seen (ends TEXT)');
  await ledger.run(`CREATE TRIGGER take AFTER INSERT ON retained_ledgers BEGIN
    UPDATE retained_ledgers SET claim_ends = '${PAST}'; END`);
  await ledger.run(`CREATE TRIGGER batch AFTER UPDATE ON retained_ledgers
    WHEN NEW.claim IS NOT NULL AND OLD.claim_ends = '${PAST}' BEGIN
    INSERT INTO seen VALUES (NEW.claim_ends);
    UPDATE retained_ledgers SET claim_ends = '${PAST}'; END`);
  const now = storedTime(Date.now());
  for (const args of [['set', '--all', '--months', '12'], ['run']]) {
    const { status, stderr } = await ledger.cli(['retention', ...args]);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  }
  const ends = (await ledger.rows('SELECT ends FROM seen')).map((row) => String(row.ends));
  expect(ends.length).toBeGreaterThanOrEqual(3);
  for (const end of ends) expect(end > now).toBe(true);
});

it('who migrates renews the claim as long as it takes', async () => {
  ledger = TestLedger.on(await createEmptyDatabase());
  await ledger.run(`CREATE TABLE migration_lock
    (id INTEGER NOT NULL PRIMARY KEY, holder VARCHAR(36) NOT NULL, expires_at BIGINT NOT NULL)`);
  await ledger.run('CREATE TABLE seen (ends BIGINT)');
  await ledger.run(`CREATE TRIGGER renewal AFTER UPDATE ON migration_lock BEGIN
    INSERT INTO seen VALUES (NEW.expires_at); END`);
  const set = setInterval;
  // On SQLite, the migrations block timers.
  const intervals = jest.spyOn(globalThis, 'setInterval').mockImplementation((work, ms) => {
    queueMicrotask(work);
    return set(work, ms);
  });
  const service = await TestService.on(ledger.database, {});
  intervals.mockRestore();
  await service.app.close();
  const ends = (await ledger.rows('SELECT ends FROM seen')).map((row) => Number(row.ends));
  expect(ends).not.toEqual([]);
  expect(Math.min(...ends)).toBeGreaterThan(Date.now() / 1_000);
});
