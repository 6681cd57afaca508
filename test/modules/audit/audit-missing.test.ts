/** Lists the changes that a restored database lacks, from the audit lines in the log. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AddressList } from '../../../src/platform/values/address-list.js';
import { ApiApplicationsService } from '../../../src/modules/accounts/applications/api-applications.service.js';
import { SignInService } from '../../../src/modules/accounts/sessions/sign-in.service.js';
import { auditLinesOf, LOGGED, messageOf } from '../../support/sql/audit-log.js';
import { runCli, type Ended } from '../../support/processes/cli.js';
import {
  affiliation,
  product,
  recurringPayment,
  transaction,
  user,
} from '../../support/builders/ledger-records.js';
import { copyOf } from '../../support/sql/older-copy.js';
import { openRaw } from '../../support/sql/raw-connection.js';
import { TestService } from '../../support/servers/service.js';
import type { TestDatabase } from '../../support/sql/test-database.js';

const REQUEST =
  '{"level":"log","pid":1,"timestamp":1,"context":"Request","message":{"requestId":"Audit {"}}';
const ACTION = /^[! ] \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC {2}(.+)$/;

let service: TestService;
let restored: TestDatabase;
/** The log since a time before the backup. */
let log: string[];

beforeAll(async () => {
  service = await TestService.start(LOGGED);
  log = auditLinesOf(service);
  await service.import([
    user(1),
    product(10, 1),
    user(100),
    affiliation(100, 10),
    recurringPayment('PRE', 10, { id: 77 }),
    transaction('A', 10),
  ]);
  const key = await service.key(1);
  const applications = service.app.get(ApiApplicationsService);
  await applications.createApplication(1, 'kept', null);
  restored = await copyOf(service.database);
  await changeAll(applications, key);
});
afterAll(async () => {
  await restored.drop();
  await service.stop();
});

/** Makes every kind of change that a restore loses. */
async function changeAll(applications: ApiApplicationsService, key: string): Promise<void> {
  const denied = { approval_status: 'DENIED', custom_commission: 12 };
  await service.put('/v2.1/affiliates/100/products/10', key, denied);
  await service.put('/v2.0/recurring_payment/PRE', key, { status: 'CANCEL' });
  await service.app.get(SignInService).setPassword(1, 'correct horse battery');
  await service.app.get(ApiApplicationsService).rotateKey(2, 3_600);
  await applications.allowAddresses(2, AddressList.parse('203.0.113.7'));
  await applications.revokeApplication(1, 1);
  await applications.createApplication(1, "O'Hara \u202e", null);
  await applications.revokeApplication(3);
  await applications.setAccess(2, 'read');
  await applications.createApplication(1, 'Dashboard', null, { access: 'masked' });
  await applications.createSource(1, 'Shop', null);
  await applications.createSource(null, 'Every shop', null);
}

function missing(on: TestDatabase, input: Buffer | string, file = '-'): Promise<Ended> {
  return runCli(on.url, ['audit', 'missing', file], { input });
}

/** Returns the mark, the action and the subject of each change, and the advice for it. */
function listed(stdout: string): { action: string; todo: string }[] {
  const lines = stdout.split('\n');
  return lines.flatMap((line, at) => {
    const [, what] = ACTION.exec(line) ?? [];
    if (what === undefined) return [];
    return [{ action: `${line.charAt(0)} ${what}`, todo: lines[at + 2]?.trim() ?? '' }];
  });
}

const LOST = [
  '! affiliation.set  affiliate 100, product 10',
  '! recurring_payment.cancel  recurring payment 77',
  '! password.set  user 1',
  '! key.rotate  application 2 of user 1',
  '! key.allow  application 2 of user 1',
  '! key.revoke  application 1 of user 1',
  '  key.create  application 3 of user 1',
  '  key.revoke  application 3 of user 1',
  '! key.access  application 2 of user 1',
  '  key.create  application 4 of user 1',
  '  key.create  application 5 of user 1',
  '  key.create  application 6 of user 0',
];

