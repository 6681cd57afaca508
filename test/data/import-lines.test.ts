import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Ended } from '../support/cli.js';
import { product, transaction, user } from '../support/ledger-records.js';
import { bytesOf, problemsOf, summaryOf, TestLedger, type Line } from '../support/test-ledger.js';

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

/** A user record of exactly so many bytes. */
function userOfBytes(id: number, bytes: number): string {
  const frame = JSON.stringify({ ...user(id), ignored: '' });
  return JSON.stringify({ ...user(id), ignored: 'x'.repeat(bytes - frame.length) });
}

describe('A line that is no record', () => {
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

  it.each(NOT_RECORDS)('is refused by its number (%s)', (_, line, problem) => {
    const number = 2 + NOT_RECORDS.findIndex((one) => one[1] === line);
    expect(problemsOf(result).get(number)).toMatch(problem);
  });

  it('names every type there is where the type is wrong', () => {
    for (const type of TYPES) expect(problemsOf(result).get(NOT_RECORDS.length)).toContain(type);
  });

  it('stops nothing: the lines around it are taken', async () => {
    expect(await names()).toEqual(['User 1', 'User 2']);
  });

  it('is counted as rejected', () => {
    const rejected = Object.values(summaryOf(result)).reduce((sum, one) => sum + one.rejected, 0);
    expect(rejected).toBe(NOT_RECORDS.length);
  });
});

describe('A bad amount', () => {
  it('is told in the documented words', async () => {
    const world = [user(1), product(10, 1)];
    const sales = Array.from({ length: 14 }, (_, index) => transaction(`S${index}`, 10));
    const lines = [...world, ...sales, transaction('bad', 10, { amount: 47 })];
    const { status, stderr } = await ledger.import(lines);
    expect(stderr).toBe('line 17: amount: must be decimal text with at most 2 decimal places\n');
    expect(status).toBe(1);
  });

  it('is told together with the other faults of its line', async () => {
    const line = transaction('bad', 10, { amount: 47, status: 'sold', product_name: null });
    const problem = problemsOf(await ledger.import([line])).get(1);
    for (const path of ['amount', 'status', 'product_name'])
      expect(problem).toContain(`${path}: must`);
  });
});

describe('A transaction without what it must hold', () => {
  it('is refused by the name of the object that is absent or none', async () => {
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
    ['with empty lines', `\n${one}\n\r\n\n${two}\n\n`],
    ['without a newline at its end', `${one}\n${two}`],
  ])('is taken %s', async (_, text) => {
    await ledger.run('DELETE FROM users WHERE id IN (31, 32)');
    const { status, stderr } = await ledger.cli(['import', '-'], { input: text });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(await names()).toEqual(expect.arrayContaining(['User 31', 'User 32']));
  });

  it.each([
    ['nothing', ''],
    ['nothing but empty lines', '\n\r\n\n'],
  ])('may hold %s', async (_, input) => {
    const result = await ledger.cli(['import', '-', '--json'], { input });
    expect(result).toMatchObject({ status: 0, stderr: '' });
    const counts = Object.values(summaryOf(result)).flatMap((of) => Object.values(of));
    expect(new Set(counts)).toEqual(new Set([0]));
  });

  it('counts empty lines when it numbers a bad one', async () => {
    const { stderr } = await ledger.cli(['import', '-'], { input: `${one}\n\n\r\n\nbad` });
    expect(stderr).toBe('line 5: is not valid JSON\n');
  });

  it('takes a line of exactly one mebibyte, and what follows a longer one', async () => {
    const lines = [userOfBytes(41, MEBIBYTE), userOfBytes(42, 3 * MEBIBYTE), user(43)];
    const { stderr } = await ledger.cli(['import', '-'], { input: bytesOf(lines) });
    expect(stderr).toBe('line 2: is longer than 1 MiB\n');
    expect(await names()).toEqual(expect.arrayContaining(['User 41', 'User 43']));
    expect(await names()).not.toContain('User 42');
  });
});
