import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runCli, type Ended } from '../../support/processes/cli.js';
import { user } from '../../support/builders/ledger-records.js';
import { openRaw, type RawConnection } from '../../support/sql/raw-connection.js';
import { ApiApplicationsService } from '../../../src/modules/accounts/applications/api-applications.service.js';
import { TestService } from '../../support/servers/service.js';
import { within } from '../../support/processes/within.js';

interface Issued {
  readonly id: number;
  readonly user_id: number;
  readonly name: string;
  readonly key: string;
}

let service: TestService;
let raw: RawConnection;
beforeAll(async () => {
  service = await TestService.start();
  await service.import([user(1), user(2)]);
  raw = await openRaw(service.database.url);
});
afterAll(async () => {
  await raw.close();
  await service.stop();
});

function keys(...args: string[]): Promise<Ended> {
  return runCli(service.database.url, ['keys', ...args]);
}

async function created(...options: string[]): Promise<Issued> {
  const { stdout } = await keys('create', '--user', '1', '--name', 'Reports', '--json', ...options);
  return JSON.parse(stdout) as Issued;
}

/** Creates an application. */
async function application(expires: string | null = null): Promise<Pick<Issued, 'id' | 'key'>> {
  const accounts = service.app.get(ApiApplicationsService);
  const issued = await accounts.createApplication(1, 'Reports', expires);
  return { id: issued.application.id, key: issued.key };
}

async function statusOf(key: string): Promise<number> {
  const path = '/v3.0/transactions?start_date=2025-06-01&end_date=2025-06-01';
  return (await service.get(path, key)).status;
}

async function expiryOf(id: number): Promise<unknown> {
  const [row] = await raw.rows(`SELECT expires FROM api_applications WHERE id = ${id}`);
  return row?.expires;
}

describe('keys create', () => {
  it('prints one line of JSON with --json, and nothing else', async () => {
    const result = await keys('create', '--user', '2', '--name', 'My "app" 🦊', '--json');
    expect(result).toMatchObject({ status: 0, stderr: '' });
    expect(result.stdout).toMatch(/^\{"id":\d+,"user_id":2,"name":"[^\n]+","key":"\w+"\}\n$/);
    expect(JSON.parse(result.stdout)).toMatchObject({ user_id: 2, name: 'My "app" 🦊' });
  });

  it('shows the key in text without --json', async () => {
    const { status, stdout } = await keys('create', '--user', '1', '--name', 'Reports');
    expect(status).toBe(0);
    const [, key = ''] = /^Key: (\w+)$/m.exec(stdout) ?? [];
    expect(await statusOf(key)).toBe(200);
  });

  it('creates a working key, a different one each time', async () => {
    const first = await created();
    const second = await created();
    expect(second.key).not.toBe(first.key);
    expect(second.id).toBeGreaterThan(first.id);
    expect([await statusOf(first.key), await statusOf(second.key)]).toEqual([200, 200]);
  });

  it.each([
    ['a date, until its end', '2099-12-31', '2099-12-31 23:59:59'],
    ['a date-time with an offset', '2099-12-31T20:00:00-05:00', '2100-01-01 01:00:00'],
  ])('accepts --expires as %s', async (_, expires, kept) => {
    const { id, key } = await created('--expires', expires);
    expect(await expiryOf(id)).toBe(kept);
    expect(await statusOf(key)).toBe(200);
  });

  it('creates a key that is refused after it has expired', async () => {
    const soon = new Date(Date.now() - 1_000).toISOString();
    expect(await statusOf((await created('--expires', soon)).key)).toBe(401);
  });

  it('exits with 1 and one line for an unknown user', async () => {
    const result = await keys('create', '--user', '99', '--name', 'Reports', '--json');
    expect(result).toEqual({ status: 1, stdout: '', stderr: 'There is no user 99.\n' });
  });

  it.each([
    [['create', '--name', 'Reports'], '--user'],
    [['create', '--user', '1'], '--name'],
    [['create', '--user', 'one', '--name', 'Reports'], '--user'],
    [['create', '--user', '-1', '--name', 'Reports'], '--user'],
    [['create', '--user', '1', '--name', ' '], '--name'],
    [['create', '--user', '1', '--name', 'x'.repeat(256)], '--name'],
    [['create', '--user', '1', '--name', 'x', '--expires', '2099-02-30'], '--expires'],
    [['create', '--user', '1', '--name', 'x', '--expires', '2099-01-01T00:00:00'], '--expires'],
    [['rotate', '1', '--overlap', '1 day'], '--overlap'],
    [['rotate', 'one'], 'id'],
    [['revoke'], 'id'],
    [['end-overlap'], 'id'],
    [['list', '--all'], '--all'],
  ])('and the other commands refuse invalid options and name them (%j)', async (args, named) => {
    const before = await raw.rows('SELECT id FROM api_applications');
    const { status, stdout, stderr } = await keys(...args);
    expect(status).toBe(1);
    expect(stdout).toBe('');
    expect(stderr).toMatch(/^error: [^\n]+\n$/);
    expect(stderr).toContain(named);
    expect(await raw.rows('SELECT id FROM api_applications')).toEqual(before);
  });
});

