import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PasswordsService } from '../../../src/modules/accounts/passwords/passwords.service.js';
import { AccountsRepository } from '../../../src/modules/accounts/accounts.repository.js';
import { SignInService } from '../../../src/modules/accounts/sessions/sign-in.service.js';
import { Visitor } from '../../support/browser/visitor.js';
import {
  affiliation,
  clicks,
  product,
  recurringPayment,
  transaction,
  user,
} from '../../support/builders/ledger-records.js';
import { problemsIn, sendRecords, verdictsIn } from '../../support/http/records.js';
import { TestService } from '../../support/servers/service.js';
import { openRaw, type RawConnection, type RawRow } from '../../support/sql/raw-connection.js';

const VENDOR = 1;
const PUBLIC_URL = 'https://reports.example.test';
const HIGHEST = 2 ** 53 - 1;

let service: TestService;
let raw: RawConnection;
let source: string;
beforeAll(async () => {
  service = await TestService.start({ PUBLIC_URL });
  raw = await openRaw(service.database.url);
  await service.import([user(VENDOR), product(10, VENDOR)]);
  source = await service.sourceKey(VENDOR);
});
afterAll(async () => {
  await raw.close();
  await service.stop();
});

async function create(id: number, changes: Readonly<Record<string, unknown>> = {}): Promise<void> {
  expect(verdictsIn(await sendRecords(service, source, [user(id, changes)]))).toEqual(['inserted']);
}

const links = () => service.app.get(PasswordsService);

async function userRow(id: number): Promise<RawRow | undefined> {
  return (await raw.rows(`SELECT * FROM users WHERE id = ${id}`))[0];
}

async function listed(): Promise<Map<number, object>> {
  const users = new Map<number, object>();
  for await (const each of service.app.get(AccountsRepository).provisional())
    users.set(each.id, each);
  return users;
}

async function uninvited(): Promise<number[]> {
  const ids: number[] = [];
  for await (const id of links().uninvited()) ids.push(id);
  return ids;
}

async function pathOfLink(id: number): Promise<string> {
  return (await links().invite(id)).link.slice(PUBLIC_URL.length);
}

async function works(path: string): Promise<boolean> {
  return (await new Visitor(service).get(path)).status === 200;
}

async function signsIn(id: number): Promise<boolean> {
  return (await new Visitor(service).signIn(`user${id}@example.test`)).status === 303;
}

/**
 * Removes the admission that the operator's command stored, as if an instance of the previous
 * version had run it.
 */
async function withoutAdmission(id: number): Promise<void> {
  await raw.run(`UPDATE users SET admitted = NULL WHERE id = ${id}`);
}

describe('a user whom a source created', () => {
  it('is provisional: nobody signs in, no link works, and no bulk invitation goes there', async () => {
    await create(100);
    expect(await uninvited()).not.toContain(100);
    expect((await listed()).get(100)).toEqual({
      id: 100,
      name: 'User 100',
      email: 'user100@example.test',
      display_name: null,
      status: 'active',
      source_vendor_id: VENDOR,
      has_password: false,
      has_application: false,
    });
    const path = await pathOfLink(100);
    await withoutAdmission(100);
    expect(await works(path)).toBe(false);
    await Visitor.signedIn(service, 100);
    await withoutAdmission(100);
    expect(await signsIn(100)).toBe(false);
  });

  it.each<[string, number, (id: number) => Promise<unknown>]>([
    ['an invitation', 101, (id) => links().invite(id)],
    ['a password', 102, (id) => service.app.get(SignInService).setPassword(id, 'a long password')],
    ['a key', 103, (id) => service.key(id)],
  ])("becomes the operator's by %s", async (_, id, name) => {
    await create(id);
    await name(id);
    expect((await listed()).has(id)).toBe(false);
    const answer = await sendRecords(service, source, [user(id, { email: 'other@example.test' })]);
    expect(verdictsIn(answer)).toEqual(['unchanged']);
    expect(await userRow(id)).toMatchObject({ email: `user${id}@example.test` });
  });

  it("becomes the operator's by a record, whatever version the source gave", async () => {
    await create(104, { record_version: HIGHEST });
    await service.import([user(104, { status: 'suspended' })]);
    expect(await userRow(104)).toMatchObject({ status: 'suspended', record_version: null });
    await create(105, { record_version: HIGHEST });
    await service.import([user(105, { name: 'Named', record_version: 3 })]);
    expect(await userRow(105)).toMatchObject({ name: 'Named', record_version: 3 });
    expect(await uninvited()).toContain(105);
    expect((await listed()).has(105)).toBe(false);
  });
});

