import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { USERS } from '../../../testing/src/ledger/access-row.js';
import type { CliOptions, Ended } from '../../support/processes/cli.js';
import { affiliation } from '../../support/builders/ledger-records.js';
import { formsOfKey, leaksIn, type Secrets } from '../../support/oracles/leaks.js';
import {
  PERSONAL_LEDGER,
  PERSONAL_VALUES,
  withEachReplaced,
} from '../../support/builders/personal-ledger.js';
import { TEST_SECRET } from '../../support/servers/service.js';
import { dialect } from '../../support/sql/test-database.js';
import { bytesOf, TestLedger, type Line } from '../../support/builders/test-ledger.js';

const EMAILS = PERSONAL_VALUES.filter((value) => value.includes('@'));
const AUDIT_LINE = /^\{[^\n]*"context":"Audit"[^\n]*\}\n$/;
const SALES_PAGE = 'https://sales.example/?for=quillonia.vastergard@private.example';
/** Makes the database reject a value. MySQL then quotes that value in its error. */
const TAMPER = {
  sqlite: 'CREATE UNIQUE INDEX tampered ON affiliations (custom_sales_page_url)',
  mysql: 'ALTER TABLE affiliations MODIFY custom_sales_page_url INT',
} as const;
const PERSONAL: Secrets = {
  ...Object.fromEntries(PERSONAL_VALUES.map((value) => [value, value])),
  'the sales page': SALES_PAGE,
};

let ledger: TestLedger;
const issued: Secrets[] = [];

beforeAll(async () => {
  ledger = await TestLedger.create();
  await ledger.mustImport(PERSONAL_LEDGER);
});
afterAll(() => ledger.drop());

/** Runs a command as in production, with the most verbose log. */
function run(args: readonly string[], options: CliOptions = {}): Promise<Ended> {
  const env = { NODE_ENV: 'production', LOG_LEVEL: 'debug', AUDIT_LOG: 'on', ...options.env };
  return ledger.cli(args, { ...options, env });
}

/** Runs a command that shows a key, and remembers the key. */
async function showsKey(...args: string[]): Promise<Ended> {
  const result = await run(args);
  const [key = ''] = /vra_\w+/.exec(result.stdout) ?? [];
  expect(key).not.toBe('');
  issued.push(formsOfKey(args.slice(0, 3).join(' '), key));
  return result;
}

function secrets(): Secrets {
  return Object.assign({ 'the secret of keys': TEST_SECRET }, ...issued) as Secrets;
}

/**
 * Returns lines of the ledger with every fault that a field can have, each with personal data in
 * it.
 */
function faultyLines(): Line[] {
  const records = PERSONAL_LEDGER.flatMap((record, at) => {
    // The e-mails differ, so that no line finds a record that another line created.
    const email = EMAILS[at % EMAILS.length] ?? '';
    const values = [email, email.repeat(10), { [email]: email }, [email]];
    return values.flatMap((by) => [...withEachReplaced(record, by)]);
  });
  const cutOff = PERSONAL_LEDGER.map((record) => JSON.stringify(record).slice(0, -1));
  return [
    ...records,
    ...cutOff,
    Buffer.from(`{"type":"user","name":"${EMAILS[0] ?? ''}\xff"}`, 'latin1'),
  ];
}

describe('commands on keys', () => {
  it('tell on standard error that they did it, and no key', async () => {
    const create = ['keys', 'create', '--user', String(USERS.vendor), '--name', 'tests'];
    const results = [
      await showsKey(...create),
      await showsKey(...create, '--json'),
      await showsKey('keys', 'rotate', '1', '--overlap', '1h'),
      await showsKey('keys', 'rotate', '2', '--json'),
    ];
    const told = results.map(({ stderr }) => stderr);
    expect(told.filter((line) => !AUDIT_LINE.test(line))).toEqual([]);
    expect(leaksIn(told.join(''), secrets())).toEqual([]);
  });

  it.each([
    [['keys', 'list']],
    [['keys', 'list', '--json']],
    [['keys', 'allow', '1', '192.0.2.0/24']],
    [['keys', 'revoke', '2']],
    [['limits', 'set', '1', '5/1s']],
    [['limits', 'show', '1']],
    [['limits', 'clear', '1']],
    [['audit']],
    [['verify']],
  ])('%j shows no key', async (args) => {
    const { status, stdout, stderr } = await run(args);
    expect(status).toBe(0);
    if (stderr !== '') expect(stderr).toMatch(AUDIT_LINE);
    expect(stdout).not.toBe('');
    expect(leaksIn(stdout + stderr, secrets())).toEqual([]);
  });

  it('leave no key in clear in any table', async () => {
    const everything = await ledger.everything();
    expect(issued).toHaveLength(4);
    expect(everything).toContain('key.rotate');
    expect(leaksIn(everything, secrets())).toEqual([]);
  });

  it('that are refused tell nothing of a secret that is too short', async () => {
    const KEY_ENCRYPTION_SECRET = 'Short-Secret';
    const { status, stdout, stderr } = await run(['keys', 'list'], {
      env: { KEY_ENCRYPTION_SECRET },
    });
    expect({ status, stdout }).toEqual({ status: 3, stdout: '' });
    expect(leaksIn(stderr, { KEY_ENCRYPTION_SECRET })).toEqual([]);
  });

  it('that find no database tell nothing of its password', async () => {
    const password = 'Pass-Word-Of-Mine';
    const env = { DATABASE_URL: `mysql://root:${password}@127.0.0.1:1/nowhere` };
    const { status, stderr } = await run(['keys', 'list'], { env });
    expect(status).toBe(3);
    expect(leaksIn(stderr, { password })).toEqual([]);
  });
});

describe('an import', () => {
  it('names line, record and wrong value of what it rejects, and nothing else of the line', async () => {
    const lines = faultyLines();
    const { stdout, stderr, status } = await run(['import', '-', '--dry-run'], {
      input: bytesOf(lines),
    });
    expect(status).toBe(1);
    const problems = stderr.replaceAll(/^(line \d+: warning: .*|and .* more warnings)\n/gm, '');
    expect(problems).toMatch(/^(?:line \d+: [^\n]+\n){100}and [\d,]+ more problems\n$/);
    expect(leaksIn(stdout, PERSONAL)).toEqual([]);
    // The e-mails replace other values and are invalid there. Messages name a record by its type
    // and id, and "product 10" is also the name of a product.
    const others = Object.entries(PERSONAL).filter(
      ([value]) => !EMAILS.includes(value) && !/^product \d+$/i.test(value),
    );
    expect(leaksIn(stderr, Object.fromEntries(others))).toEqual([]);
  });

  it('that the database refuses tells nothing of what was refused', async () => {
    await ledger.run(TAMPER[dialect]);
    const terms = { custom_sales_page_url: SALES_PAGE };
    const result = await run(['import', '-'], {
      input: bytesOf([USERS.vendor, USERS.other].map((id) => affiliation(id, 10, terms))),
    });
    expect(result.status).toBe(3);
    expect(result.stderr).not.toBe('');
    expect(leaksIn(result.stderr + result.stdout, { ...PERSONAL, ...secrets() })).toEqual([]);
  });
});
