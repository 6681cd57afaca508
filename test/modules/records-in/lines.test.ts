import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Ended } from '../../support/processes/cli.js';
import {
  clicks,
  product,
  refund,
  transaction,
  user,
} from '../../support/builders/ledger-records.js';
import {
  bytesOf,
  problemsOf,
  summaryOf,
  TestLedger,
  type Line,
} from '../../support/builders/test-ledger.js';

const MEBIBYTE = 1024 * 1024;
const BOM = '\ufeff';
const TYPES = ['user', 'product', 'affiliation', 'recurring_payment', 'transaction', 'clicks'];

let ledger: TestLedger;
beforeAll(async () => {
  ledger = await TestLedger.create();
});
afterAll(() => ledger.drop());

async function names(): Promise<unknown[]> {
  return (await ledger.rows('SELECT name FROM users ORDER BY id')).map(({ name }) => name);
}

/** Returns a user record of exactly this many bytes. */
function userOfBytes(id: number, bytes: number): string {
  const frame = JSON.stringify({ ...user(id), ignored: '' });
  return JSON.stringify({ ...user(id), ignored: 'x'.repeat(bytes - frame.length) });
}

describe('A line that is not a record', () => {
  const NOT_RECORDS: readonly (readonly [string, Line, RegExp])[] = [
    ['plain text', 'hello', /^is not valid JSON$/],
    ['half a record', '{"type":"user","id":7', /^is not valid JSON$/],
    ['two records', `${JSON.stringify(user(7))}${JSON.stringify(user(8))}`, /^is not valid JSON$/],
    ['blanks', '   ', /^is not valid JSON$/],
    ['a byte-order mark behind the first line', `${BOM}${JSON.stringify(user(7))}`, /JSON/],
    [
      'invalid UTF-8',
      Buffer.from('{"type":"user","name":"\xff"}', 'latin1'),
      /^is not valid UTF-8$/,
    ],
    ['UTF-8 that is cut off', Buffer.from('{"name":"\xe2\x82"}', 'latin1'), /^is not valid UTF-8$/],
    ['a surrogate as UTF-8', Buffer.from('{"a":"\xed\xa0\x80"}', 'latin1'), /^is not valid UTF-8$/],
    ['a list', '[{"type":"user"}]', /^is not a JSON object$/],
    ['text', '"user"', /^is not a JSON object$/],
    ['null', 'null', /^is not a JSON object$/],
    ['a number', '17', /^is not a JSON object$/],
    ['more than a mebibyte', userOfBytes(7, MEBIBYTE + 1), /^is longer than 1 MiB$/],
    ['a record without a type', { id: 7 }, /^type: must be /],
    ['a type of null', { ...user(7), type: null }, /^type: must be /],
    ['an unknown type', { ...user(7), type: 'users' }, /^type: must be /],
    ['a type that is no text', { ...user(7), type: ['user'] }, /^type: must be /],
    ['an inherited name as its type', { ...user(7), type: 'constructor' }, /^type: must be /],
  ];
  let result: Ended;
  beforeAll(async () => {
    const lines = NOT_RECORDS.map(([, line]) => line);
    result = await ledger.import([user(1), ...lines, user(2)], '--json');
  });

  it.each(NOT_RECORDS)('is rejected with its line number (%s)', (_, line, problem) => {
    const number = 2 + NOT_RECORDS.findIndex((one) => one[1] === line);
    expect(problemsOf(result).get(number)).toMatch(problem);
  });

  it('is reported with all valid types if its type is wrong', () => {
    for (const type of TYPES) expect(problemsOf(result).get(NOT_RECORDS.length)).toContain(type);
  });

  it('does not stop the import: the lines around it are imported', async () => {
    expect(await names()).toEqual(['User 1', 'User 2']);
  });

  it('is counted as rejected', () => {
    const rejected = Object.values(summaryOf(result)).reduce((sum, one) => sum + one.rejected, 0);
    expect(rejected).toBe(NOT_RECORDS.length);
  });
});