describe('the first record of the operator', () => {
  it('removes what was given under another e-mail', async () => {
    await create(110);
    const visitor = await Visitor.signedIn(service, 110);
    const key = await service.key(110);
    const path = await pathOfLink(110);
    expect((await visitor.get('/account/security')).status).toBe(200);
    await service.import([user(110, { email: 'real@example.test' })]);
    expect((await visitor.get('/account/security')).status).toBe(303);
    expect(await works(path)).toBe(false);
    expect(await signsIn(110)).toBe(false);
    // Instances cache a key for one or two seconds.
    const state = await raw.rows('SELECT state FROM api_applications WHERE user_id = 110');
    expect(state).toEqual([{ state: 'revoked' }]);
    expect(await userRow(110)).toMatchObject({ sign_in_email: 'real@example.test' });
    const audited = await raw.rows(
      "SELECT action FROM audit_log WHERE subject LIKE '%user 110' ORDER BY id DESC LIMIT 3",
    );
    expect(audited.map(({ action }) => action)).toEqual([
      'user.import',
      'user.access-removed',
      'key.revoke',
    ]);
    expect(key).not.toBe('');
  });

  it('keeps what was given under the same e-mail, and later records keep it, too', async () => {
    await create(111);
    const visitor = await Visitor.signedIn(service, 111);
    const key = await service.key(111);
    await service.import([user(111, { email: 'User111@example.test', name: 'Named' })]);
    await service.import([user(111, { email: 'later@example.test' })]);
    expect((await visitor.get('/account/security')).status).toBe(200);
    expect((await service.get('/v3.0', key)).status).toBe(200);
    expect(await signsIn(111)).toBe(true);
  });

  it('ends a link that was made for an earlier e-mail', async () => {
    await create(112);
    const path = await pathOfLink(112);
    await withoutAdmission(112);
    await sendRecords(service, source, [user(112, { email: 'second@example.test' })]);
    await service.import([user(112, { email: 'second@example.test' })]);
    expect(await works(path)).toBe(false);
  });
});

describe('a product', () => {
  async function send(id: number, changes: Readonly<Record<string, unknown>>): Promise<string> {
    const answer = await sendRecords(service, source, [product(id, VENDOR, changes)]);
    return verdictsIn(answer).join();
  }

  async function productRow(id: number): Promise<RawRow | undefined> {
    return (await raw.rows(`SELECT * FROM products WHERE id = ${id}`))[0];
  }

  it.each([
    ['that a source created', 200, true],
    ['of the operator that a source changed', 201, false],
  ])(
    '%s takes the record of the operator, whatever version the source gave',
    async (_, id, isNew) => {
      if (!isNew) await service.import([product(id, VENDOR)]);
      const version = { record_version: HIGHEST };
      expect(await send(id, { ...version, name: 'Mine' })).toBe(isNew ? 'inserted' : 'updated');
      expect(await productRow(id)).toMatchObject({ source_vendor_id: isNew ? VENDOR : null });
      await service.import([product(id, VENDOR, { name: 'Named' })]);
      expect(await productRow(id)).toMatchObject({ name: 'Named', source_vendor_id: null });
    },
  );

  it('keeps the versions of the operator and of the source apart', async () => {
    expect(await send(202, { record_version: 5 })).toBe('inserted');
    await service.import([product(202, VENDOR, { record_version: 3, name: 'Third' })]);
    const stale = await service.import([product(202, VENDOR, { record_version: 2 })]);
    expect(stale.product).toMatchObject({ stale: 1 });
    expect(await send(202, { record_version: 4 })).toBe('stale');
    expect(await send(202, { record_version: 6, name: 'Sixth' })).toBe('updated');
    expect(await send(202, { record_version: 7, name: 'Sixth' })).toBe('unchanged');
    expect(await productRow(202)).toMatchObject({ record_version: 3, source_version: 7 });
    await service.import([product(202, VENDOR, { record_version: 4, name: 'Fourth' })]);
    expect(await productRow(202)).toMatchObject({ name: 'Fourth', record_version: 4 });
  });
});

describe('a product that another vendor holds', () => {
  const OTHER = 4;
  let all: string;
  beforeAll(async () => {
    all = await service.sourceKey(null);
    await service.import([user(OTHER)]);
  });

  async function changesOf(vendor_id: number): Promise<readonly object[]> {
    const key = await service.key(vendor_id, 'read');
    const { results } = await service.envelope('/ledger/v1/changes?kinds=product&limit=1000', key);
    return results.slice(-1);
  }

  it('moves by a record of the operator if nothing belongs to it', async () => {
    await sendRecords(service, source, [product(300, VENDOR, { record_version: HIGHEST })]);
    const answer = await sendRecords(service, all, [
      product(300, OTHER, { record_version: 1 }),
      transaction('MOVED-300', 300),
    ]);
    expect(verdictsIn(answer)).toEqual(['updated', 'inserted']);
    expect(await changesOf(VENDOR)).toMatchObject([
      { kind: 'removed', removed: { removed_kind: 'product', key: '300' } },
    ]);
    expect(await changesOf(OTHER)).toMatchObject([{ product: { product_id: 300 } }]);
    const again = await sendRecords(service, source, [product(300, VENDOR)]);
    expect(problemsIn(again)).toEqual([
      "vendor_id: product 300 is another vendor's and can't move",
    ]);
    const [sale] = await raw.rows(
      "SELECT vendor_id FROM transactions WHERE transaction_id = 'MOVED-300'",
    );
    expect(sale).toEqual({ vendor_id: OTHER });
  });

  it.each([
    ['a sale', 301, (id: number) => transaction(`HELD-${id}`, id, { status: 'pending' })],
    ['a relationship', 302, (id: number) => affiliation(OTHER, id)],
    ['clicks', 303, (id: number) => clicks(OTHER, id)],
    ['a recurring payment', 304, (id: number) => recurringPayment(`HELD-${id}`, id, { id })],
  ])('with %s stays, and the operator hears who holds it', async (_, id, belonging) => {
    const held = [product(id, VENDOR), belonging(id)];
    expect(verdictsIn(await sendRecords(service, source, held))).toEqual(['inserted', 'inserted']);
    const answer = await sendRecords(service, all, [product(id, OTHER), product(id, VENDOR)]);
    expect(verdictsIn(answer)).toEqual(['rejected', 'updated']);
    expect(problemsIn(answer)[0]).toContain(`product ${id} is held by vendor ${VENDOR}`);
  });
});
