/** Records and actions of another vendor change nothing that a vendor sees or has. */
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Visitor } from '../../support/browser/visitor.js';
import {
  affiliates,
  SHARED_AFFILIATES,
  SHARED_CUSTOMER,
  TwinLedger,
} from '../../support/builders/twin-ledgers.js';
import { user } from '../../support/builders/ledger-records.js';
import { TestLedger } from '../../support/builders/test-ledger.js';
import { envelopeOf } from '../../support/http/http.js';
import { sendRecords, verdictsIn } from '../../support/http/records.js';
import { answersTo, differences, pagesOf } from '../../support/oracles/seen-by.js';
import { everythingSeen, formsOf, valuesFor } from '../../support/oracles/twin-views.js';
import { addSignInExtras } from '../../support/sql/vendor-extras.js';
import { HOOK, settle, write } from '../../support/builders/settled-twin.js';
import { TestService } from '../../support/servers/service.js';

/** In every order of ids, the tested vendor is between the two others. */
const [BEFORE, OWN, BEHIND] = [new TwinLedger(1), new TwinLedger(2), new TwinLedger(3)];
const OTHERS = [BEFORE, BEHIND];

let service: TestService;
let ledger: TestLedger;
let key: string;
let visitor: Visitor;
beforeAll(async () => {
  // A cached answer would hide the current result of a statement.
  service = await TestService.start({ PAGE_CACHE_MB: '0' });
  ledger = TestLedger.on(service.database);
  await service.import([
    ...affiliates(),
    ...[BEFORE, OWN, BEHIND].flatMap((twin) => twin.parties()),
  ]);
  await settle(service, ledger, OWN, OWN.records());
  key = await service.key(OWN.vendor_id);
  visitor = await Visitor.signedIn(service, OWN.vendor_id);
});
afterAll(async () => {
  await ledger.close();
  await service.stop();
});

/** Gives another vendor all of the data, a sign-in, an erased person and shorter retention. */
async function settleOther(twin: TwinLedger): Promise<void> {
  const records = [...twin.highest(), ...twin.records([OWN])];
  await settle(service, ledger, twin, records);
  await Visitor.signedIn(service, twin.vendor_id);
  await addSignInExtras(ledger, twin.vendor_id);
  const vendor = ['--vendor', String(twin.vendor_id)];
  await run('people', 'erase', 'nobody@example.test', ...vendor);
  await run('retention', 'set', ...vendor, '--months', '240');
  await run('retention', 'run', ...vendor);
}

async function run(...args: readonly string[]): Promise<void> {
  const env = {
    ERASURES_FILE: join(service.database.folder, 'erasures.ndjson'),
    PUBLIC_URL: 'https://reports.example.com',
  };
  const { status, stderr } = await ledger.cli(args, { env, input: 'a password of many words' });
  expect([args, status, stderr]).toEqual([args, 0, '']);
}

/**
 * Returns the rows of the other vendors by table. Columns such as `vendor_id` identify the owner of
 * a row.
 */
async function othersHave(): Promise<Record<string, unknown[]>> {
  const ids = OTHERS.map(({ vendor_id }) => vendor_id);
  const idsIn = async (table: string, owner: string) => {
    const rows = await ledger.rows(`SELECT id FROM ${table} WHERE ${owner} IN (${ids.join()})`);
    return rows.map(({ id }) => Number(id));
  };
  const owners: Readonly<Record<string, readonly (number | string)[]>> = {
    vendor_id: ids,
    user_id: ids,
    product_id: OTHERS.flatMap(({ products }) => products),
    pre_key: OTHERS.flatMap(({ agreements }) => agreements).map((preKey) => `'${preKey}'`),
    endpoint_id: await idsIn('webhook_endpoints', 'vendor_id'),
    upstream_id: await idsIn('upstreams', 'vendor_id'),
    application_id: await idsIn('api_applications', 'user_id'),
  };
  const found: Record<string, unknown[]> = {};
  for (const { name } of await ledger.rows("SELECT name FROM sqlite_master WHERE type = 'table'")) {
    const table = String(name);
    const columns = (await ledger.rows(`PRAGMA table_info(${table})`)).map((row) => row.name);
    const owner = Object.keys(owners).find((column) => columns.includes(column));
    if (owner === undefined) continue;
    const where = `${owner} IN (${owners[owner]?.join() ?? ''})`;
    const rows = await ledger.rows(`SELECT * FROM ${table} WHERE ${where}`);
    found[table] = rows.map((row) => JSON.stringify(row)).sort();
  }
  return found;
}

/** Gives the affiliates of all vendors other names from the source of another vendor. */
async function nameAffiliates(vendor_id: number): Promise<void> {
  const name = `Named by the source of ${vendor_id}`;
  const named = SHARED_AFFILIATES.map((id) => user(id, { name, display_name: name }));
  const source = await service.sourceKey(vendor_id);
  const verdicts = verdictsIn(await sendRecords(service, source, named));
  expect(new Set(verdicts)).toEqual(new Set(['unchanged']));
}

