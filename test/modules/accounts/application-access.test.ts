import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ApiApplicationsService } from '../../../src/modules/accounts/applications/api-applications.service.js';
import { idIn, keyOf, make, PATH } from '../../support/browser/application-pages.js';
import { Visitor } from '../../support/browser/visitor.js';
import { user } from '../../support/builders/ledger-records.js';
import { TestLedger } from '../../support/builders/test-ledger.js';
import type { Answer } from '../../support/http/http.js';
import { expectFailure } from '../../support/oracles/failure.js';
import { within } from '../../support/processes/within.js';
import { TestService } from '../../support/servers/service.js';

let service: TestService;
let look: TestLedger;
let ann: Visitor;
let bob: Visitor;
beforeAll(async () => {
  service = await TestService.start();
  await service.import([user(1), user(2)]);
  look = TestLedger.on(service.database);
  ann = await Visitor.signedIn(service, 1);
  bob = await Visitor.signedIn(service, 2);
});
afterAll(async () => {
  await look.close();
  await service.stop();
});

/** Returns the text of a page without its tags. */
function unmarked(html: string): string {
  return html.replaceAll(/<[^>]*>/g, '');
}

describe('the access of an application', () => {
  /** Returns the name of the access level as the page shows it. */
  const shownAccess = ({ text }: Answer) => /Access<\/dt><dd>([^<]*)<\/dd>/.exec(text)?.[1] ?? '';
  const checkedIn = ({ text }: Answer) =>
    [...text.matchAll(/<input [^>]*name="access"[^>]*>/g)]
      .filter(([tag]) => tag.includes(' checked'))
      .map(([tag]) => /value="(\w+)"/.exec(tag)?.[1]);

  it('is chosen when it is created, where read only is preselected, and explained', async () => {
    expect(checkedIn(await ann.get(PATH))).toEqual(['read']);
    for (const [access, name, may] of [
      ['full', 'Read and write', 'changes affiliate terms'],
      ['read', 'Read only', 'Cannot change anything.'],
      ['masked', 'Read only, without personal data', 'are left empty'],
    ] as const) {
      const path = await make(ann, { name: `With ${access}`, access });
      const page = await ann.get(path);
      expect(shownAccess(page)).toMatch(new RegExp(`^${name}: .*${may}`));
      expect(checkedIn(page)).toEqual([access]);
      expect(page.text).toContain(`Access: ${name.toLowerCase()}.`);
      expect(unmarked((await ann.get(PATH)).text)).toContain(`With ${access}active${name}`);
    }
  });

  it('is changed later, and audited', async () => {
    const path = await make(ann, { name: 'Narrowed' });
    const key = await keyOf(ann, path);
    const page = await ann.follow(await ann.post(`${path}/change`, { access: 'read' }));
    expect(page.text).toContain('Your changes were saved.');
    expect(shownAccess(page)).toMatch(/^Read only: /);
    await within(2_000, async () => {
      expectFailure(await service.put('/v2.1/affiliates/1/products/1', key, {}), 4030, '2.1');
    });
    const entries = await look.rows(
      `SELECT user_id, state_before, state_after FROM audit_log
       WHERE action = 'key.access' AND application_id = ${idIn(path)}`,
    );
    expect(entries.map(({ user_id }) => Number(user_id))).toEqual([1]);
    expect(JSON.parse(String(entries[0]?.state_before))).toMatchObject({ access: 'full' });
    expect(JSON.parse(String(entries[0]?.state_after))).toMatchObject({ access: 'read' });
  });

  it('lets assistants change data only if its owner says so', async () => {
    const path = await make(ann, { name: 'Assistant' });
    expect(unmarked((await ann.get(PATH)).text)).not.toContain('assistants may change data');
    const refused = await ann.post(`${path}/change`, { mcp_writes: 'constructor' });
    expect(refused.status).toBe(400);
    expect(refused.text).toContain('Choose what assistants may do.');
    const page = await ann.follow(await ann.post(`${path}/change`, { mcp_writes: 'on' }));
    expect(page.text).toContain('Your changes were saved.');
    expect(unmarked((await ann.get(PATH)).text)).toContain('assistants may change data');
    await ann.post(`${path}/change`, { mcp_writes: 'off' });
    expect(unmarked((await ann.get(PATH)).text)).not.toContain('assistants may change data');
  });

  it.each(['source', 'FULL', 'constructor', ''])('is not %j: the page says so', async (access) => {
    const path = await make(ann, { name: 'Kept' });
    const changed = await ann.post(`${path}/change`, { access });
    const made = await ann.post(PATH, { name: 'Never made', access, expires: '', addresses: '' });
    for (const answer of [changed, made]) {
      expect(answer.status).toBe(400);
      expect(answer.text).toContain('id="field-access-problem">Choose what the key may do.');
    }
    expect(shownAccess(await ann.get(path))).toMatch(/^Read and write: /);
    expect((await ann.get(PATH)).text).not.toContain('Never made');
  });

  it('that somebody wrote into the database by hand is shown as unknown, and can be chosen anew', async () => {
    const path = await make(ann, { name: 'Odd' });
    await look.run(`UPDATE api_applications SET access = 'toString' WHERE id = ${idIn(path)}`);
    expect(shownAccess(await ann.get(path))).toBe(
      'Unknown: The key does not work. Choose an access below.',
    );
    expect(unmarked((await ann.get(PATH)).text)).toContain('OddactiveUnknown');
    await ann.post(`${path}/change`, { access: 'masked' });
    expect(shownAccess(await ann.get(path))).toMatch(/^Read only, without personal data: /);
  });
});

