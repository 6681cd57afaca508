import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { expectFailure } from '../../support/oracles/failure.js';
import type { Answer } from '../../support/http/http.js';
import {
  affiliation,
  product,
  recurringPayment,
  transaction,
  user,
} from '../../support/builders/ledger-records.js';
import { TestService } from '../../support/servers/service.js';
import { TestLedger } from '../../support/builders/test-ledger.js';
import { Visitor } from '../../support/browser/visitor.js';

const POLICY = [
  "default-src 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
].join(';');
/** Nothing is sent, so no server listens on this port. */
const MAIL = {
  SMTP_URL: 'smtp://127.0.0.1:9',
  MAIL_FROM: 'reports@example.test',
  PUBLIC_URL: 'https://reports.example.test',
};
const APPLICATIONS = '/account/applications';
const FOR_ANYBODY = [
  '/',
  '/account/sign-in',
  '/account/no-such-page',
  '/account/forgot-password',
  '/account/password/no-such-link',
];
const FOR_USERS = [
  '/account/applications',
  '/account/upstream',
  '/account/data-protection',
  '/account/security',
  '/account/security/two-factor',
  '/account/applications/999',
  '/account/reports',
  '/account/reports/cohorts',
  '/account/transactions/of-1',
  '/account/transactions/none',
  '/account/affiliates',
  '/account/affiliates/2',
  '/account/earnings',
  '/account/earnings/tracking',
  '/account/customers',
  '/account/customers?email=customer%40example.test',
  '/account/activity',
  '/account/subscriptions',
  '/account/subscriptions/nothing',
  '/account/tracking',
  '/account/search',
  '/account/people?email=customer%40example.test',
];

/**
 * Ends an isolation and reverses the text after it. Names of users and products must not contain
 * it.
 */
const REVERSED = '\u2069\u202egnp.exe';
/**
 * Letters that are written from right to left, which change the order of the text after them, too.
 */
const HEBREW = '\u05d0\u05d1';
/** Pages that show names and texts from records of the vendor 3. */
const REVERSED_PAGES = [
  '/account/reports?range=all-time',
  '/account/reports/cohorts?of=product-30',
  `/account/reports/transactions?range=all-time&product=30&tid=${encodeURIComponent(REVERSED)}`,
  '/account/transactions/sold',
  '/account/tracking?range=all-time&field=tid',
  '/account/affiliates?range=all-time',
  '/account/affiliates/4?range=all-time',
  '/account/affiliates/4/terms?product=30',
  '/account/search?q=sold',
  '/account/subscriptions',
  '/account/subscriptions/of-3',
  '/account/subscriptions/of-3/cancel',
];

let service: TestService;
let visitor: Visitor;
let key: string;
beforeAll(async () => {
  service = await TestService.start(MAIL);
  await service.import([user(1), product(10, 1), transaction('of-1', 10)]);
  visitor = await Visitor.signedIn(service, 1);
  key = await service.key(1);
});
afterAll(() => service.stop());

/** Returns records with names and texts that other people choose. */
function reversedRecords(): object[] {
  const customer = { email: 'c@example.test', first_name: REVERSED, last_name: REVERSED };
  const names = { name: HEBREW, display_name: HEBREW };
  return [
    user(3, names),
    user(4, names),
    product(30, 3, { name: HEBREW }),
    affiliation(4, 30),
    recurringPayment('of-3', 30, { contact_email: REVERSED, sender_email: REVERSED }),
    transaction('sold', 30, {
      product_name: REVERSED,
      affiliate_id: 4,
      customer,
      pre_key: 'of-3',
      tracking: { tid: REVERSED, custom: REVERSED },
      delivery: { name: REVERSED },
    }),
  ];
}

/** Returns the text of a page that no element or character isolates. */
function exposedText(html: string): string {
  return html
    .replaceAll(/="[^"]*"/g, '')
    .replaceAll(/<bdi>([^<]*)<\/bdi>|\u2068([^<\u2069]*)\u2069/g, '')
    .replaceAll(/<[^>]*>/g, '');
}

function expectPage(answer: Answer): void {
  expect(answer.headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': POLICY,
    'cache-control': 'private, no-store',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'x-request-id': expect.any(String) as unknown,
  });
  expect(answer.text).toMatch(/^<!doctype html><html lang="en">/);
  expect(answer.text).not.toMatch(/<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)/);
  for (const [, address = ''] of answer.text.matchAll(/\s(?:src|href|action)="([^"]*)"/g)) {
    expect(address).toMatch(/^(?:\/(?!\/)|#)/);
  }
}