describe('A bad amount', () => {
  it('is reported in the documented words', async () => {
    const world = [user(1), product(10, 1)];
    const sales = Array.from({ length: 14 }, (_, index) => transaction(`S${index}`, 10));
    const lines = [...world, ...sales, transaction('bad', 10, { amount: 47 })];
    const { status, stderr } = await ledger.import(lines);
    expect(stderr).toBe(
      'line 17: amount: must be decimal text with at most 2 decimal places, not 47 (transaction bad)\n',
    );
    expect(status).toBe(1);
  });

  it('is reported together with the other errors of its line', async () => {
    const line = transaction('bad', 10, { amount: 47, status: 'sold', product_name: null });
    const problem = problemsOf(await ledger.import([line])).get(1);
    for (const path of ['amount', 'status', 'product_name'])
      expect(problem).toContain(`${path}: must`);
  });
});

describe('A problem', () => {
  it('shows the wrong value, shortened and with control characters escaped, and the record', async () => {
    const lines = [
      transaction('PA-1', 10, { amount: '47.001' }),
      transaction('PA 2\u001b[31m', 10),
      user(5, { name: 'x'.repeat(300) }),
      user(6, { status: 'a\n\u202eb' }),
      clicks(2, 10, { clicks: { a: 1 } }),
      clicks(2, 999, { unique_clicks: [1] }),
      transaction('PA-3', 999),
      user(7, { id: 'seven' }),
    ];
    const told = (await ledger.import(lines)).stderr.split('\n');
    const text = '1 to 64 printable ASCII characters without spaces';
    expect(told).toEqual([
      'line 1: amount: must be decimal text with at most 2 decimal places, not "47.001" (transaction PA-1)',
      `line 2: transaction_id: must be ${text}, not "PA 2\\u001b[31m" (transaction PA 2\\u001b[31m)`,
      `line 3: name: must be at most 255 characters long, not "${'x'.repeat(60)}…" (user 5)`,
      'line 4: status: must be active or suspended, not "a\\n\\u202eb" (user 6)',
      'line 5: clicks: must be a whole number, 0 or more, not an object (clicks 2/10/2025-06-01)',
      'line 6: unique_clicks: must be a whole number, 0 or more, not a list (clicks 2/999/2025-06-01)',
      'line 7: product_id: there is no product 999 (transaction PA-3)',
      'line 8: id: must be a whole number, 1 or more, not "seven" (user seven)',
      '',
    ]);
  });

  it('is shown up to 100 times; the rest is counted', async () => {
    const lines = Array.from({ length: 3_314 }, (_, index) => `bad ${index}`);
    const told = (await ledger.import(lines)).stderr.trimEnd().split('\n');
    expect(told).toHaveLength(101);
    expect(told.at(-2)).toBe('line 100: is not valid JSON');
    expect(told.at(-1)).toBe('and 3,214 more problems');
  });
});

describe('A transaction whose payouts or refund are more than was paid', () => {
  const high = { payouts: { ...transaction('W', 10).payouts, jv_payout: '0.01' } };

  it('is imported with a warning, also with --strict, and counted', async () => {
    const lines = [
      user(1),
      product(10, 1),
      transaction('W1', 10, high),
      transaction('W2', 10, { ...high, taxes: { vat_tax: '0.01' } }),
      transaction('W3', 10, { ...high, shipping_fee: '0.009999' }),
      transaction('W4', 10, {
        status: 'refunded',
        refund: refund('2025-06-05T00:00:00Z', { refund_amount: '47.01' }),
      }),
    ];
    const { status, stdout, stderr } = await ledger.import(lines, '--strict', '--json');
    expect(status).toBe(0);
    const paid = 'more than was paid (47.00 with taxes and shipping)';
    expect(stderr.split('\n')).toEqual([
      `line 3: warning: payouts: add up to 47.01, ${paid} (transaction W1)`,
      `line 5: warning: payouts: add up to 47.01, ${paid} (transaction W3)`,
      `line 6: warning: refund: takes back 47.01, ${paid} (transaction W4)`,
      '',
    ]);
    expect(JSON.parse(stdout)).toMatchObject({
      transaction: { inserted: 4, rejected: 0, warnings: 3 },
      user: { warnings: 0 },
    });
  });

  it('causes a warning again when it is imported again, shown at most 100 times and counted in the summary', async () => {
    const many = Array.from({ length: 102 }, (_, index) => transaction(`W${index}`, 10, high));
    await ledger.mustImport([user(1), product(10, 1), ...many]);
    const { status, stdout, stderr } = await ledger.import(many);
    expect(status).toBe(0);
    expect(stdout).toMatch(/^transaction .*102 unchanged, 0 rejected, 102 warnings$/m);
    expect(stderr.trimEnd().split('\n')).toHaveLength(101);
    expect(stderr).toMatch(/\nand 2 more warnings\n$/);
  });
});

