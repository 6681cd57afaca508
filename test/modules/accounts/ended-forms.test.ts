/** Forms that are sent after their session has ended come back filled, and change nothing. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { pagesRouter } from '../../../src/platform/pages/serve-pages.js';
import { affiliation, product, user } from '../../support/builders/ledger-records.js';
import { TestLedger } from '../../support/builders/test-ledger.js';
import { postRoutesOf } from '../../support/browser/page-routes.js';
import { CODE, codeOf, inOneStep, turnOn } from '../../support/browser/two-factor.js';
import { PASSWORD, Visitor } from '../../support/browser/visitor.js';
import type { Answer } from '../../support/http/http.js';
import { TestService } from '../../support/servers/service.js';

const [ANN, BOB, AFFILIATE, TWO_FACTOR] = [1, 2, 3, 4];
const FROM_HERE = { 'Sec-Fetch-Site': 'same-origin' };
const MESSAGE = 'You were signed out. Sign in to save your changes.';
const TERMS = `/account/affiliates/${AFFILIATE}/terms?product=10`;
const TYPED = {
  approval_status: 'DELAYED',
  custom_commission: '77',
  affiliate_verification_email: '',
};

let service: TestService;
let ledger: TestLedger;
let ann: Visitor;
beforeAll(async () => {
  service = await TestService.start();
  await service.import([
    ...[ANN, BOB, AFFILIATE, TWO_FACTOR].map((id) => user(id)),
    product(10, ANN),
    product(40, TWO_FACTOR),
    affiliation(AFFILIATE, 10),
    affiliation(AFFILIATE, 40),
  ]);
  ledger = TestLedger.on(service.database);
  for (const id of [ANN, BOB, TWO_FACTOR]) await service.setPassword(id, PASSWORD);
});
afterAll(async () => {
  await ledger.close();
  await service.stop();
});
beforeEach(async () => {
  ann = await signedIn(ANN);
});

async function signedIn(id: number, headers = FROM_HERE): Promise<Visitor> {
  const visitor = new Visitor(service, headers);
  expect((await visitor.signIn(`user${id}@example.test`)).status).toBe(303);
  return visitor;
}

function hidden({ text }: Answer, name: string): string {
  const value = new RegExp(`name="${name}" value="([^"]*)"`).exec(text)?.[1] ?? '';
  return value.replaceAll('&amp;', '&');
}

/** Opens a page, ends the session, and sends the form of the page with what was typed. */
async function sentTooLate(visitor: Visitor, page: string, action: string, typed: object) {
  const form_page = hidden(await visitor.get(page), 'form_page');
  const { token } = visitor;
  await visitor.post('/account/sign-out');
  return visitor.post(action, { csrf_token: token, form_page, ...typed });
}

function signInWith(visitor: Visitor, kept_form: string, id = ANN): Promise<Answer> {
  const fields = { email: `user${id}@example.test`, password: PASSWORD, next: '', kept_form };
  return visitor.post('/account/sign-in', fields);
}

function terms(): Promise<unknown[]> {
  return ledger.rows('SELECT product_id, status, custom_commission FROM affiliations');
}

function expectFilled({ text }: Answer): void {
  expect(text).toContain('What you typed is in the form, and is not saved yet.');
  expect(text).toMatch(/name="custom_commission"[^>]* value="77"/);
  expect(text).toMatch(/<input type="radio" name="approval_status" value="DELAYED" checked/);
}

describe('A form that is sent after its session has ended', () => {
  it('comes back filled after the sign-in, once, and is saved when it is sent again', async () => {
    const before = await terms();
    const late = await sentTooLate(ann, TERMS, TERMS, TYPED);
    expect([late.status, late.text.includes(MESSAGE)]).toEqual([200, true]);
    expect(late.text).not.toContain('value="77"');
    const wrong = await ann.post('/account/sign-in', {
      email: 'user1@example.test',
      password: 'wrong',
      kept_form: hidden(late, 'kept_form'),
    });
    expect([wrong.status, wrong.text.includes(MESSAGE)]).toEqual([401, true]);
    const answer = await signInWith(ann, hidden(wrong, 'kept_form'));
    expect(answer.headers.location).toBe(TERMS);
    const page = await ann.follow(answer);
    expectFilled(page);
    expect(await terms()).toEqual(before);
    expect((await ann.get(TERMS)).text).not.toContain('value="77"');
    await ann.follow(await ann.post(TERMS, { ...TYPED, custom_commission: '12' }));
    expect(await terms()).not.toEqual(before);
  });

  it('comes back after two-factor sign-in', async () => {
    const visitor = await signedIn(TWO_FACTOR);
    const { secret } = await turnOn(visitor);
    const page = TERMS.replace('10', '40');
    const late = await sentTooLate(visitor, page, page, TYPED);
    const step = await signInWith(visitor, hidden(late, 'kept_form'), TWO_FACTOR);
    const code = await visitor.follow(step);
    expect(code.headers.location).toBe(`${CODE}?next=${encodeURIComponent(page)}`);
    await visitor.follow(code);
    const next = page;
    const done = await inOneStep(() => visitor.post(CODE, { code: codeOf(secret), next }));
    expectFilled(await visitor.follow(done));
  });

  it('comes back at once if the user has signed in again in another tab', async () => {
    const form_page = hidden(await ann.get(TERMS), 'form_page');
    const { token } = ann;
    await ann.post('/account/sign-out');
    await ann.signIn('user1@example.test');
    const late = await ann.post(TERMS, { csrf_token: token, form_page, ...TYPED });
    expectFilled(await ann.follow(late));
  });

  it('leads to the sign-in, whichever it is', async () => {
    const form_page = hidden(await ann.get(TERMS), 'form_page');
    await ann.post('/account/sign-out');
    const others: string[] = [];
    let forms = 0;
    for (const { path, isOfPost } of postRoutesOf(pagesRouter(service.app), '7')) {
      if (!isOfPost) continue;
      const { text } = await ann.post(path, { csrf_token: 'ended', form_page });
      if (text.includes(MESSAGE)) forms += 1;
      else others.push(path);
    }
    expect(others.toSorted()).toEqual([
      '/account/password/:token',
      '/account/sign-in',
      '/account/sign-in/code',
      '/account/sign-out',
    ]);
    expect(forms).toBeGreaterThan(20);
  });
});