describe('a name that reverses text', () => {
  beforeAll(() => service.import(reversedRecords()));

  it('does not reverse the text around it, on any page', async () => {
    const vendor = await Visitor.signedIn(service, 3);
    for (const path of REVERSED_PAGES) {
      const { status, text } = await vendor.get(path);
      expect([path, status]).toEqual([path, 200]);
      expect(text).toMatch(/<bdi>(?:\u202egnp.exe|\u05d0\u05d1)<\/bdi>/);
      expect(exposedText(text)).not.toMatch(/[\u05d0\u202e\u2069]/);
    }
  });

  it('is isolated alone in a sentence', async () => {
    const vendor = await Visitor.signedIn(service, 3);
    const { text } = await vendor.get('/account/reports/transactions?range=all-time&partner=4');
    expect(text).toContain('Affiliate: \u2068\u05d0\u05d1\u2069 <span');
  });

  it('does not reverse the title', async () => {
    const vendor = await Visitor.signedIn(service, 3);
    const { text } = await vendor.get('/account/affiliates/4');
    expect(text).toContain('<title>\u2068\u05d0\u05d1\u2069, ');
  });
});

describe('every page', () => {
  it.each(FOR_ANYBODY)(
    '%s has the strict content security policy, without inline or external resources',
    async (path) => {
      expectPage(await new Visitor(service).get(path));
    },
  );

  it.each(FOR_USERS)('%s has it for a signed-in user', async (path) => {
    expectPage(await visitor.get(path));
  });

  it.each(['/account', ...FOR_USERS])(
    '%s redirects a visitor who is not signed in to sign-in',
    async (path) => {
      const { status, headers } = await new Visitor(service).get(path);
      const location = `/account/sign-in?next=${encodeURIComponent(path)}`;
      expect({ status, location: headers.location }).toEqual({ status: 303, location });
    },
  );

  it('loads files that can be cached forever, because their URLs change with their content', async () => {
    const { text } = await new Visitor(service).get('/account/sign-in');
    const paths = [...text.matchAll(/"(\/assets\/[^"]+)"/g)].map(([, path = '']) => path);
    expect(paths.length).toBeGreaterThanOrEqual(3);
    for (const path of paths) {
      const answer = await service.send({ path, headers: { 'Accept-Encoding': 'gzip' } });
      expect(answer.status).toBe(200);
      expect(answer.headers).toMatchObject({
        'cache-control': 'public, max-age=31536000, immutable',
        'x-content-type-options': 'nosniff',
        vary: 'Accept-Encoding',
      });
      const again = await service.send({
        path,
        headers: { 'Accept-Encoding': 'gzip', 'If-None-Match': String(answer.headers.etag) },
      });
      expect(again).toMatchObject({ status: 304, text: '' });
    }
    expectFailure(await service.send({ path: '/assets/../package.json' }), 4040);
  });

  it('answers HEAD as GET, without the body', async () => {
    const head = await service.send({ method: 'HEAD', path: '/account/sign-in' });
    expect(head).toMatchObject({ status: 200, text: '' });
  });

  it('is a page with 405 and Allow for another method', async () => {
    for (const method of ['PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
      const answer = await service.send({ method, path: '/account/applications' });
      expect(answer.status).toBe(405);
      expect(answer.headers.allow).toBe('GET, HEAD, POST');
      expectPage(answer);
    }
  });

  it.each([
    ['/account/sign-out', 'GET', 'POST'],
    ['/account/reports', 'POST', 'GET, HEAD'],
    ['/account/applications/1/revoke', 'OPTIONS', 'POST'],
    ['/account/upstream/run', 'GET', 'POST'],
  ])('%s with %s names the methods of that page', async (path, method, allow) => {
    const answer = await (method === 'POST' ? visitor.post(path) : service.send({ method, path }));
    expect([answer.status, answer.headers.allow]).toEqual([405, allow]);
    expectPage(answer);
  });

  it.each(['GET', 'OPTIONS', 'PUT', 'DELETE'])(
    'is 404 for %s on an unknown path',
    async (method) => {
      const answer = await service.send({ method, path: '/account/nowhere' });
      expect([answer.status, answer.headers.allow]).toEqual([404, undefined]);
      expectPage(answer);
    },
  );

  it.each(['session', 'forms'])('is shown whatever the cookie %s holds', async (name) => {
    const values = [
      'j:{"a":1}',
      'j:[1]',
      'j:1',
      'j:null',
      'j:"x"',
      'j:{',
      's:',
      's:a.b',
      '',
      '%zz',
    ];
    for (const value of values) {
      const headers = { Cookie: `${name}=${value}` };
      const answer = await service.send({ path: '/account/sign-in', headers });
      expect([value, answer.status]).toEqual([value, 200]);
      const sent = await service.send({ method: 'POST', path: '/account/sign-in', headers });
      expect([value, sent.status]).toEqual([value, 403]);
    }
  });

  it('is a page with 400 for a form that is too large or unreadable', async () => {
    const answer = await visitor.post('/account/sign-in', { email: 'x'.repeat(17_000) });
    expect(answer.status).toBe(400);
    expect(answer.text).toContain('The body must not exceed 16 KiB.');
    expectPage(answer);
  });
});

describe('the page of an error', () => {
  const LINKS = /<a [^>]*?href="([^"]+)"/g;
  const navigationOf = ({ text }: Answer) => {
    const header = /<header.*?<\/header>/.exec(text)?.[0] ?? '';
    // The menu of a phone has the same links again.
    return [...new Set(Array.from(header.matchAll(LINKS), ([, path]) => path))];
  };
  const OF_USERS = [
    '/account/reports',
    '/account/customers',
    '/account/affiliates',
    '/account/applications',
    '/account/webhooks',
    '/docs/guide',
    '/docs',
    '/account/data-protection',
    '/account/security',
    '/account/activity',
    '/account/upstream',
    '/account/reports/transactions',
    '/account/tracking',
    '/account/reports/cohorts',
    '/account/subscriptions',
  ];
  const large = { name: 'x'.repeat(17_000) };

  it.each([
    ['an unknown path', 404, (asked: Visitor) => asked.get('/account/no-such-page')],
    ['an unknown application', 404, (asked: Visitor) => asked.get(`${APPLICATIONS}/999999`)],
    ['no such list', 400, (asked: Visitor) => asked.get(`/account/reports/transactions?kind=none`)],
    ['a forged form', 403, (asked: Visitor) => asked.post(APPLICATIONS, { csrf_token: 'forged' })],
    ['a form that is too large', 400, (asked: Visitor) => asked.post(APPLICATIONS, large)],
  ])('has the navigation of the account: %s', async (_, status, ask) => {
    const answer = await ask(visitor);
    expect(answer.status).toBe(status);
    expect(navigationOf(answer)).toEqual(OF_USERS);
    expect(answer.text).toContain('action="/account/sign-out"');
    // The sign-out on this page works.
    await visitor.get('/account/no-such-page');
    expect((await visitor.post('/account/security/password', {})).status).toBe(400);
  });

  it('links to the home page and to sign-in for a visitor who is not signed in', async () => {
    const stranger = new Visitor(service);
    for (const answer of [
      await stranger.get('/account/no-such-page'),
      await stranger.post(APPLICATIONS, { csrf_token: 'forged' }),
      await stranger.post(APPLICATIONS, large),
    ]) {
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(navigationOf(answer)).toEqual(['/', '/docs/guide', '/docs', '/account/sign-in']);
    }
  });
});

