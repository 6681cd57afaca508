/** `keys rewrap` is the last step of a change of KEY_ENCRYPTION_SECRET. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ApiApplicationsService } from '../../../src/modules/accounts/applications/api-applications.service.js';
import { KeyCipher } from '../../../src/modules/accounts/applications/key-cipher.js';
import { Database } from '../../../src/platform/database/database.js';
import { EncryptedValuesRepository } from '../../../src/platform/secrets/encrypted-values.repository.js';
import type { Ended } from '../../support/processes/cli.js';
import { user } from '../../support/builders/ledger-records.js';
import { TEST_SECRET, TestService } from '../../support/servers/service.js';
import { TestLedger } from '../../support/builders/test-ledger.js';

const NEW_SECRET = 'another secret of the tests, as long as it must be';
/** This is more than one batch. */
const KEYS = 520;

/** Services with the previous and with the new secret. */
let before: TestService;
let after: TestService;
let ledger: TestLedger;
let ids: number[];
const keys = new Map<number, string>();
beforeAll(async () => {
  before = await TestService.start();
  await before.import([user(1)]);
  ledger = TestLedger.on(before.database);
  for (let made = 0; made < KEYS; made += 1) {
    const { application, key } = await applicationsOf(before).createApplication(1, 'a', null);
    keys.set(application.id, key);
  }
  ids = [...keys.keys()];
  after = await before.beside({ KEY_ENCRYPTION_SECRET: NEW_SECRET });
});
afterAll(async () => {
  await ledger.close();
  await after.stop();
  await before.stop();
});

function keysOf(service: TestService): ApiApplicationsService {
  return service.app.get(ApiApplicationsService);
}

function applicationsOf(service: TestService): ApiApplicationsService {
  return service.app.get(ApiApplicationsService);
}

function rewrap(file = '-', input = `${TEST_SECRET}\n`): Promise<Ended> {
  const env = { KEY_ENCRYPTION_SECRET: NEW_SECRET };
  return ledger.cli(['keys', 'rewrap', file], { input, env });
}

function counted(rewrapped: number, current: number, unreadable = 0): string {
  return `Keys: ${rewrapped} re-encrypted, ${current} already current, ${unreadable} not decryptable with either secret\n`;
}

function storedKeys() {
  return ledger.rows('SELECT * FROM api_keys ORDER BY key_hash');
}

/** Restores the previous cipher text of some keys. */
async function putBack(stored: Awaited<ReturnType<typeof storedKeys>>): Promise<void> {
  for (const { key_hash, encrypted_key } of stored) {
    await ledger.run(
      `UPDATE api_keys SET encrypted_key = '${String(encrypted_key)}' WHERE key_hash = '${String(key_hash)}'`,
    );
  }
}

async function audited(): Promise<number> {
  const rows = await ledger.rows(
    "SELECT user_id, state_after FROM audit_log WHERE action = 'key.rewrap'",
  );
  expect(rows.every(({ user_id }) => Number(user_id) === 0)).toBe(true);
  const counts = rows.map(({ state_after }) => JSON.parse(String(state_after)) as object);
  return counts.reduce((sum, count) => sum + Number(Reflect.get(count, 'rewrapped')), 0);
}

describe('keys rewrap', () => {
  it('makes every key readable with the new secret, and changes nothing else', async () => {
    const stored = await storedKeys();
    const file = ledger.file('old-secret', `${TEST_SECRET}\n`);
    expect(await rewrap(file)).toEqual({ status: 0, stdout: counted(KEYS, 0), stderr: '' });
    for (const id of ids) expect(await keysOf(after).keyOf(id)).toBe(keys.get(id));
    const now = await storedKeys();
    const withoutText = (rows: typeof now) => rows.map((row) => ({ ...row, encrypted_key: '' }));
    expect(withoutText(now)).toEqual(withoutText(stored));
    expect(await audited()).toBe(KEYS);

    // A second run has nothing to do; a run after a crash has the rest to do.
    expect(await rewrap()).toEqual({ status: 0, stdout: counted(0, KEYS), stderr: '' });
    expect(await storedKeys()).toEqual(now);
    expect(await audited()).toBe(KEYS);
    await putBack(stored.slice(100, 107));
    expect(await rewrap()).toEqual({ status: 0, stdout: counted(7, KEYS - 7), stderr: '' });
    expect(await audited()).toBe(KEYS + 7);

    // Two runs overlap, while a key is rotated and an application is revoked.
    await putBack(stored);
    const [rotated = 0, revoked = 0] = ids.slice(7);
    const [one, two, issued] = await Promise.all([
      rewrap(),
      rewrap(),
      keysOf(after).rotateKey(rotated, 3_600),
      applicationsOf(after).revokeApplication(revoked),
    ]);
    expect([one.status, two.status, one.stderr + two.stderr]).toEqual([0, 0, '']);
    expect(await audited()).toBe(2 * KEYS + 7);
    expect(await keysOf(after).keyOf(rotated)).toBe(issued.key);
    expect(await applicationsOf(after).applicationById(rotated)).toMatchObject({
      old_key_ends: issued.old_key_ends,
    });
    expect(await applicationsOf(after).applicationById(revoked)).toMatchObject({
      state: 'revoked',
    });
    expect((await before.get('/v3.0', keys.get(rotated) ?? '')).status).toBe(200);
  });

  it('overwrites no ciphertext that has changed since it was read', async () => {
    const [key = {}] = await storedKeys();
    const stored = { key_hash: String(key.key_hash), encrypted_key: 'what it was before' };
    const repository = after.app.get(EncryptedValuesRepository);
    const { values } = after.app.get(KeyCipher);
    const changes = { encrypted_key: 'what it must not become' };
    const replaced = await after.app
      .get(Database)
      .write((session) => repository.replace(session, values, stored, changes));
    expect(replaced).toBe(false);
    expect((await storedKeys())[0]).toEqual(key);
  });

  it('exits with 1 if neither secret decrypts a key, names its application, and re-encrypts the others', async () => {
    const stored = await storedKeys();
    const [lost] = stored;
    await ledger.run(
      `UPDATE api_keys SET encrypted_key = 'lost' WHERE key_hash = '${String(lost?.key_hash)}'`,
    );
    const { application } = await applicationsOf(before).createApplication(1, 'late', null);
    const named = `Application ${String(lost?.application_id)}: neither secret can decrypt a key.\n`;
    expect(await rewrap()).toEqual({
      status: 1,
      stdout: counted(1, stored.length - 1, 1),
      stderr: named,
    });
    expect(await keysOf(after).keyOf(application.id)).toMatch(/^vra_/);
  });

  it.each([
    ['-', 'too short', 'The previous secret must have at least 32 characters.\n'],
    ['-', '', 'The previous secret must have at least 32 characters.\n'],
    ['no such file', '', expect.stringMatching(/^no such file: cannot be read: [^\n]+\n$/)],
  ])('changes nothing without a secret (%p, %p)', async (file, input, stderr) => {
    const stored = await storedKeys();
    expect(await rewrap(file, input)).toEqual({ status: 1, stdout: '', stderr });
    expect(await storedKeys()).toEqual(stored);
  });
});