async function callOperations(): Promise<void> {
  const [course] = OWN.products;
  const [affiliate] = SHARED_AFFILIATES;
  const statuses: unknown[] = [];
  const call = async (method: string, path: string, body: object = {}) => {
    const answer = await write(service, method, path, key, body);
    statuses.push(answer.status === 200 ? 200 : [method, path, answer.text]);
    return envelopeOf(answer).results[0];
  };
  const terms = { approval_status: 'INSTANT', custom_commission: 70 };
  await call('PUT', `/v2.1/affiliates/${affiliate}/products/${course}`, terms);
  await call('PUT', `/v2.0/recurring_payment/${OWN.agreement('can')}`, { status: 'CANCEL' });
  const made = await call('POST', '/ledger/v1/webhooks', { url: HOOK, from: 'now' });
  const path = `/ledger/v1/webhooks/${String(made?.id)}`;
  await call('PATCH', path, { state: 'paused', url: `${HOOK}2` });
  await call('POST', `${path}/rotate`);
  await call('POST', `${path}/replay`, { from: '2025-06-01' });
  await call('DELETE', path);
  expect(new Set(statuses)).toEqual(new Set([200]));
  const source = await service.sourceKey(OWN.vendor_id);
  const sent = await sendRecords(service, source, OWN.changes());
  expect(verdictsIn(sent)).not.toContain('rejected');
}

async function useForms(): Promise<void> {
  const [, book] = OWN.products;
  const [, affiliate] = SHARED_AFFILIATES;
  const post = async (path: string, fields: Readonly<Record<string, string>> = {}) => {
    await visitor.get(path);
    const answer = await visitor.post(path, fields);
    expect([path, answer.status]).toEqual([path, 303]);
    return String(answer.headers.location).split('?')[0] ?? '';
  };
  const application = { name: 'New', access: 'full', expires: '', addresses: '' };
  const made = await post('/account/applications', application);
  await post(`${made}/change`, { name: 'Newer' });
  await post(`${made}/revoke`);
  const hook = await post('/account/webhooks', { url: HOOK, from: 'now' });
  for (const change of ['pause', 'rotate', 'remove']) await post(`${hook}/${change}`);
  await post(`/account/affiliates/${affiliate}/terms`, {
    product: String(book),
    approval_status: 'DENIED',
  });
  await post(`/account/people/erase?email=${SHARED_CUSTOMER}`);
}

async function runCommands(): Promise<void> {
  const id = String(OWN.vendor_id);
  const vendor = ['--vendor', id];
  await run('retention', 'set', ...vendor, '--months', '6');
  await run('retention', 'run', ...vendor);
  await run('retention', 'clear', ...vendor);
  await run('people', 'erase', 'shared.payer@example.test', ...vendor);
  await run('people', 'replay');
  await addSignInExtras(ledger, OWN.vendor_id);
  await run('users', 'set-password', id);
  await run('users', 'invite', id);
  await run('users', 'require-two-factor', id);
  await run('users', 'reset-two-factor', id);
}

it('is not shown anything of another vendor', async () => {
  const look = async () => {
    // Each look shows secrets, which the activity has.
    await ledger.run("DELETE FROM audit_log WHERE action LIKE '%.show'");
    return everythingSeen(service, OWN, { key, visitor, others: OTHERS });
  };
  const before = await look();
  const failed = [...before].filter(([, text]) => !/^(200|303|404)/.test(text));
  expect(failed).toEqual([]);
  expect(before.size).toBeGreaterThan(300);
  for (const twin of OTHERS) {
    await settleOther(twin);
    await nameAffiliates(twin.vendor_id);
    await ledger.run(
      `INSERT INTO open_imports (id, vendor_id, ends)
        VALUES ('import of ${twin.vendor_id}', ${twin.vendor_id}, '2099-01-01 00:00:00')`,
    );
  }
  expect(differences(before, await look())).toEqual([]);
});

it('changes nothing of what another vendor has', async () => {
  const before = await othersHave();
  expect(Object.keys(before).length).toBeGreaterThan(25);
  expect(Object.entries(before).filter(([, rows]) => rows.length === 0)).toEqual([]);
  await service.import([...OWN.records(OTHERS), ...OWN.changes()]);
  // Changes of a mirrored ledger would be sent to its upstream first.
  await run('upstreams', 'remove', String(OWN.vendor_id));
  await callOperations();
  await useForms();
  await runCommands();
  await service.import(OWN.records(OTHERS));
  expect(await othersHave()).toEqual(before);
  const { stdout } = await ledger.cli(['verify']);
  expect(stdout).toBe('All derived data matches the ledger.\n');
});

it('is not shown anything of another affiliate, and of another product', async () => {
  const [course] = OWN.products;
  const [first] = SHARED_AFFILIATES;
  const own = await service.key(first);
  const affiliate = await Visitor.signedIn(service, first);
  const values = valuesFor(OWN, OTHERS);
  const stands = { ...values, affiliate_id: [first], product_id: [course] };
  const pages = formsOf(OWN, []).filter((path) =>
    new RegExp(`partner=${first}|product[=-]${course}|affiliates?[/-]${first}`).test(path),
  );
  const look = async () => {
    const seen = new Map(await answersTo(service, own, values, {}));
    const reports = await pagesOf(affiliate, ['/account/reports?range=all-time']);
    for (const [asked, text] of reports) seen.set(`affiliate ${asked}`, text);
    for (const [asked, text] of await answersTo(service, key, stands, {})) {
      // The list of all affiliates shows the state of the whole ledger.
      const isOfOne = asked.includes('affiliate') && !asked.includes('/ledger/v1/affiliates');
      if (isOfOne) seen.set(`vendor ${asked}`, text);
    }
    for (const path of pages) seen.set(`vendor ${path}`, (await visitor.get(path)).text);
    return seen;
  };
  const before = await look();
  await service.import(OWN.byAnother());
  expect(differences(before, await look())).toEqual([]);
});
