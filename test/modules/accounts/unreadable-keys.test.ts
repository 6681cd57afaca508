/** Stored keys after a change of KEY_ENCRYPTION_SECRET. */
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { SignInService } from '../../../src/modules/accounts/sessions/sign-in.service.js';
import { DemoService } from '../../../src/modules/demo/demo.service.js';
import { keyOf, make } from '../../support/browser/application-pages.js';
import { TestService } from '../../support/servers/service.js';
import { TestLedger } from '../../support/builders/test-ledger.js';
import { PASSWORD, Visitor } from '../../support/browser/visitor.js';

const KEY_ENCRYPTION_SECRET = 'another secret of the tests, as long as it must be';

let before: TestService;
let after: TestService;
let key: string;
let email: string;
beforeAll(async () => {
  before = await TestService.start();
  const demo = await before.app.get(DemoService).prepare();
  [key, email] = [demo?.key ?? '', demo?.signIn?.email ?? ''];
  after = await before.beside({ KEY_ENCRYPTION_SECRET });
});
afterAll(async () => {
  await after.stop();
  await before.stop();
});
afterEach(() => {
  jest.restoreAllMocks();
});

/** Returns a function that returns the log lines since this call. */
function log(): () => string {
  const write = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
  return () => write.mock.calls.map(([text]) => String(text)).join('');
}

describe('a key under another secret', () => {
  it('does not keep the demo from starting, without its key', async () => {
    const told = log();
    expect(await after.app.get(DemoService).prepare()).toBeNull();
    expect(told()).toContain('cannot be shown');
  });

  it('still works; the page says why it cannot be shown, and the log says what to do', async () => {
    const look = TestLedger.on(before.database);
    const [row] = await look.rows("SELECT id, user_id FROM api_applications WHERE name = 'Demo'");
    const path = `/account/applications/${String(row?.id)}`;
    await after.app.get(SignInService).setPassword(Number(row?.user_id), PASSWORD);
    const visitor = new Visitor(after);
    await visitor.signIn(email);
    await visitor.get(path);
    const told = log();
    const page = await visitor.post(`${path}/key`);
    expect(told()).toMatch(
      /^[^\n]*The key of application \d+ cannot be shown: it was stored under another KEY_ENCRYPTION_SECRET\. See "keys rewrap"\.[^\n]*\n$/,
    );
    expect(page.status).toBe(200);
    expect(page.text).toContain('<p class="notice problem" role="alert">This key cannot be shown');
    expect(page.text).not.toContain('id="key"');
    const shown = await look.rows("SELECT id FROM audit_log WHERE action = 'key.show'");
    expect(shown).toEqual([]);
    expect((await after.get('/v3.0', key)).status).toBe(200);
    // A new key can be shown.
    await visitor.follow(await visitor.post(`${path}/rotate`, { overlap: '1h' }));
    expect(await keyOf(visitor, path)).toMatch(/^vra_/);
    expect((await look.rows("SELECT id FROM audit_log WHERE action = 'key.show'")).length).toBe(1);
    await look.run("DELETE FROM audit_log WHERE action = 'key.show'");
    expect(await keyOf(visitor, await make(visitor, { name: 'New' }))).toMatch(/^vra_/);
    await look.close();
  });
});
