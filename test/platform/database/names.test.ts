/** The name of a person or thing cannot imitate other output on a terminal. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { affiliation, product, transaction, user } from '../../support/builders/ledger-records.js';
import { problemsOf, TestLedger } from '../../support/builders/test-ledger.js';

/** Control characters that no text of a ledger may contain. */
const CONTROLS = ['a\u0000', 'a\nb', 'a\rb', 'a\tb', '\u001b[2J', '\u007f'];
/** Characters that only a name must not contain. */
const INVISIBLE = [
  'a\u0085b',
  '\u009b31m',
  'a\u2028b',
  'a\u2029b',
  '\u061ca',
  'a\u200e',
  'a\u200f',
  '\u202aa',
  '\u202ea',
  '\u2066a',
  '\u2069',
];
/** Persian and Sinhala need joiners, and so do emoji. */
const SCRIPTS = ['می‌خواهم', 'ශ්‍රී ලංකා', 'עברית', 'مرحبا', '漢字', 'नमस्ते', 'O’Brien-Łódź', '👩‍👩‍👧'];
const FORGED = [...CONTROLS, ...INVISIBLE];
const REFUSED =
  /: must be text without control characters, line breaks or text direction marks, not "[ -~]*" \(/;

let ledger: TestLedger;
beforeAll(async () => {
  ledger = await TestLedger.create();
  await ledger.mustImport([user(1), user(2), product(10, 1)]);
});
afterAll(() => ledger.drop());

describe('A name in a ledger', () => {
  it.each([
    ['name', (name: string) => user(900, { name })],
    ['email', (email: string) => user(900, { email })],
    ['display_name', (display_name: string) => user(900, { display_name })],
    ['name', (name: string) => product(900, 1, { name })],
  ])('is rejected as %s if it contains control characters (%#)', async (field, recordOf) => {
    const problems = [...problemsOf(await ledger.import(FORGED.map(recordOf))).values()];
    expect(problems).toHaveLength(FORGED.length);
    for (const problem of problems) expect(problem).toMatch(REFUSED);
    for (const problem of problems) expect(problem.startsWith(`${field}: `)).toBe(true);
  });

  it('can be in any script', async () => {
    await ledger.mustImport(
      SCRIPTS.map((name, at) => user(100 + at, { name, display_name: name })),
    );
    await ledger.mustImport(SCRIPTS.map((name, at) => product(100 + at, 1, { name })));
    const names = SCRIPTS.map((name) => ({ name }));
    for (const table of ['users', 'products']) {
      const sql = `SELECT name FROM ${table} WHERE id >= 100 ORDER BY id`;
      expect(await ledger.rows(sql)).toEqual(names);
    }
  });
});

describe('A sale', () => {
  it('is imported whatever the name of its customer, without control characters', async () => {
    const sales = FORGED.flatMap((text, at) => {
      const customer = { email: text, first_name: text, last_name: text, phone: text };
      const delivery = { name: text, city: text };
      return [
        affiliation(2, 10, { comments: INVISIBLE.includes(text) ? text : 'a\tb\r\nc' }),
        transaction(`S-${at}`, 10, {
          product_name: text,
          customer,
          delivery,
          tracking: { tid: text },
        }),
      ];
    });
    await ledger.mustImport(sales);
    expect(
      await ledger.rows(
        'SELECT product_name, customer_first_name FROM transactions ORDER BY arrival',
      ),
    ).toEqual(
      FORGED.map((text) => text.replace(/(?![\u0080-\u009f])\p{Cc}/u, '')).map((text) => {
        return { product_name: text, customer_first_name: text };
      }),
    );
  });
});

describe('An application', () => {
  it.each(['\nb', '\u009b31m', '\u2028', '\u200e', '\u202e'])(
    'cannot be created with such a name (%j)',
    async (name) => {
      const made = await ledger.cli(['keys', 'create', '--user', '1', '--name', `a ${name} b`]);
      expect(made.status).toBe(1);
      expect(made.stderr).toContain('without control characters');
    },
  );

  it('that already has such a name is listed on one line', async () => {
    await ledger.key(1);
    const forged = 'a\nApplication 9 "b" \u009b31m\u202e';
    await ledger.run(`UPDATE api_applications SET name = '${forged}'`);
    const shown = 'a\\u000aApplication 9 "b" \\u009b31m\\u202e';
    const listed = await ledger.cli(['keys', 'list']);
    expect(listed.stdout).toMatch(/^[ -~]*\n$/);
    expect(listed.stdout).toContain(shown);
    const json = await ledger.cli(['keys', 'list', '--json']);
    expect(json.stdout).toMatch(/^[ -~]*\n$/);
    expect(JSON.parse(json.stdout)).toMatchObject({ name: forged });
  });
});

describe('The audit log', () => {
  it('shows such a name escaped', async () => {
    await ledger.run("UPDATE users SET name = 'a\u009b31m\u202e' WHERE id = 1");
    await ledger.mustImport([user(1)]);
    const { stdout } = await ledger.cli(['audit', '--last', '1']);
    expect(stdout).toMatch(/^[ -~]*\n$/);
    expect(stdout).toContain('a\\u009b31m\\u202e');
  });
});

describe('A file that cannot be read', () => {
  it('is named on one line, escaped', async () => {
    const { stderr } = await ledger.cli(['import', 'no\nsuch \u009b31m\u202efile']);
    expect(stderr).toMatch(/^no\\u000asuch \\u009b31m\\u202efile: cannot be read: [ -~]*\n$/);
  });
});
