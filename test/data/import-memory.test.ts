import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ended, startCli, type Ended } from '../support/cli.js';
import { product, transaction, user } from '../support/ledger-records.js';
import { dialect } from '../support/test-database.js';
import { bytesOf, TestLedger } from '../support/test-ledger.js';

const SMALL_HEAP = ['--max-old-space-size=96'];
/** MariaDB's speed is not the matter here, so its file is a part of SQLite's. */
const MEGABYTES = dialect === 'sqlite' ? 150 : 40;
/** Of 240 KB each: together far more than the heap, and than a database takes in one statement. */
const LONG_LINES = 480;
const TRACKING = [
  ...['vtid', 'custom', 'tid', 'utm_source', 'utm_medium', 'utm_campaign', 'utm_content'],
  ...['utm_term', 'sub_id1', 'sub_id2', 'sub_id3', 'sub_id4', 'sub_id5', 'gclid', 'fbclid'],
];

let ledger: TestLedger;
beforeEach(async () => {
  ledger = await TestLedger.create();
});
afterEach(() => ledger.drop());

/** Imports generated lines through standard input, no faster than they are taken. */
async function importStream(lines: Iterable<object>): Promise<Ended> {
  const child = startCli(ledger.database.url, ['import', '-'], { nodeOptions: SMALL_HEAP });
  child.stdin.on('error', () => undefined);
  const result = ended(child);
  let chunk: object[] = [];
  for (const line of lines) {
    chunk.push(line);
    if (chunk.length < 20) continue;
    if (!child.stdin.write(bytesOf(chunk)))
      await Promise.race([once(child.stdin, 'drain'), result]);
    chunk = [];
  }
  child.stdin.end(bytesOf(chunk));
  return result;
}

function* sales(count: number, tracking: Readonly<Record<string, string>>): Generator<object> {
  yield user(1);
  yield product(10, 1);
  for (let index = 0; index < count; index += 1) {
    const sale_date = new Date(1_700_000_000_000 + index * 60_000).toISOString();
    yield transaction(`T${index}`, 10, { sale_date, tracking });
  }
}

async function countOfTransactions(): Promise<number> {
  const [row] = await ledger.rows('SELECT COUNT(*) AS found FROM transactions');
  return Number(row?.found);
}

describe('The memory of an import', () => {
  it('stays flat however long the file is', async () => {
    const count = MEGABYTES * 200;
    const result = await importStream(sales(count, { other_params: 'x'.repeat(4_600) }));
    expect(result).toMatchObject({ status: 0, stderr: '' });
    expect(await countOfTransactions()).toBe(count);
  });

  it('stays flat however long each line is, and each line finds its way into the database', async () => {
    const long = Object.fromEntries(TRACKING.map((field) => [field, 'x'.repeat(16_000)]));
    const result = await importStream(sales(LONG_LINES, long));
    expect(result).toMatchObject({ status: 0, stderr: '' });
    expect(await countOfTransactions()).toBe(LONG_LINES);
  });
});