describe('a source of a vendor', () => {
  it('is shown to the vendor, who can revoke it, and do nothing else with it', async () => {
    const sources = service.app.get(ApiApplicationsService);
    const { application, key } = await sources.createSource(1, 'The shop', null);
    await service.app.get(ApiApplicationsService).rotateKey(application.id, 3_600);
    const path = `${PATH}/${application.id}`;
    expect(unmarked((await ann.get(PATH)).text)).toMatch(
      /The shop old key works until [^a]+activeSource/,
    );
    const page = await ann.get(path);
    expect(page.text).toContain('The operator created and manages this application.');
    expect(page.text).toContain('Source: Sends sales and other records of your products');
    expect([...page.text.matchAll(/ action="([^"]*)"/g)].map(([, action]) => action)).toEqual([
      '/account/search',
      // The menu of phones has a form of its own.
      '/account/sign-out',
      '/account/sign-out',
      `${path}/revoke`,
    ]);
    for (const [change, fields] of [
      ['key', {}],
      ['rotate', { overlap: '0' }],
      ['end-overlap', {}],
      ['change', { name: 'Mine' }],
      ['change', { access: 'full', mcp_writes: 'on' }],
      ['change', { expires: '' }],
      ['change', { addresses: '127.0.0.1' }],
    ] as const) {
      const answer = await ann.post(`${path}/${change}`, fields);
      expect([change, answer.status]).toEqual([change, 403]);
      expect(answer.text).toContain('A source is managed by the operator.');
    }
    expect(await sources.applicationById(application.id)).toMatchObject({
      name: 'The shop',
      access: 'source',
      state: 'active',
      address_allow_list: null,
    });
    expect((await bob.get(path)).status).toBe(404);
    await ann.follow(await ann.post(`${path}/revoke`));
    await within(2_000, async () => {
      expectFailure(await service.get('/v3.0', key), 4011);
    });
  });

  it('of all vendors is shown to none of them', async () => {
    const { application } = await service.app
      .get(ApiApplicationsService)
      .createSource(null, 'Every shop', null);
    expect((await ann.get(PATH)).text).not.toContain('Every shop');
    expect((await ann.get(`${PATH}/${application.id}`)).status).toBe(404);
    expect((await ann.post(`${PATH}/${application.id}/revoke`)).status).toBe(404);
  });
});