describe('audit missing', () => {
  it('finds nothing if nothing is lost', async () => {
    const all = [REQUEST, ...log, 'no line of a log', ''].join('\n');
    const { status, stdout } = await missing(service.database, all);
    expect(stdout).toBe('Audit entries: 14, none missing. Other lines, skipped: 2.\n');
    expect(status).toBe(0);
  });

  it('does not report that nothing is missing if the log has no audit lines', async () => {
    const { status, stdout, stderr } = await missing(restored, `${REQUEST}\n`);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toMatch(/no audit lines; AUDIT_LOG=on writes them/);
  });

  it('lists exactly the entries that a restored database lacks, from a file or standard input', async () => {
    const text = log.join('\n');
    const file = join(restored.folder, 'log.gz');
    writeFileSync(file, gzipSync(text));
    const results = [await missing(restored, text), await missing(restored, '', file)];
    for (const { status, stdout, stderr } of results) {
      expect(listed(stdout).map(({ action }) => action)).toEqual(LOST);
      expect(stdout).toMatch(/\nAudit entries: 14; missing: 12; .*marked with !: 7\. .* 0\.\n$/);
      expect({ status, stderr }).toEqual({ status: 1, stderr: '' });
    }
    expect(results[0]?.stdout).toContain('by user 1 through application 1, entry 3\n');
    expect(results[0]?.stdout).toContain('by the operator, entry 5\n');
  });

  it('reads the format for people, also with the prefix of a log collector', async () => {
    const plain = log.map((line) => `service-1 | Audit ${JSON.stringify(messageOf(line))}\r`);
    const { stdout } = await missing(restored, plain.join('\n'));
    expect(listed(stdout).map(({ action }) => action)).toEqual(LOST);
  });

  it('marks entries whose outcome is unknown', async () => {
    const [line = ''] = log.slice(-1);
    const unknown = { ...messageOf(line), outcome: 'unknown' };
    const { stdout } = await missing(restored, `Audit ${JSON.stringify(unknown)}`);
    expect(stdout).toContain('which may never have been stored');
  });

  it.each(['\u001b]0;x\u0007', '\u009b2J', '\u202e', "'; reboot #\n"])(
    'escapes a forged line for the terminal and the shell: %j',
    async (text) => {
      const forged = [
        { action: text, subject: text, after: {} },
        {
          action: 'key.create',
          subject: text,
          after: { user_id: text, name: text, expires: text },
        },
        { action: 'affiliation.set', subject: text, after: { created: text, comments: text } },
      ].map((entry) => ({ ...messageOf(log[0] ?? ''), ...entry }));
      const lines = forged.map((entry) => `Audit ${JSON.stringify(entry)}`);
      const { status, stdout } = await missing(restored, lines.join('\n'));
      expect(status).toBe(1);
      expect(stdout.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202e]/u);
      expect(stdout.split('\n')).toHaveLength(3 * forged.length + 2);
      expect(stdout).not.toMatch(/--name '; reboot/);
    },
  );

  it.each(['/nowhere/at/all', '/'])('exits with 2 if it cannot read %s', async (file) => {
    const { status, stdout, stderr } = await missing(restored, '', file);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toContain(`${file}: cannot be read: `);
  });
});

describe('the advice of audit missing', () => {
  let todo: Map<string, string>;
  beforeAll(async () => {
    const { stdout } = await missing(restored, log.join('\n'));
    todo = new Map(listed(stdout).map((each) => [each.action, each.todo]));
  });

  /** Returns the text behind `npm run cli --`. */
  const commandOf = (action: string) => / npm run cli -- (.+)$/.exec(todo.get(action) ?? '')?.[1];

  it('is a command for each change of a key', () => {
    expect(commandOf('! key.revoke  application 1 of user 1')).toBe('keys revoke 1');
    expect(commandOf('! key.rotate  application 2 of user 1')).toBe('keys rotate 2');
    expect(commandOf('! key.allow  application 2 of user 1')).toBe('keys allow 2 203.0.113.7');
    expect(commandOf('! password.set  user 1')).toBe('users set-password 1');
    expect(commandOf('  key.create  application 3 of user 1')).toBe(
      "keys create --user 1 --name 'O'\\''Hara \\u202e'",
    );
    expect(todo.get('  key.revoke  application 3 of user 1')).toMatch(/^Nothing: /);
    expect(commandOf('! key.access  application 2 of user 1')).toBe('keys access 2 read');
  });

  it('creates an application again with its access, and a source as one', () => {
    expect(commandOf('  key.create  application 4 of user 1')).toBe(
      'keys create --user 1 --name Dashboard --access masked',
    );
    expect(commandOf('  key.create  application 5 of user 1')).toBe(
      'keys create --source Shop --vendor 1',
    );
    expect(commandOf('  key.create  application 6 of user 0')).toBe(
      "keys create --source 'Every shop'",
    );
  });

  it('restores affiliate terms', async () => {
    const [, line = ''] = / printf '%s\\n' '(.+)' \| /.exec(todo.get(LOST[0] ?? '') ?? '') ?? [];
    const { status, stderr } = await runCli(restored.url, ['import', '-'], { input: line });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const [, update = ''] = /(UPDATE .+;)$/.exec(todo.get(LOST[0] ?? '') ?? '') ?? [];
    await rowsOf(restored, 'SELECT 1', update);
    const sql = 'SELECT * FROM affiliations';
    expect(await rowsOf(restored, sql)).toEqual(await rowsOf(service.database, sql));
  });

  it('cancels a recurring payment in the database', async () => {
    const [, sql = ''] = /(UPDATE .+;)$/.exec(todo.get(LOST[1] ?? '') ?? '') ?? [];
    await rowsOf(restored, 'SELECT 1', sql);
    const states = 'SELECT status, overruled FROM recurring_payments';
    const overruled = '{"status":{"said":"ACTIVE"}}';
    expect(await rowsOf(restored, states)).toEqual([{ status: 'CANCELED', overruled }]);
  });

  it('does not confuse entries or applications whose ids were reused', async () => {
    await runCli(restored.url, ['keys', 'revoke', '1']);
    await runCli(restored.url, ['keys', 'create', '--user', '1', '--name', 'another third']);
    const { status, stdout } = await missing(restored, log.join('\n'));
    expect(status).toBe(1);
    const after = new Map(listed(stdout).map((each) => [each.action.slice(2), each.todo]));
    expect([...after.keys()]).toEqual(LOST.map((each) => each.slice(2)));
    expect(after.get('key.revoke  application 1 of user 1')).toBe(
      'Nothing: the application is revoked.',
    );
    expect(after.get('key.revoke  application 3 of user 1')).toMatch(/^Nothing: /);
  });
});

async function rowsOf(database: TestDatabase, sql: string, before?: string): Promise<unknown[]> {
  const raw = await openRaw(database.url);
  try {
    if (before !== undefined) await raw.run(before);
    return await raw.rows(sql);
  } finally {
    await raw.close();
  }
}
