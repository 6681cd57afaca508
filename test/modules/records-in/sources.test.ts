import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeEach, beforeAll, describe, expect, it } from '@jest/globals';
import { ended, startCli } from '../../support/processes/cli.js';
import { product, transaction, user } from '../../support/builders/ledger-records.js';
import { BATCH_LINES, bytesOf, TestLedger } from '../../support/builders/test-ledger.js';

const LEDGER = bytesOf([user(1), product(10, 1), transaction('A', 10), transaction('B', 10)]);
/** This is too much for one batch, and for the readable part of a truncated stream. */
const LONG = bytesOf([
  user(1),
  product(10, 1),
  ...Array.from({ length: 2.5 * BATCH_LINES }, (_, index) => transaction(`T${index}`, 10)),
]);

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

describe('import FILE', () => {
  it('reads a plain file', async () => {
    const result = await ledger.cli(['import', ledger.file('plain.ndjson', LEDGER)]);
    expect(result).toMatchObject({ status: 0, stderr: '' });
    expect(await countOfTransactions()).toBe(2);
  });

  it('reads a gzip-compressed file', async () => {
    const file = ledger.file('ledger.ndjson.gz', gzipSync(LEDGER));
    expect(await ledger.cli(['import', file])).toMatchObject({ status: 0, stderr: '' });
    expect(await countOfTransactions()).toBe(2);
  });

  it('reads several concatenated gzip parts as one file', async () => {
    const parts = [LEDGER.subarray(0, 200), LEDGER.subarray(200)];
    const file = ledger.file('parts.gz', Buffer.concat(parts.map((part) => gzipSync(part))));
    expect(await ledger.cli(['import', file])).toMatchObject({ status: 0, stderr: '' });
    expect(await countOfTransactions()).toBe(2);
  });

  it.each([
    ['plain', LEDGER],
    ['gzip-compressed', gzipSync(LEDGER)],
  ])('reads standard input for - (%s)', async (_, input) => {
    expect(await ledger.cli(['import', '-'], { input })).toMatchObject({ status: 0, stderr: '' });
    expect(await countOfTransactions()).toBe(2);
  });

  it('reads standard input that arrives byte by byte', async () => {
    const child = startCli(ledger.database.url, ['import', '-']);
    const result = ended(child);
    for (const byte of gzipSync(LEDGER)) {
      await new Promise((resolve) => child.stdin.write(Buffer.from([byte]), resolve));
    }
    child.stdin.end();
    expect(await result).toMatchObject({ status: 0, stderr: '' });
    expect(await countOfTransactions()).toBe(2);
  });
});

describe('import of a file that cannot be read', () => {
  async function expectUnreadable(args: readonly string[], input?: Buffer): Promise<void> {
    const result = await ledger.cli(['import', ...args], input === undefined ? {} : { input });
    expect(result.status).toBe(2);
    expect(result.stderr).toMatch(/^[^\n]*cannot be read[^\n]*\n$/);
  }

  it('exits with 2 if it is missing', async () => {
    await expectUnreadable([join(ledger.database.folder, 'missing.ndjson')]);
  });

  it('exits with 2 if it is a folder', async () => {
    const folder = join(ledger.database.folder, 'folder.gz');
    mkdirSync(folder);
    await expectUnreadable([folder]);
  });

  it('exits with 2 if it is compressed and cut off; complete batches are stored', async () => {
    const cutOff = gzipSync(LONG).subarray(0, -100);
    await expectUnreadable([ledger.file('cut-off.gz', cutOff)]);
    const kept = await countOfTransactions();
    // Two lines of the first batch are not transactions.
    expect((kept + 2) % BATCH_LINES).toBe(0);
    expect(kept).toBeGreaterThan(0);
    expect(kept).toBeLessThan(2.5 * BATCH_LINES);
    expect(await ledger.cli(['verify'])).toMatchObject({ status: 0 });
  });

  it('exits with 2 if standard input is compressed and cut off', async () => {
    await expectUnreadable(['-'], gzipSync(LEDGER).subarray(0, 30));
  });

  it('exits with 2 if it is compressed and damaged', async () => {
    const damaged = gzipSync(LONG);
    damaged.fill(0x55, 2_000, 2_100);
    const { status, stderr } = await ledger.cli(['import', ledger.file('damaged.gz', damaged)]);
    expect(status).toBe(2);
    expect(stderr.trimEnd().split('\n').at(-1)).toMatch(/damaged\.gz: cannot be read: /);
  });
});