describe('an address that people type', () => {
  it.each([
    ['/account/transactions', '/account/reports/transactions'],
    [
      '/account/transactions?range=today&kind=all',
      '/account/reports/transactions?range=today&kind=all',
    ],
    ['/account/cohorts', '/account/reports/cohorts'],
    ['/account/cohorts?measure=money', '/account/reports/cohorts?measure=money'],
    ['/account/people', '/account/data-protection'],
  ])('%s leads to %s', async (path, page) => {
    const { status, headers } = await visitor.get(path);
    expect([status, headers.location]).toEqual([303, page]);
  });
});

describe('the API, next to the pages,', () => {
  it('ignores sessions: a cookie does not replace a key', async () => {
    expectFailure(await visitor.get('/v3.0'), 4010);
    expectFailure(await visitor.get('/v3.0/unknown'), 4010);
  });

  it.each(['/accounts', '/Account/applications'])(
    'leaves %s to a page for browsers',
    async (path) => {
      const { status, headers } = await visitor.get(path);
      expect([status, headers['www-authenticate']]).toEqual([404, undefined]);
    },
  );

  it('does not open the account: a key signs nobody in', async () => {
    expect((await service.get('/account/applications', key)).status).toBe(303);
  });
});

// This block comes last: passport uses the strategy of the newest service, which ends before the
// others.
describe('a page of another service', () => {
  it('shows only the request id on a page with 500 after an unexpected error', async () => {
    const broken = await TestService.start();
    try {
      const stranger = new Visitor(broken);
      await stranger.get('/account/sign-in');
      const ledger = TestLedger.on(broken.database);
      await ledger.run('DROP TABLE user_passwords');
      await ledger.close();
      const answer = await stranger.post('/account/sign-in', { email: 'a@b.test', password: 'x' });
      expect(answer.status).toBe(500);
      expect(answer.text).toContain(
        `Ask the operator about the request ${String(answer.headers['x-request-id'])}.`,
      );
      expect(answer.text).not.toMatch(/SQL|users|\.ts|\.js:/);
    } finally {
      await broken.stop();
    }
  });

  it('counts against the limits of the address, and reports it on a page', async () => {
    const limited = await TestService.start({ THROTTLE_ADDRESS_LIMITS: '2/1h' });
    try {
      const stranger = new Visitor(limited);
      await stranger.get('/account/sign-in');
      await stranger.get('/');
      const answer = await stranger.get('/account/sign-in');
      expect(answer.status).toBe(429);
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
      expectPage(answer);
    } finally {
      await limited.stop();
    }
  });

  it('sets cookies only over HTTPS if HTTPS is required', async () => {
    const strict = await TestService.start({ REQUIRE_HTTPS: 'on', TRUST_PROXY: '1' });
    try {
      const path = '/account/sign-in';
      expectFailure(await strict.send({ path }), 4031);
      const { headers } = await strict.send({ path, headers: { 'X-Forwarded-Proto': 'https' } });
      expect(headers['set-cookie']?.join()).toMatch(/^__Host-forms=.*; Secure; SameSite=Lax$/);
    } finally {
      await strict.stop();
    }
  });
});
