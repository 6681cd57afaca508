import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ended, startCli, type Ended } from '../../support/processes/cli.js';
import { mixedLedger, STEADY_VENDOR } from '../../support/builders/mixed-ledger.js';
import { byChance } from '../../support/random/by-chance.js';
import { until } from '../../support/servers/running-service.js';
import { bytesOf, TestLedger, type Dump } from '../../support/builders/test-ledger.js';

/**
 * With so many lines, the import itself takes most of the time, and not the start of its process.
 */
const LINES = 20_000;
const ROUNDS = 4;
/** Nothing is imported before this time, because the process is starting. */
const START_MS = 300;

let clean: TestLedger;
let killed: TestLedger;
let cleanRun: Ended;
let lastRun: Ended;
/** Returns the number of transactions in the ledger whose imports are killed. */
async function held(): Promise<number> {
  return (await killed.rows('SELECT transaction_id FROM transactions')).length;
}

/** Returns the time from the start of the process to the beginning of a round. */
function momentOf(duration: number, round: number): number {
  return START_MS + (round / ROUNDS) * (duration - START_MS);
}

/** Number of transactions after each killed run. */
const left: number[] = [];

beforeAll(async () => {
  const bytes = bytesOf(mixedLedger(LINES));
  clean = await TestLedger.create();
  killed = await TestLedger.create();
  for (const ledger of [clean, killed]) await ledger.mustImport([]);
  const begun = performance.now();
  cleanRun = await clean.cli(['import', clean.file('ledger.ndjson', bytes)]);
  const duration = performance.now() - begun;
  const file = killed.file('ledger.ndjson', bytes);
  for (let round = 0; round < ROUNDS; round += 1) {
    const child = startCli(killed.database.url, ['import', file]);
    const result = ended(child);
    if (round === 0) await until('its first transactions', async () => (await held()) > 0);
    // Each round kills the run in another part of it, at a random time.
    else await byChance(momentOf(duration, round + 1), momentOf(duration, round));
    child.kill('SIGKILL');
    await result;
    left.push(await held());
  }
  lastRun = await killed.cli(['import', file]);
});
afterAll(async () => {
  await clean.drop();
  await killed.drop();
});

/**
 * Returns all tables. Only the ledger without changed repetitions keeps its revisions and
 * sequences.
 */
function comparable(dump: Dump): Dump {
  const steady = (rows: Dump[string] = [], again: object) =>
    rows.map((row) => (row.vendor_id === STEADY_VENDOR ? row : { ...row, ...again }));
  return {
    ...dump,
    ledger_revisions: steady(dump.ledger_revisions, { revision: 0, last_sequence: 0 }),
    transactions: steady(dump.transactions, { sequence: 0, reasons: null }),
  };
}

async function revisionsOf(ledger: TestLedger): Promise<number[]> {
  const rows = await ledger.rows('SELECT revision FROM ledger_revisions ORDER BY vendor_id');
  return rows.map(({ revision }) => Number(revision));
}

/**
 * Returns the rejected lines. Warnings are left out, since they depend on the data of previous
 * runs.
 */
function rejectedOf({ stderr }: Ended): string[] {
  return stderr.split('\n').filter((line) => !/^line \d+: warning: |more warnings$/.test(line));
}

describe('An import that is killed again and again, and then runs to its end', () => {
  it('was killed in the middle of its work', async () => {
    const all = (await clean.rows('SELECT transaction_id FROM transactions')).length;
    expect(left.some((count) => count > 0 && count < all)).toBe(true);
  });

  it('leaves the same as one uninterrupted run, including stored counts, arrivals and revisions', async () => {
    const dump = comparable(await killed.dump());
    expect(dump).toEqual(comparable(await clean.dump()));
    const empty = Object.entries(dump).filter(([, rows]) => rows.length === 0);
    // Only previous versions used this table.
    expect(empty.map(([table]) => table)).toEqual(['ledger_arrivals']);
  });

  it('leaves no revision lower than one uninterrupted run, so that no ETag is reused', async () => {
    const expected = await revisionsOf(clean);
    const found = await revisionsOf(killed);
    expect(found).toHaveLength(expected.length);
    expect(found.filter((revision, index) => revision < (expected[index] ?? 0))).toEqual([]);
  });

  it('rejects the lines that one uninterrupted run rejects', () => {
    expect(rejectedOf(lastRun)).toEqual(rejectedOf(cleanRun));
    expect(lastRun.status).toBe(1);
  });

  it('passes verify', async () => {
    expect(await killed.cli(['verify'])).toMatchObject({ status: 0 });
  });
});
