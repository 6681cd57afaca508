/** Two-factor sign-in as a requirement that the operator sets and removes. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ALL_USERS } from '../../../src/modules/accounts/accounts.entity.js';
import { TwoFactorService } from '../../../src/modules/accounts/sessions/two-factor.service.js';
import { pagesRouter } from '../../../src/platform/pages/serve-pages.js';
import { pagePathsOf, postRoutesOf } from '../../support/browser/page-routes.js';
import { CODE, codeOf, SET_UP, turnOn } from '../../support/browser/two-factor.js';
import { PASSWORD, Visitor } from '../../support/browser/visitor.js';
import { user } from '../../support/builders/ledger-records.js';
import { TestService } from '../../support/servers/service.js';

const [ANN, BOB, CARL, NEW] = [1, 2, 3, 4];
const SECURITY = '/account/security';
/** This link leads to a page from which a user with the requirement is redirected back. */
/** The link above the heading. */
const BACK = 'class="back ';
const OPEN = [
  '/account/sign-in',
  '/account/sign-out',
  CODE,
  SET_UP,
  `${SET_UP}/confirm`,
  '/account/password/:token',
];

let service: TestService;
let requirements: TwoFactorService;
beforeAll(async () => {
  service = await TestService.start();
  await service.import([user(ANN), user(BOB), user(CARL)]);
  requirements = service.app.get(TwoFactorService);
});
afterAll(() => service.stop());

async function expectLedToSetUp(visitor: Visitor): Promise<void> {
  const { status, headers } = await visitor.get(SECURITY);
  expect({ status, location: headers.location }).toEqual({ status: 303, location: SET_UP });
}

describe('a user of whom it is required', () => {
  it('gets no page and no form but those to set it up, also in an open session', async () => {
    const ann = await Visitor.signedIn(service, ANN);
    expect((await ann.get(SECURITY)).status).toBe(200);
    await requirements.setRequired(ANN, true);
    const router = pagesRouter(service.app);
    const isClosed = (path: string) => path.startsWith('/account') && !OPEN.includes(path);
    const paths = pagePathsOf(router, '1').filter(isClosed);
    expect(paths.length).toBeGreaterThan(20);
    for (const path of paths) {
      const { status, headers } = await ann.get(path);
      expect({ path, status, location: headers.location }).toEqual({
        path,
        status: 303,
        location: SET_UP,
      });
    }
    const forms = postRoutesOf(router, '1').filter(
      ({ path, isOfPost }) => isOfPost && isClosed(path),
    );
    expect(forms.length).toBeGreaterThan(20);
    for (const { path } of forms) {
      await ann.get(SET_UP);
      const { status, headers } = await ann.post(path, { password: PASSWORD });
      expect({ path, status, location: headers.location }).toEqual({
        path,
        status: 303,
        location: SET_UP,
      });
    }
    const page = await ann.get(SET_UP);
    expect(page.text).toContain('The operator of this service requires it of you.');
    expect(page.text).not.toContain('href="/account/reports"');
    const confirm = await ann.post(SET_UP, { password: PASSWORD });
    for (const { text } of [page, confirm]) expect(text).not.toContain(BACK);
    const { secret } = await turnOn(ann);
    expect((await ann.get(SECURITY)).status).toBe(200);
    // Turning it off leads to the setup page again.
    await ann.get(SET_UP);
    const off = { off_password: PASSWORD, off_code: codeOf(secret) };
    await expectLedToSetUp(await post(ann, off));
  });

  it('may be any user, and one who is added later', async () => {
    await requirements.setRequired(ANN, false);
    const [bob, carl] = [
      await Visitor.signedIn(service, BOB),
      await Visitor.signedIn(service, CARL),
    ];
    await turnOn(carl);
    await requirements.setRequired(ALL_USERS, true);
    await service.import([user(NEW)]);
    const added = await Visitor.signedIn(service, NEW);
    for (const visitor of [bob, added]) await expectLedToSetUp(visitor);
    expect((await carl.get(SECURITY)).status).toBe(200);
    expect(await requirements.setRequired(BOB, false)).toBe(true);
    await expectLedToSetUp(bob);
    expect(await requirements.setRequired(ALL_USERS, false)).toBe(false);
    for (const visitor of [bob, added]) expect((await visitor.get(SECURITY)).status).toBe(200);
    expect((await bob.get(SET_UP)).text).toContain(BACK);
  });

  it('can still use API keys', async () => {
    await requirements.setRequired(BOB, true);
    const key = await service.key(BOB);
    expect((await service.get('/v3.0', key)).status).toBe(200);
    await requirements.setRequired(BOB, false);
  });
});

async function post(visitor: Visitor, fields: Record<string, string>): Promise<Visitor> {
  expect((await visitor.post(`${SET_UP}/off`, fields)).status).toBe(303);
  return visitor;
}

describe('a user whose device is lost', () => {
  it('signs in with the password again, and all sessions have ended', async () => {
    const bob = await Visitor.signedIn(service, BOB);
    await turnOn(bob);
    await service.app.get(TwoFactorService).reset(BOB);
    expect((await bob.get(SECURITY)).headers.location).toContain('/account/sign-in?');
    const again = new Visitor(service);
    await again.signIn('user2@example.test');
    const page = await again.get(SECURITY);
    expect([page.status, page.text.includes('>Off</span>')]).toEqual([200, true]);
  });
});