describe('keys list', () => {
  it('shows each application without its key', async () => {
    const { id, key } = await application('2099-12-31 23:59:59');
    const [text, json] = [await keys('list'), await keys('list', '--json')];
    expect([text.status, json.status]).toEqual([0, 0]);
    expect(text.stdout).toContain(`Application ${id} "Reports" of user 1: active`);
    const rows = json.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown);
    expect(rows).toContainEqual({
      id,
      user_id: 1,
      name: 'Reports',
      state: 'active',
      access: 'full',
      created: expect.any(String),
      expires: '2099-12-31 23:59:59',
      address_allow_list: null,
      limits: null,
      mcp_writes: false,
      last_used: null,
      old_key_ends: null,
    });
    expect(text.stdout + json.stdout).not.toContain(key);
  });
});

describe('keys revoke', () => {
  it('revokes the key permanently', async () => {
    const { id, key } = await application();
    expect(await keys('revoke', String(id))).toMatchObject({ status: 0, stderr: '' });
    expect(await statusOf(key)).toBe(401);
    expect((await keys('list')).stdout).toContain(`Application ${id} "Reports" of user 1: revoked`);
  });

  it('revokes both keys of a rotation with an overlap', async () => {
    const { id, key } = await application();
    const { stdout } = await keys('rotate', String(id), '--overlap', '1h', '--json');
    await keys('revoke', String(id));
    const { key: next } = JSON.parse(stdout) as Issued;
    expect([await statusOf(key), await statusOf(next)]).toEqual([401, 401]);
  });
});

describe('keys rotate', () => {
  it('creates a new key and ends the old one immediately', async () => {
    const { id, key } = await application();
    const { stdout, status } = await keys('rotate', String(id), '--json');
    const next = JSON.parse(stdout) as Issued;
    expect({ status, next }).toMatchObject({
      status: 0,
      next: { id, user_id: 1, name: 'Reports' },
    });
    expect([await statusOf(key), await statusOf(next.key)]).toEqual([401, 200]);
  });

  it('keeps the old key valid for the time of --overlap', async () => {
    const { id, key } = await application();
    const { stdout } = await keys('rotate', String(id), '--overlap', '24h', '--json');
    const next = JSON.parse(stdout) as Issued;
    expect([await statusOf(key), await statusOf(next.key)]).toEqual([200, 200]);
  });

  it('and keys list show until when the old key works, and keys end-overlap ends it', async () => {
    const { id, key } = await application();
    const rotated = (await keys('rotate', String(id), '--overlap', '24h')).stdout;
    const [, next = ''] = /^Key: (\w+)$/m.exec(rotated) ?? [];
    const [, ends = ''] =
      /^The old key works until ([\d-]{10} [\d:]{8}) UTC\.$/m.exec(rotated) ?? [];
    const [row] = await raw.rows(
      `SELECT MAX(expires) AS ends FROM api_keys WHERE application_id = ${id}`,
    );
    expect(ends).toBe(row?.ends);
    const lineOf = async () =>
      (await keys('list')).stdout.split('\n').find((line) => line.startsWith(`Application ${id} `));
    expect(await lineOf()).toContain(`, old key works until ${ends} UTC`);
    expect((await keys('list', '--json')).stdout).toContain(`"old_key_ends":"${ends}"`);
    expect(await statusOf(key)).toBe(200);
    const ended = await keys('end-overlap', String(id));
    expect(ended).toEqual({
      status: 0,
      stdout: `Application ${id}: the old key no longer works\n`,
      stderr: '',
    });
    await within(2_000, async () => {
      expect(await statusOf(key)).toBe(401);
    });
    expect(await statusOf(next)).toBe(200);
    expect(await lineOf()).not.toContain('old key');
    expect((await keys('end-overlap', String(id))).stdout).toBe(
      `Application ${id}: no old key works\n`,
    );
    const entries = await raw.rows(
      `SELECT user_id FROM audit_log WHERE action = 'key.end-overlap' AND application_id = ${id}`,
    );
    expect(entries.map(({ user_id }) => Number(user_id))).toEqual([0]);
  });

  it('creates no key for a revoked application', async () => {
    const { id } = await application();
    await keys('revoke', String(id));
    const result = await keys('rotate', String(id), '--json');
    expect(result).toMatchObject({ status: 1, stdout: '' });
    expect(result.stderr).toMatch(/^[^\n]*revoked[^\n]*\n$/);
  });
});

describe.each(['revoke', 'rotate', 'end-overlap'])('keys %s', (command) => {
  it('exits with 1 and one line for an unknown application', async () => {
    const result = await keys(command, '9999');
    expect(result).toEqual({ status: 1, stdout: '', stderr: 'There is no application 9999.\n' });
  });
});

describe('The database', () => {
  it('contains no key in clear text', async () => {
    const { key } = await created();
    const applications = await raw.rows('SELECT * FROM api_applications');
    const stored = await raw.rows('SELECT * FROM api_keys');
    expect(stored.length).toBeGreaterThan(0);
    const random = key.slice('vra_'.length, -6);
    for (const part of [key, random, Buffer.from(key).toString('base64url')]) {
      expect(JSON.stringify({ applications, stored })).not.toContain(part);
    }
  });
});
