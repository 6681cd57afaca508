/** Each audit entry is also written as a line of the log, once it is committed. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Database } from '../../../src/platform/database/database.js';
import { AuditService } from '../../../src/modules/audit/audit.service.js';
import { auditLinesOf, LOGGED, messageOf, someEntry } from '../../support/sql/audit-log.js';
import { runCli } from '../../support/processes/cli.js';
import { HOSTILE } from '../../../testing/src/hostile/hostile-texts.js';
import { basic, send } from '../../support/http/http.js';
import { affiliation, product, user } from '../../support/builders/ledger-records.js';
import { endAll, RunningService, until } from '../../support/servers/running-service.js';
import { TestService } from '../../support/servers/service.js';
import { TestLedger } from '../../support/builders/test-ledger.js';

const RELATIONSHIP = '/v2.1/affiliates/100/products/10';
const LEDGER = [user(1), product(10, 1), user(100), affiliation(100, 10)];

const UNSAFE = /[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;

let service: TestService;
let key: string;
let lines: string[];

beforeAll(async () => {
  service = await TestService.start(LOGGED);
  auditLinesOf(service);
  await service.import(LEDGER);
  key = await service.key(1);
});
beforeEach(() => {
  lines = auditLinesOf(service);
});
afterEach(endAll);
afterAll(() => service.stop());

const cli = (args: string[], env: Record<string, string> = {}) =>
  runCli(service.database.url, args, { env });
const put = (custom_commission: number) =>
  service.put(RELATIONSHIP, key, { approval_status: 'INSTANT', custom_commission });

async function last(count: number): Promise<unknown[]> {
  const { stdout } = await cli(['audit', '--last', String(count)]);
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);
}

describe('a change through the service', () => {
  it('has a line before its answer, with all that the audit log has', async () => {
    expect((await put(7)).status).toBe(200);
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 'log', context: 'Audit' });
    expect(lines.map(messageOf)).toEqual(await last(1));
    // The value is already the same, so there is no change.
    expect((await put(7)).status).toBe(200);
    expect(lines).toHaveLength(1);
  });

  it('contains no key, whoever creates one', async () => {
    const made = await service.key(1);
    expect(lines.map(messageOf)).toMatchObject([{ action: 'key.create', application_id: 2 }]);
    expect(lines.join()).not.toContain(made.slice(4));
  });

  it('has a line of the worker that made it, with several workers', async () => {
    const ledger = TestLedger.on(service.database);
    const running = await RunningService.start(ledger, 2, LOGGED);
    const body = JSON.stringify({ approval_status: 'INSTANT', custom_commission: 8 });
    const headers = { ...basic(key), 'Content-Type': 'application/json' };
    const request = { method: 'PUT', path: RELATIONSHIP, headers, body };
    expect((await send(running.port, request)).status).toBe(200);
    await until('the line', () => running.lines(/"Audit"/).length > 0);
    const told = running.lines(/"Audit"/);
    expect(told.map(messageOf)).toEqual(await last(1));
    expect(running.workers).toContain((JSON.parse(told[0] ?? '') as { pid: number }).pid);
  });
});

describe('a transaction', () => {
  it('that is rolled back has no line', async () => {
    const writing = service.app.get(Database).write(async (session) => {
      await service.app.get(AuditService).record(session, someEntry('undone'));
      throw new Error('no');
    });
    await expect(writing).rejects.toThrow('no');
    expect(lines).toEqual([]);
  });

  it('that is retried has one line', async () => {
    let times = 0;
    await service.app.get(Database).write(async (session) => {
      times += 1;
      await service.app.get(AuditService).record(session, someEntry(`begun ${times}`));
      if (times < 3)
        throw Object.assign(new Error('another was first'), { code: 'ER_LOCK_DEADLOCK' });
    });
    expect(lines.map(messageOf)).toEqual(await last(1));
    expect(messageOf(lines[0] ?? '').subject).toBe('begun 3');
  });

  it('with several entries has a line for each, with its id', async () => {
    const entries = Array.from({ length: 1_203 }, (_, index) =>
      someEntry(`number ${index}`, { text: 'x'.repeat(index * 4) }),
    );
    const audit = service.app.get(AuditService);
    await service.app.get(Database).write((session) => audit.recordAll(session, entries));
    expect(lines.map((line) => messageOf(line).subject)).toEqual(
      entries.map(({ subject }) => subject),
    );
    expect(lines.map(messageOf)).toEqual(await last(entries.length));
  });

  it('without entries has no line', async () => {
    const audit = service.app.get(AuditService);
    await service.app.get(Database).write((session) => audit.recordAll(session, []));
    expect(lines).toEqual([]);
  });
});

describe('a line', () => {
  it('is one line of plain text, whatever it contains', async () => {
    const audit = service.app.get(AuditService);
    const entries = Object.values(HOSTILE)
      .flat()
      .map((text) => someEntry('hostile', { name: text.toWellFormed().slice(0, 4_000) }));
    await service.app.get(Database).write((session) => audit.recordAll(session, entries));
    expect(lines.filter((line) => UNSAFE.test(line))).toEqual([]);
    expect(lines.map(messageOf)).toEqual(await last(entries.length));
  });
});

describe('a command', () => {
  const ALLOW = ['keys', 'allow', '1', 'any'];

  it('writes the line to standard error, in the format for people outside of production', async () => {
    const { status, stdout, stderr } = await cli(ALLOW, { AUDIT_LOG: 'on' });
    expect(stderr).toMatch(/^Audit \{.*"action":"key.allow".*\}\n$/);
    expect([JSON.parse(stderr.slice('Audit '.length))]).toEqual(await last(1));
    const off = await cli(ALLOW, { AUDIT_LOG: '' });
    expect(off).toEqual({ status, stdout, stderr: '' });
    expect(status).toBe(0);
  });

  it('writes it as JSON in production', async () => {
    const { stderr } = await cli(ALLOW, { NODE_ENV: 'production', AUDIT_LOG: 'on' });
    expect([messageOf(stderr)]).toEqual(await last(1));
  });
});
