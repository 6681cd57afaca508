import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { user } from '../../support/builders/ledger-records.js';
import { runCli, type Ended } from '../../support/processes/cli.js';
import { TestService } from '../../support/servers/service.js';
import { openRaw, type RawConnection } from '../../support/sql/raw-connection.js';

interface Issued {
  readonly id: number;
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

async function statusOf(key: string): Promise<number> {
  return (await service.get('/v3.0', key)).status;
}

describe('the access of an application', () => {
  it('is set with --access, shown by keys list, and changed by keys access', async () => {
    const { id, key } = await created('--access', 'masked');
    expect(await statusOf(key)).toBe(200);
    expect((await keys('list')).stdout).toContain(
      `Application ${id} "Reports" of user 1: active, masked access, `,
    );
    const changed = await keys('access', String(id), 'read');
    expect(changed).toMatchObject({ status: 0, stderr: '' });
    expect(changed.stdout).toContain('active, read access, ');
    const entries = await raw.rows(
      `SELECT user_id, state_before, state_after FROM audit_log
       WHERE action = 'key.access' AND application_id = ${id}`,
    );
    expect(entries.map(({ user_id }) => Number(user_id))).toEqual([0]);
    expect(JSON.parse(String(entries[0]?.state_before))).toMatchObject({ access: 'masked' });
    expect(JSON.parse(String(entries[0]?.state_after))).toMatchObject({ access: 'read' });
  });
});

describe('keys mcp-writes', () => {
  it('lets assistants change data, which keys list shows, with an entry in the audit log', async () => {
    const { id } = await created();
    expect((await keys('list')).stdout).not.toContain('assistants');
    const { stdout, status } = await keys('mcp-writes', String(id), 'on');
    expect([status, stdout]).toEqual([0, expect.stringContaining('assistants may change data')]);
    expect((await keys('list')).stdout).toContain(', assistants may change data');
    const entries = await raw.rows(
      `SELECT user_id, state_before, state_after FROM audit_log
       WHERE action = 'key.mcp-writes' AND application_id = ${id}`,
    );
    expect(entries.map(({ user_id }) => Number(user_id))).toEqual([0]);
    expect(JSON.parse(String(entries[0]?.state_before))).toMatchObject({ mcp_writes: 0 });
    expect(JSON.parse(String(entries[0]?.state_after))).toMatchObject({ mcp_writes: 1 });
    expect((await keys('mcp-writes', String(id), 'off')).stdout).not.toContain('assistants');
  });
});

describe('keys create --source', () => {
  it('creates a source of one vendor, which stays a source', async () => {
    const { stdout } = await keys('create', '--source', 'Shop', '--vendor', '2', '--json');
    const { id, key, ...made } = JSON.parse(stdout) as Issued;
    expect(made).toEqual({ user_id: 2, name: 'Shop' });
    expect(await statusOf(key)).toBe(403);
    const changed = await keys('access', String(id), 'full');
    expect(changed).toMatchObject({ status: 1, stdout: '' });
    expect(changed.stderr).toMatch(/^Application \d+ is a source, [^\n]+\n$/);
    expect((await keys('list')).stdout).toContain(
      `Application ${id} "Shop" of user 2: active, source access, `,
    );
  });

  it('creates a source of all vendors, which belongs to no user', async () => {
    const { stdout } = await keys('create', '--source', 'Every shop');
    expect(stdout).toMatch(
      /^Application \d+ "Every shop" of all vendors: active, source access, created [^\n]+\nKey: \w+\n$/,
    );
  });

  it.each(['99', '0'])('exits with 1 and one line for the unknown vendor %s', async (vendor) => {
    const result = await keys('create', '--source', 'Shop', '--vendor', vendor);
    expect(result).toEqual({ status: 1, stdout: '', stderr: `There is no user ${vendor}.\n` });
  });
});

describe('what does not fit together', () => {
  it.each([
    [['create', '--user', '1', '--name', 'x', '--access', 'write'], 'full, read or masked'],
    [['create', '--user', '1', '--name', 'x', '--access', 'source'], 'keys create --source'],
    [['create', '--user', '1', '--name', 'x', '--vendor', '1'], "'--vendor <id>' is only for"],
    [['create', '--source', 'x', '--user', '1'], '--user'],
    [['create', '--source', 'x', '--access', 'read'], '--access'],
    [['create', '--source', 'x', '--vendor', 'one'], '--vendor'],
    [['create', '--source', ' '], '--source'],
    [['access', '1', 'source'], 'stays one'],
    [['access', '1'], 'access'],
    [['mcp-writes', '1', 'yes'], 'on or off'],
  ])('is refused, explained, and changes nothing (%j)', async (args, explained) => {
    const before = await raw.rows('SELECT * FROM api_applications');
    const { status, stdout, stderr } = await keys(...args);
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^error: [^\n]+\n$/);
    expect(stderr).toContain(explained);
    expect(await raw.rows('SELECT * FROM api_applications')).toEqual(before);
  });
});