describe('A transaction without a required object', () => {
  it('is rejected with the name of the object that is missing or not an object', async () => {
    const values = [undefined, null, 'text', []];
    const lines = ['customer', 'payouts'].flatMap((name) =>
      values.map((value) => transaction('bad', 10, { [name]: value })),
    );
    const problems = [...problemsOf(await ledger.import(lines)).values()];
    expect(problems).toEqual([
      ...values.map(() => expect.stringMatching(/^customer: must be .*an object/)),
      ...values.map(() => expect.stringMatching(/^payouts: must be .*an object/)),
    ]);
  });
});

describe('A ledger file', () => {
  const [one, two] = [JSON.stringify(user(31)), JSON.stringify(user(32))];

  it.each([
    ['with line ends of two characters', `${one}\r\n${two}\r\n`],
    ['with a byte-order mark', `${BOM}${one}\n${two}\n`],
    ['with a byte-order mark in gzip', gzipSync(`${BOM}${one}\n${two}\n`)],
    ['with a byte-order mark on a line of its own', `${BOM}\n${one}\n${two}\n`],
    ['with empty lines', `\n${one}\n\r\n\n${two}\n\n`],
    ['without a newline at its end', `${one}\n${two}`],
  ])('is imported %s', async (_, text) => {
    await ledger.run('DELETE FROM users WHERE id IN (31, 32)');
    const { status, stderr } = await ledger.cli(['import', '-'], { input: text });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(await names()).toEqual(expect.arrayContaining(['User 31', 'User 32']));
  });

  it.each([
    ['with a mark', `${BOM}${one}\n${two}\n`],
    ['without one', `${one}\n${two}\n`],
    ['of which only a line end is there', '\n'],
  ])('that is UTF-16 cannot be read, which is said once (%s)', async (_, text) => {
    const little = Buffer.from(text, 'utf16le');
    const big = Buffer.from(little).swap16();
    for (const input of [little, big, gzipSync(little)]) {
      const { status, stderr } = await ledger.cli(['import', '-'], { input });
      expect({ status, stderr }).toEqual({
        status: 2,
        stderr: '-: cannot be read: it is UTF-16; save it as UTF-8\n',
      });
    }
  });

  it.each([
    ['nothing', ''],
    ['nothing but a byte-order mark', BOM],
    ['nothing but empty lines', '\n\r\n\n'],
  ])('can contain %s', async (_, input) => {
    const result = await ledger.cli(['import', '-', '--json'], { input });
    expect(result).toMatchObject({ status: 0, stderr: '' });
    const counts = Object.values(summaryOf(result)).flatMap((of) => Object.values(of));
    expect(new Set(counts)).toEqual(new Set([0]));
  });

  it('numbers a bad line with the empty lines before it counted', async () => {
    const { stderr } = await ledger.cli(['import', '-'], { input: `${one}\n\n\r\n\nbad` });
    expect(stderr).toBe('line 5: is not valid JSON\n');
  });

  it('can have a line of exactly one mebibyte, and lines after a longer one', async () => {
    const lines = [userOfBytes(41, MEBIBYTE), userOfBytes(42, 3 * MEBIBYTE), user(43)];
    const { stderr } = await ledger.cli(['import', '-'], { input: bytesOf(lines) });
    expect(stderr).toBe('line 2: is longer than 1 MiB\n');
    expect(await names()).toEqual(expect.arrayContaining(['User 41', 'User 43']));
    expect(await names()).not.toContain('User 42');
  });
});
