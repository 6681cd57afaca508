import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AddressList } from '../../../src/platform/values/address-list.js';
import { parseLimitWindows } from '../../../src/platform/limits/limit-windows.js';
import { dateTimeOf } from '../../../src/platform/values/time.js';
import { OPERATOR } from '../../../src/platform/values/author.js';
import { ApiApplicationsService } from '../../../src/modules/accounts/applications/api-applications.service.js';
import { runCli } from '../../support/processes/cli.js';
import { expectFailure } from '../../support/oracles/failure.js';
import { user } from '../../support/builders/ledger-records.js';
import { TestLedger } from '../../support/builders/test-ledger.js';
import { TestService } from '../../support/servers/service.js';
import { within } from '../../support/processes/within.js';

const SECOND = 1_000;

let service: TestService;
let applications: ApiApplicationsService;

beforeAll(async () => {
  service = await TestService.start({ TRUST_PROXY: '1' });
  await service.import([user(1)]);
  applications = service.app.get(ApiApplicationsService);
});
afterAll(() => service.stop());

const from = (address: string, key: string) =>
  service.get('/v3.0', key, { 'X-Forwarded-For': address });
const cli = (...args: string[]) => runCli(service.database.url, args);
const lastUsed = async (id: number) =>
  (await applications.applicationsOf(OPERATOR)).find((each) => each.id === id)?.last_used;

async function makeOne(list: string | null): Promise<{ id: number; key: string }> {
  const addresses = list === null ? null : AddressList.parse(list);
  const made = await applications.createApplication(1, 'tests', null, { addresses });
  return { id: made.application.id, key: made.key };
}

describe('the address allow list of a key', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7', 200],
    ['203.0.113.7', '203.0.113.8', 403],
    ['203.0.113.0/24', '::ffff:203.0.113.9', 200],
    ['2001:db8::/32,10.0.0.0/8', '2001:db8:1::1', 200],
    ['2001:db8::/32,10.0.0.0/8', '10.1.2.3', 200],
    ['2001:db8::/32,10.0.0.0/8', '2001:db9::1', 403],
    ['203.0.113.7', 'unknown', 403],
    ['203.0.113.7', '203.0.113.7:51234', 200],
    ['203.0.113.7', '203.0.113.8:51234', 403],
    ['2001:db8::/32', '[2001:db8:1::1]:51234', 200],
    ['2001:db8::/32', '[2001:db9::1]:51234', 403],
  ])('%s answers %s with %i', async (list, address, status) => {
    const { key } = await makeOne(list);
    const answer = await from(address, key);
    if (status === 200) expect(answer.status).toBe(200);
    else expectFailure(answer, 4031);
  });

  it('holds for a key that was let in just now', async () => {
    const { key } = await makeOne('203.0.113.7');
    const addresses = Array.from(
      { length: 20 },
      (_, index) => `203.0.113.${index % 2 === 0 ? 7 : 8}`,
    );
    for (const address of addresses.slice(0, 4)) await from(address, key);
    const answers = await Promise.all(addresses.map((address) => from(address, key)));
    expect(answers.map(({ status }) => status)).toEqual(
      addresses.map((address) => (address === '203.0.113.7' ? 200 : 403)),
    );
    for (const answer of answers.filter(({ status }) => status === 403))
      expectFailure(answer, 4031);
  });

  it('is changed by a command and felt within 2 seconds', async () => {
    const { id, key } = await makeOne(null);
    expect((await from('203.0.113.7', key)).status).toBe(200);
    const { stdout } = await cli('keys', 'allow', String(id), '198.51.100.0/24');
    expect(stdout).toContain('only from 198.51.100.0/24');
    await within(2 * SECOND, async () => {
      expectFailure(await from('203.0.113.7', key), 4031);
    });
    await cli('keys', 'allow', String(id), 'any');
    await within(2 * SECOND, async () => {
      expect((await from('203.0.113.7', key)).status).toBe(200);
    });
    const wrong = await cli('keys', 'allow', String(id), '10.0.0.1,300.0.0.1');
    expect(wrong).toMatchObject({ status: 1, stdout: '' });
    expect(wrong.stderr).toMatch(/^error: [^\n]*"300\.0\.0\.1" is neither\.\n$/);
  });

  it('is given with a new application, too', async () => {
    const { stdout } = await cli(
      'keys',
      'create',
      '--user',
      '1',
      '--name',
      'narrow',
      '--allow',
      '10.0.0.1',
      '--json',
    );
    const { key } = JSON.parse(stdout) as { key: string };
    expectFailure(await from('10.0.0.2', key), 4031);
    expect((await from('10.0.0.1', key)).status).toBe(200);
  });
});

describe('the limits of a key’s own', () => {
  it('hold for a key that was let in just now', async () => {
    const { id, key } = await makeOne(null);
    await applications.setLimits(id, parseLimitWindows('5/1h'));
    expect((await service.get('/v3.0', key)).status).toBe(200);
    const asked = Array.from({ length: 12 }, () => service.get('/v3.0', key));
    const statuses = (await Promise.all(asked)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(4);
    expect(statuses.filter((status) => status === 429)).toHaveLength(8);
  });
});

describe('the last use of a key', () => {
  it('is noted with its first request, and at most once a minute', async () => {
    const { id, key } = await makeOne(null);
    expect(await lastUsed(id)).toBeNull();
    await service.get('/v3.0', key);
    await within(60 * SECOND, async () => {
      expect(await lastUsed(id)).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
    });
    // A second note would have another time.
    const noted = dateTimeOf(new Date(Date.now() - 30 * SECOND));
    const ledger = TestLedger.on(service.database);
    await ledger.run(`UPDATE api_keys SET last_used = '${noted}' WHERE application_id = ${id}`);
    await ledger.close();
    await service.get('/v3.0', key);
    // A key that is used later is noted later.
    const later = await makeOne(null);
    await service.get('/v3.0', later.key);
    await within(60 * SECOND, async () => {
      expect(await lastUsed(later.id)).not.toBeNull();
    });
    expect(await lastUsed(id)).toBe(noted);
    expect((await cli('keys', 'list')).stdout).toContain(`last used ${noted} UTC`);
  });
});

describe('the audit log', () => {
  it('tells every change of an application and its keys, and no key', async () => {
    const { id, key } = await makeOne(null);
    const { key: rotated } = await service.app.get(ApiApplicationsService).rotateKey(id, 60);
    await cli('keys', 'allow', String(id), '10.0.0.0/8');
    await cli('limits', 'set', String(id), '5/1s');
    await cli('limits', 'clear', String(id));
    await applications.setAccess(id, 'masked');
    await cli('keys', 'revoke', String(id));
    const { stdout } = await cli('audit');
    const entries = stdout
      .trim()
      .split('\n')
      .map(
        (line) => JSON.parse(line) as { application_id: number; action: string; user_id: number },
      )
      .filter(({ application_id }) => application_id === id);
    expect(entries.map(({ action }) => action)).toEqual([
      'key.create',
      'key.rotate',
      'key.allow',
      'limits.set',
      'limits.clear',
      'key.access',
      'key.revoke',
    ]);
    expect(new Set(entries.map(({ user_id }) => user_id))).toEqual(new Set([0]));
    expect(entries.at(-1)).toMatchObject({
      before: { state: 'active' },
      after: { state: 'revoked' },
    });
    for (const secret of [key, rotated]) expect(stdout).not.toContain(secret);
  });
});
