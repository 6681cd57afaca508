import { spawn } from 'node:child_process';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { cliEnvironment, ended, startCli, type Ended } from '../../support/processes/cli.js';
import { product, refund, transaction, user } from '../../support/builders/ledger-records.js';
import { screenOf } from '../../support/processes/terminal-screen.js';
import {
  BATCH_LINES,
  bytesOf,
  problemsOf,
  summaryOf,
  TestLedger,
  type Line,
} from '../../support/builders/test-ledger.js';

const NONE = { inserted: 0, updated: 0, unchanged: 0, stale: 0, rejected: 0, warnings: 0 };
const TYPES = ['user', 'product', 'affiliation', 'recurring_payment', 'transaction', 'clicks'];
const BAD = transaction('bad', 10, { amount: 47 });
const SALES = BATCH_LINES + 200;
/** These are a whole batch and a part of one. */
const TWO_BATCHES = [
  user(1),
  product(10, 1),
  ...Array.from({ length: SALES }, (_, index) => transaction(`T${index}`, 10)),
];

let ledger: TestLedger;
beforeAll(async () => {
  ledger = await TestLedger.create();
  await ledger.mustImport([]);
});
beforeEach(async () => {
  for (const table of Object.keys(await ledger.dump())) await ledger.run(`DELETE FROM ${table}`);
});
afterAll(() => ledger.drop());

async function countOfTransactions(): Promise<number> {
  return (await ledger.rows('SELECT transaction_id FROM transactions')).length;
}

/** Returns the lines of two batches, with one bad line at a place. */
function withBadLine(number: number): Line[] {
  return TWO_BATCHES.with(number - 1, BAD);
}

describe('The summary of an import', () => {
  it('is one JSON object on one line with --json, every type with its counts', async () => {
    const lines = [user(1), user(1), user(1, { name: 'New' }), user(2, { name: 5 }), 'no record'];
    const result = await ledger.import(lines, '--json');
    expect(result.stdout).toMatch(/^\{[^\n]*\}\n$/);
    expect(result.status).toBe(1);
    expect(summaryOf(result)).toEqual({
      ...Object.fromEntries(TYPES.map((type) => [type, NONE])),
      user: { ...NONE, inserted: 1, updated: 1, unchanged: 1, rejected: 1 },
      unreadable: { ...NONE, rejected: 1 },
    });
  });

  it('has the four counts of each type in text, on standard output only', async () => {
    const lines = [user(1), product(10, 1), transaction('A', 10), transaction('A', 10), BAD];
    const { stdout, stderr } = await ledger.import(lines);
    expect(stdout.split('\n').map((line) => line.replace(/ +/g, ' '))).toEqual([
      'user 1 inserted, 0 updated, 0 unchanged, 0 rejected',
      'product 1 inserted, 0 updated, 0 unchanged, 0 rejected',
      'transaction 1 inserted, 0 updated, 1 unchanged, 1 rejected',
      '',
    ]);
    expect(stderr).toBe(
      'line 5: amount: must be decimal text with at most 2 decimal places, not 47 (transaction bad)\n',
    );
  });

  it('counts stale lines where there are any, which are no problem, with --strict either', async () => {
    const lines = [user(1, { record_version: 2 }), user(1, { record_version: 1 })];
    const { status, stdout, stderr } = await ledger.import(lines, '--strict');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toMatch(/^user +1 inserted, 0 updated, 0 unchanged, 1 stale, 0 rejected\n$/);
  });
});

describe('import --dry-run', () => {
  it('writes nothing', async () => {
    await ledger.mustImport([user(1), product(10, 1), transaction('T1', 10)]);
    const before = await ledger.dump();
    const refunded = { status: 'refunded', refund: refund('2025-06-05T00:00:00Z') };
    const lines = [...TWO_BATCHES, transaction('T2', 10, refunded), user(1, { name: 'New' })];
    const result = await ledger.import(lines, '--dry-run', '--json');
    expect(await ledger.dump()).toEqual(before);
    expect(result).toMatchObject({ status: 0, stderr: '' });
    expect(summaryOf(result)).toMatchObject({
      transaction: { inserted: SALES - 1, updated: 1, unchanged: 1, rejected: 0 },
      user: { inserted: 0, updated: 1, unchanged: 1, rejected: 0 },
    });
  });

  it('checks references across batches like the real import', async () => {
    const filling = Array.from({ length: BATCH_LINES + 100 }, (_, index) => user(1_000 + index));
    const dangling = [transaction('A', 10), transaction('A', 20)];
    const lines = [user(1), dangling[0] ?? '', product(10, 1), ...filling, ...dangling];
    const tried = await ledger.import(lines, '--dry-run', '--json');
    expect([...problemsOf(tried).keys()]).toEqual([2, BATCH_LINES + 105]);
    expect(await ledger.import(lines, '--json')).toEqual(tried);
  });
});

