/** The sessions of a user on the page *Security*. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Answer } from '../../support/http/http.js';
import { turnOn } from '../../support/browser/two-factor.js';
import { PASSWORD, Visitor } from '../../support/browser/visitor.js';
import { user } from '../../support/builders/ledger-records.js';
import { TestLedger } from '../../support/builders/test-ledger.js';
import { TestService } from '../../support/servers/service.js';

const SECURITY = '/account/security';
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:142.0) Gecko/20100101 Firefox/142.0';

let service: TestService;
let ledger: TestLedger;
let user_id = 0;
let email: string;
let own: Visitor;
beforeAll(async () => {
  service = await TestService.start({ TRUST_PROXY: '1' });
  await service.import(Array.from({ length: 20 }, (_, index) => user(index + 1)));
  ledger = TestLedger.on(service.database);
});
afterAll(async () => {
  await ledger.close();
  await service.stop();
});
beforeEach(async () => {
  user_id += 1;
  email = `user${user_id}@example.test`;
  own = await Visitor.signedIn(service, user_id);
});

async function signedIn(headers: Record<string, string> = {}, at = service): Promise<Visitor> {
  const visitor = new Visitor(at, headers);
  expect((await visitor.signIn(email)).status).toBe(303);
  return visitor;
}

interface ShownSession {
  readonly device: string;
  readonly address: string;
  readonly isThis: boolean;
  readonly session: string | undefined;
}

function sessionsOn({ text }: Answer): ShownSession[] {
  const body = /Where you are signed in[^]*?<tbody[^>]*>([^]*?)<\/tbody>/.exec(text)?.[1] ?? '';
  return Array.from(body.matchAll(/<tr[^>]*>([^]*?)<\/tr>/g), ([, row = '']) => {
    const [, device = '', address = ''] =
      /<div class="content">([^<]*)<div class="aside line">([^<]*)</.exec(row) ?? [];
    return {
      device,
      address,
      isThis: row.includes('this one'),
      session: /name="session" value="([0-9a-f]{64})"/.exec(row)?.[1],
    };
  });
}

async function isOpen(visitor: Visitor): Promise<boolean> {
  return (await visitor.get(SECURITY)).status === 200;
}

describe('the list of sessions', () => {
  it('has the browser, system and address of each, and marks the one that looks', async () => {
    const headers = { 'User-Agent': FIREFOX, 'X-Forwarded-For': '2001:db8::7' };
    const other = await signedIn(headers);
    const shown = sessionsOn(await other.get(SECURITY));
    expect(shown).toHaveLength(2);
    expect(shown.find(({ isThis }) => isThis)).toEqual({
      device: 'Firefox 142 on Linux',
      address: '2001:db8::7',
      isThis: true,
      session: undefined,
    });
    expect(shown.find(({ isThis }) => !isThis)).toMatchObject({
      device: 'Unknown browser',
      session: expect.stringMatching(/^[0-9a-f]{64}$/) as unknown,
    });
    const everything = JSON.stringify(await ledger.rows('SELECT data FROM sessions'));
    expect(everything).not.toContain('rv:142');
  });

  it.each([
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.1.2',
      'Edge 140 on Windows',
    ],
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
      'Chrome 140 on Windows',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
      'Safari 18 on iPhone',
    ],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15',
      'Safari 26 on macOS',
    ],
    [
      'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/139.0.0.0 Mobile Safari/537.36',
      'Chrome 139 on Android',
    ],
    [
      'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36',
      'Samsung Internet 28 on Android',
    ],
    ['<script>alert(1)</script>\u202e', 'Unknown browser'],
    [`Firefox/${'9'.repeat(4_000)}`, 'Firefox 9999'],
    [`${'x '.repeat(3_000)}Firefox/142 Linux`, 'Unknown browser'],
    ['', 'Unknown browser'],
  ])('names %p as %p', async (userAgent, name) => {
    const headers = { 'User-Agent': Buffer.from(userAgent).toString('latin1') };
    const visitor = await signedIn(headers);
    const shown = sessionsOn(await visitor.get(SECURITY));
    expect(shown.find(({ isThis }) => isThis)?.device).toBe(name);
  });

  it('shows no address that is none', async () => {
    const visitor = await signedIn({ 'X-Forwarded-For': `<b>${'x'.repeat(2_000)}` });
    const shown = sessionsOn(await visitor.get(SECURITY));
    expect(shown.find(({ isThis }) => isThis)?.address).toBe('an unknown address');
  });

  it('has no session that waits for its code, and none of another user', async () => {
    await turnOn(own);
    const waiting = new Visitor(service);
    await waiting.signIn(email);
    expect(sessionsOn(await own.get(SECURITY))).toHaveLength(1);
  });

  it('shows a session of a previous version', async () => {
    const other = await signedIn();
    await ledger.run(`UPDATE sessions SET data = '{"cookie":{},"user_id":${user_id}}'
      WHERE user_id = ${user_id}`);
    const shown = sessionsOn(await other.get(SECURITY));
    expect(shown.map(({ device, address }) => [device, address])).toEqual([
      ['Unknown browser', 'unknown address'],
      ['Unknown browser', 'unknown address'],
    ]);
  });

  it('begins with this one and three others, and folds the rest', async () => {
    for (let at = 0; at < 4; at += 1) await signedIn();
    const page = await own.get(SECURITY);
    expect(sessionsOn(page).map(({ isThis }) => isThis)).toEqual([true, false, false, false]);
    const [, folded = ''] = page.text.split('<summary>1 more</summary>');
    expect(folded.split('name="session"')).toHaveLength(2);
  });

  it('tells the sign-in and the last use', async () => {
    await ledger.run(`UPDATE sessions SET created = '2099-01-01 09:00:00',
      expires = '2099-01-01 12:00:00' WHERE user_id = ${user_id}`);
    const { text } = await own.get(SECURITY);
    const [, signedInAt] = /data-label="Signed in".*?datetime="([^"]+)"/s.exec(text) ?? [];
    const [, usedAt] = /data-label="Last used".*?datetime="([^"]+)"/s.exec(text) ?? [];
    expect([signedInAt, usedAt]).toEqual([
      '2099-01-01T09:00:00+00:00',
      '2099-01-01T10:00:00+00:00',
    ]);
  });
});

describe('ending sessions', () => {
  it('ends one of them on every instance, and no other', async () => {
    const beside = await service.beside({ TRUST_PROXY: '1' });
    try {
      const [there, third] = [await signedIn({ 'User-Agent': FIREFOX }, beside), await signedIn()];
      const { session = '' } =
        sessionsOn(await own.get(SECURITY)).find(({ device }) => device.startsWith('Firefox')) ??
        {};
      const page = await own.follow(await own.post(`${SECURITY}/sessions/end`, { session }));
      expect(page.text).toContain('That browser is signed out.');
      expect([await isOpen(there), await isOpen(third), await isOpen(own)]).toEqual([
        false,
        true,
        true,
      ]);
    } finally {
      await beside.app.close();
    }
  });

  it('ends no session of another user, and none for a made-up name', async () => {
    const [first] = await ledger.rows(
      `SELECT session_hash FROM sessions WHERE user_id = ${user_id}`,
    );
    const victim = own;
    user_id += 1;
    const thief = await Visitor.signedIn(service, user_id);
    await thief.get(SECURITY);
    for (const session of [String(first?.session_hash), '', "x' OR 1=1"]) {
      expect((await thief.post(`${SECURITY}/sessions/end`, { session })).status).toBe(303);
    }
    expect([await isOpen(victim), await isOpen(thief)]).toEqual([true, true]);
  });

  it('ends all others at once, also those that are being created', async () => {
    const others = [await signedIn(), await signedIn()];
    const late = await ledger.rows(`SELECT * FROM sessions WHERE user_id = ${user_id}`);
    expect((await own.get(SECURITY)).text).toMatch(/<table.*<\/table>.*\/sessions\/end-others"/s);
    const page = await own.follow(await own.post(`${SECURITY}/sessions/end-others`));
    expect(page.text).toContain('All other browsers are signed out.');
    for (const row of late) {
      const values = Object.values(row).map((value) => `'${String(value)}'`);
      await ledger.run(
        `INSERT INTO sessions (${Object.keys(row).join(', ')}) VALUES (${values.join(', ')})`,
      );
    }
    for (const other of others) expect(await isOpen(other)).toBe(false);
    expect(await isOpen(own)).toBe(true);
    expect((await new Visitor(service).signIn(email, PASSWORD)).status).toBe(303);
  });
});
