import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ended, startCli, type Ended } from '../../support/processes/cli.js';
import { TRACKING_NAMES } from '../../support/oracles/shape.js';
import { payoutItem, product, transaction, user } from '../../support/builders/ledger-records.js';
import { bytesOf, problemsOf, TestLedger, type Line } from '../../support/builders/test-ledger.js';

const SMALL_HEAP = ['--max-old-space-size=96'];
/** The file is half as large again as the heap. */
const MEGABYTES = 150;
/**
 * Each of these lines has 240 KB. Together they are much larger than the heap, and than the longest
 * statement that a database accepts.
 */
const LONG_LINES = 480;
/** The valid fields of a sale, which precede those of a test. */
const WHOLE = `${JSON.stringify(transaction('bad', 10)).slice(1, -1)},`;
const SHORT_ITEM = { payee_name: '', payout_type: '', payment_processor: '', payout_status: '' };

function list(item: string | ((at: number) => string), count: number): string {
  const textOf = (at: number) => (typeof item === 'string' ? item : item(at));
  return Array.from({ length: count }, (_, at) => textOf(at)).join(',');
}

/**
 * Number of successive lines with the same fault. Each has a mebibyte, and together they are more
 * than a batch. The import reports 100 invalid lines one by one.
 */
const ALIKE = 16;
/** Contents that fill the lines, which are read while the previous batch is applied. */
const WRONG: readonly (readonly [name: string, fields: string, problem: RegExp])[] = [
  [
    'items that are none',
    `"payout_items":[${list('0', 500_000)}]`,
    /^payout_items: must be a list/,
  ],
  ['empty items', `"payout_items":[${list('{}', 340_000)}]`, /^payout_items: must be a list/],
  [
    'items with faults',
    `"payout_items":[${list(`{"payout_type":5,"${'x'.repeat(70)}":1}`, 9_999)}]`,
    /^payout_items\[0\]\.payee_amount: must .*; and 59,984 more faults \(transaction bad\)$/,
  ],
  [
    'lists in lists',
    `"payout_items":${'['.repeat(500_000)}${']'.repeat(500_000)}`,
    /^is nested more than 20 levels deep/,
  ],
  ['unknown fields', `"amount":5,${list((at) => `"${at}":0`, 90_000)}`, /^amount: must be decimal/],
  [
    'a long number',
    `"amount":${'9'.repeat(1_000_000)}`,
    /^amount: must be decimal.*, not Infinity/,
  ],
];

function lineOf(fields: string): string {
  const given = fields.startsWith('"amount"') ? WHOLE.replace(/"amount":"47.00",/, '') : WHOLE;
  return `{${given}${fields}}`;
}

let ledger: TestLedger;
beforeEach(async () => {
  ledger = await TestLedger.create();
});
afterEach(() => ledger.drop());

/** Imports generated lines through standard input, at the speed of the import. */
async function importStream(lines: Iterable<Line>): Promise<Ended> {
  const child = startCli(ledger.database.url, ['import', '-'], { nodeOptions: SMALL_HEAP });
  child.stdin.on('error', () => undefined);
  const result = ended(child);
  let chunk: Line[] = [];
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

async function countOf(table: string): Promise<number> {
  const [row] = await ledger.rows(`SELECT COUNT(*) AS found FROM ${table}`);
  return Number(row?.found);
}

describe('The memory of an import', () => {
  it('stays flat however long the file is', async () => {
    const count = MEGABYTES * 64;
    const result = await importStream(sales(count, { other_params: 'x'.repeat(15_900) }));
    expect(result).toMatchObject({ status: 0, stderr: '' });
    expect(await countOf('transactions')).toBe(count);
  });

  it('stays flat however long each line is, and every line is stored', async () => {
    const long = Object.fromEntries(
      TRACKING_NAMES.slice(0, 15).map((field) => [field, 'x'.repeat(16_000)]),
    );
    const result = await importStream(sales(LONG_LINES, long));
    expect(result.status).toBe(0);
    expect(result.stderr).toContain('line 3: warning: tracking.vtid: cut to 2,048 characters; ');
    expect(await countOf('transactions')).toBe(LONG_LINES);
  });

  it('stays flat if lines are full of what is wrong, each in another way', async () => {
    const lines = WRONG.flatMap(([, fields]) =>
      Array.from({ length: ALIKE }, () => lineOf(fields)),
    );
    for (const line of lines) expect(line.length).toBeLessThan(2 ** 20);
    const result = await importStream(lines);
    expect(result.status).toBe(1);
    const problems = [...problemsOf(result).values()];
    expect(problems).toHaveLength(lines.length);
    for (const [index, [name, , expected]] of WRONG.entries()) {
      for (const problem of problems.slice(index * ALIKE, (index + 1) * ALIKE)) {
        expect({ name, problem }).toEqual({ name, problem: expect.stringMatching(expected) });
      }
    }
    expect(result.stderr.length).toBeLessThan(100_000);
  });

  it('stays flat if lines are full of valid payout items, also when they are imported again', async () => {
    const items = Array.from({ length: 8_000 }, () => payoutItem(1, SHORT_ITEM));
    const lines = (name: string) => [
      user(1),
      product(10, 1),
      ...Array.from({ length: 5 }, (_, at) =>
        transaction(`T${at}`, 10, { product_name: name, payout_items: items }),
      ),
    ];
    for (const name of ['a', 'b']) {
      expect(await importStream(lines(name))).toMatchObject({ status: 0, stderr: '' });
    }
    expect(await countOf('payout_items')).toBe(40_000);
  });
});
