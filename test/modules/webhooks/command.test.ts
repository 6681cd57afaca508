/**
 * The operator's commands for webhooks, and their secrets after a change of KEY_ENCRYPTION_SECRET.
 */
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { product, user } from '../../support/builders/ledger-records.js';
import { TestLedger } from '../../support/builders/test-ledger.js';
import { TEST_SECRET } from '../../support/servers/service.js';

/** The name resolves without a name server to an address that is not public, so nothing is sent. */
const URL = 'https://localhost/hook';
const SECRET = /^whsec_[A-Za-z0-9+/]{43}=$/;
const NEW_SECRET = 'another secret of the tests, as long as it must be';

let ledger: TestLedger;
beforeAll(async () => {
  ledger = await TestLedger.create();
  await ledger.mustImport([user(1), user(2), product(10, 1)]);
});
afterEach(() => ledger.run('DELETE FROM webhook_endpoints'));
afterAll(() => ledger.drop());

function webhooks(...args: readonly string[]) {
  return ledger.cli(['webhooks', ...args]);
}

async function told(...args: readonly string[]): Promise<string> {
  const { status, stdout, stderr } = await webhooks(...args);
  expect({ args, status, stderr }).toEqual({ args, status: 0, stderr: '' });
  return stdout;
}

async function json(...args: readonly string[]): Promise<Record<string, unknown>> {
  return JSON.parse(await told(...args, '--json')) as Record<string, unknown>;
}

function add(vendor = 1): Promise<Record<string, unknown>> {
  return json('add', '--vendor', String(vendor), '--url', URL);
}

describe('webhooks', () => {
  it('adds, lists, shows, pauses, resumes, replays, rotates and removes', async () => {
    expect(await told('list')).toBe('There are no webhook endpoints.\n');
    const { id, secret, ...added } = await add();
    const name = String(id);
    expect(secret).toMatch(SECRET);
    expect(added).toMatchObject({ vendor_id: 1, url: URL, state: 'active', position: 1 });
    const other = await add(2);
    const line = `Webhook endpoint ${name} of user 1: ${URL}, active\n`;
    expect(await told('list', '--vendor', '1')).toBe(line);
    expect((await told('list')).split('\n')).toHaveLength(3);
    expect(await json('list', '--vendor', '2')).toMatchObject({ id: other.id });
    expect(await told('secret', name)).toBe(`${String(secret)}\n`);
    expect(await told('show', name)).toBe(`${line}Waiting: at most 0 changes\n`);
    expect(await json('pause', name)).toMatchObject({ state: 'paused' });
    expect(await json('replay', name, '--from', '1999-01-01')).toMatchObject({ position: 0 });
    expect(await json('show', name)).toMatchObject({ waiting: 1, deliveries: [] });
    expect(await json('resume', name)).toMatchObject({ state: 'active' });
    expect(await json('resize', name, '1048576')).toMatchObject({ max_bytes: 1_048_576 });
    const filter = ['--kinds', 'transaction', '--products', '10, 11'];
    expect(await json('filter', name, ...filter)).toMatchObject({
      kinds: ['transaction'],
      reasons: null,
      product_ids: [10, 11],
    });
    expect(await json('filter', name, '--kinds', '')).toMatchObject({ product_ids: [10, 11] });
    expect(await told('filter', name, '--products', '')).toBe(line);
    const rotated = await json('rotate', name);
    expect(rotated.secret).toMatch(SECRET);
    expect(rotated.secret).not.toBe(secret);
    expect(await told('remove', name)).toBe(line);
    expect(await json('list')).toMatchObject({ id: other.id });
  });

  it('tests, with exit status 1 if it was not taken', async () => {
    const { id } = await add();
    const tested = await webhooks('test', String(id), '--json');
    expect(tested).toMatchObject({ status: 1, stderr: '' });
    expect(JSON.parse(tested.stdout)).toMatchObject({
      status: null,
      problem: 'the address is not public',
    });
  });

  it.each([
    [['show', '987'], 'There is no webhook endpoint 987.'],
    [['remove', '987'], 'There is no webhook endpoint 987.'],
    [['skip', '987', 'msg_x'], 'There is no webhook endpoint 987.'],
    [['add', '--vendor', '9', '--url', URL], 'There is no user 9.'],
    [
      ['add', '--vendor', '1', '--url', 'http://x/'],
      'url must be a URL that begins with https://.',
    ],
    [['replay', '1', '--from', '2025-02-30'], 'It must be a day such as 2025-06-01.'],
    [['add', '--vendor', 'x', '--url', URL], 'It must be an integer.'],
    [
      ['add', '--vendor', '1', '--url', URL, '--kinds', 'sales'],
      'kinds must be some of transaction',
    ],
    [['add', '--vendor', '1', '--url', URL, '--reasons', 'Sold'], 'reasons must be some of sold'],
    [['add', '--vendor', '1', '--url', URL, '--products', '10,x'], 'product_ids must be ids of'],
    [['resize', '1', '1'], 'It must be an integer from 1024 to 1048576.'],
  ])('%j says what is wrong', async (args, problem) => {
    const { status, stdout, stderr } = await webhooks(...args);
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toContain(problem);
  });
});

it('keys rewrap renews the secrets of webhooks, the old one of an overlap as well', async () => {
  const { id, secret } = await add();
  const { secret: current } = await json('rotate', String(id));
  const lost = await add(2);
  await ledger.run(`UPDATE webhook_endpoints SET secret = 'lost' WHERE id = ${String(lost.id)}`);
  const env = { KEY_ENCRYPTION_SECRET: NEW_SECRET };
  const rewrap = () => ledger.cli(['keys', 'rewrap', '-'], { input: TEST_SECRET, env });
  const first = await rewrap();
  expect(first.stdout).toContain(
    'Secrets of webhooks: 1 re-encrypted, 0 already current, 1 not decryptable with either secret\n',
  );
  expect(first.status).toBe(1);
  await ledger.run(`DELETE FROM webhook_endpoints WHERE id = ${String(lost.id)}`);
  const again = await rewrap();
  expect(again.stdout).toContain('Secrets of webhooks: 0 re-encrypted, 1 already current, 0 ');
  expect(again.status).toBe(0);
  const shown = await ledger.cli(['webhooks', 'secret', String(id)], { env });
  expect(shown.stdout).toBe(`${String(current)}\n`);
  expect(current).not.toBe(secret);
  expect((await webhooks('secret', String(id))).status).toBe(1);
});