describe('A form of an ended session is not kept', () => {
  it.each([
    ['another site', { 'Sec-Fetch-Site': 'cross-site' }],
    ['a site beside this one', { 'Sec-Fetch-Site': 'same-site' }],
    ['another origin', { Origin: 'https://evil.example' }],
    ['an unknown origin', { Origin: 'null' }],
    ['no browser', {}],
  ])('if %s sends it', async (_, headers: Record<string, string>) => {
    const visitor = new Visitor(service, headers);
    const form = { form_page: `${ANN} ${TERMS}`, csrf_token: 'forged', ...TYPED };
    const { status, text } = await visitor.post(TERMS, form);
    expect([status, text.includes('kept_form')]).toEqual([403, false]);
  });

  it.each([
    '//evil.example',
    'https://evil.example',
    '/account\\evil',
    '/v3.0',
    '',
    'x'.repeat(2_000),
  ])('for the page %j', async (page) => {
    const form = { form_page: `${ANN} ${page}`, csrf_token: 'forged', ...TYPED };
    const { status, text } = await new Visitor(service, FROM_HERE).post(TERMS, form);
    expect([status, text.includes('kept_form')]).toEqual([403, false]);
  });

  it('if it is that of another user, or was changed', async () => {
    const late = await sentTooLate(ann, TERMS, TERMS, TYPED);
    const kept = hidden(late, 'kept_form');
    const flipped = `${kept.slice(0, 40)}${kept[40] === 'A' ? 'B' : 'A'}${kept.slice(41)}`;
    for (const [text, id] of [
      [kept, BOB],
      [flipped, ANN],
      ['x', ANN],
    ] as const) {
      const visitor = new Visitor(service, FROM_HERE);
      await visitor.get('/account/sign-in');
      const answer = await signInWith(visitor, text, id);
      expect(answer.headers.location).toBe('/account/reports');
      expect((await visitor.get(TERMS)).text).not.toContain('value="77"');
    }
    const bob = await signedIn(BOB);
    const foreign = { csrf_token: 'ended', form_page: `${ANN} ${TERMS}`, ...TYPED };
    expect((await bob.post(TERMS, foreign)).status).toBe(403);
  });

  it('with passwords, codes and keys', async () => {
    const page = '/account/upstream';
    const secrets = {
      key: 'the-key',
      password: 'the-pass',
      code: '123456',
      new_password: 'the-new',
    };
    const late = await sentTooLate(ann, page, page, { url: 'https://typed.example', ...secrets });
    const answer = await signInWith(ann, hidden(late, 'kept_form'));
    const rows = await ledger.rows('SELECT data FROM sessions');
    const { text } = await ann.follow(answer);
    expect(text).toContain('value="https://typed.example"');
    expect(text).not.toMatch(/the-key|the-pass|123456|the-new/);
    // The session keeps it encrypted.
    expect(JSON.stringify(rows)).toContain('typed_form');
    expect(JSON.stringify(rows)).not.toMatch(/typed\.example|the-key/);
  });

  it('if it is too long: 8,000 characters are left out, and 1 MB is refused', async () => {
    const long = { ...TYPED, custom_sales_page_url: 'x'.repeat(8_000) };
    const late = await sentTooLate(ann, TERMS, TERMS, long);
    expect(late.text).toContain(MESSAGE);
    const page = await ann.follow(await signInWith(ann, hidden(late, 'kept_form')));
    expect(page.text).toContain('You are signed in again. Nothing was saved. Send the form again.');
    expect(page.text).not.toMatch(/value="77"|xxx/);
    const huge = await ann.post(TERMS, { ...TYPED, custom_sales_page_url: 'x'.repeat(1_000_000) });
    expect([huge.status, huge.text.includes('kept_form')]).toEqual([400, false]);
  });
});