describe('import --strict', () => {
  it('stops at the first bad line; earlier batches are stored, its own batch is not', async () => {
    const result = await ledger.import(withBadLine(BATCH_LINES + 150), '--strict', '--json');
    expect(result.status).toBe(1);
    expect([...problemsOf(result).keys()]).toEqual([BATCH_LINES + 150]);
    expect(await countOfTransactions()).toBe(BATCH_LINES - 2);
    expect(summaryOf(result).transaction).toMatchObject({ inserted: BATCH_LINES - 2, rejected: 1 });
    expect(await ledger.cli(['verify'])).toMatchObject({ status: 0 });
  });

  it('reports the first of several bad lines of different types', async () => {
    const lines = withBadLine(40).with(30, transaction('dangling', 99)).with(20, 'no record');
    const result = await ledger.import(lines, '--strict');
    expect(result.stderr).toBe('line 21: is not valid JSON\n');
    expect(await countOfTransactions()).toBe(0);
  });

  it('imports a file without bad lines completely', async () => {
    expect(await ledger.import(TWO_BATCHES, '--strict')).toMatchObject({ status: 0, stderr: '' });
    expect(await countOfTransactions()).toBe(SALES);
  });

  it('does not wait for the rest of standard input', async () => {
    const child = startCli(ledger.database.url, ['import', '-', '--strict']);
    const result = ended(child);
    child.stdin.on('error', () => undefined);
    child.stdin.write(bytesOf(withBadLine(3)));
    expect(await result).toMatchObject({ status: 1 });
  });

  it('writes nothing together with --dry-run', async () => {
    const result = await ledger.import(withBadLine(BATCH_LINES + 150), '--strict', '--dry-run');
    expect([...problemsOf(result).keys()]).toEqual([BATCH_LINES + 150]);
    expect(await countOfTransactions()).toBe(0);
  });
});

describe('The progress of an import', () => {
  /** Runs an import with a terminal as its standard output and error. */
  function onTerminal(file: string): Promise<Ended> {
    const command = `"${process.execPath}" dist/cli.js import "${file}"`;
    const args = ['--quiet', '--return', '--command', command, '/dev/null'];
    const env = { ...cliEnvironment(ledger.database.url), TERM: 'xterm' };
    const child = spawn('script', args, { env, timeout: 20_000 });
    // Standard input stays open, because `script` would take its end for the end of the terminal.
    return ended(child);
  }

  it('is a bar with rate and remaining time on a terminal', async () => {
    const { status, stdout } = await onTerminal(ledger.file('plain.ndjson', bytesOf(TWO_BATCHES)));
    expect(status).toBe(0);
    expect(stdout).toMatch(/2202 lines \| \d+ a second \| \[.+\] 100% \| \S+ left/);
    expect(stdout).toContain(`${SALES} inserted`);
  });

  it('ends with the import on a terminal if the file cannot be read to its end', async () => {
    const cutOff = gzipSync(bytesOf(TWO_BATCHES)).subarray(0, -50);
    const { status, stdout } = await onTerminal(ledger.file('cut-off.gz', cutOff));
    expect(stdout).toContain('cannot be read');
    expect(status).toBe(2);
  });

  it('never shares a line with a problem, a warning or the summary', async () => {
    const bad = withBadLine(2_100).flatMap((line, index) =>
      index % 200 === 150 ? [line, BAD] : [line],
    );
    const { stdout } = await onTerminal(ledger.file('bad.ndjson', bytesOf(bad)));
    const rows = screenOf(stdout);
    const problems = rows.filter((row) => row.includes('must be decimal text'));
    expect(problems.length).toBeGreaterThan(10);
    for (const row of problems) expect(row).toMatch(/^line \d+: amount: .* \(transaction bad\)$/);
    const bars = rows.filter((row) => row.includes('a second'));
    expect(bars).toHaveLength(1);
    expect(bars[0]).toMatch(/^\d+ lines \| /);
    expect(rows.findIndex((row) => row.includes('a second'))).toBeGreaterThan(
      rows.lastIndexOf(problems.at(-1) ?? ''),
    );
    expect(rows.find((row) => row.includes('inserted'))).toMatch(/^user +1 inserted/);
  });

  it('is not shown off a terminal', async () => {
    const { stdout, stderr } = await ledger.import(TWO_BATCHES);
    expect(stderr).toBe('');
    expect(stdout).not.toMatch(/%|a second/);
  });
});
