import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { user } from '../../support/builders/ledger-records.js';
import { type FailureCode, expectFailure } from '../../support/oracles/failure.js';
import { TestService } from '../../support/servers/service.js';
import { Visitor } from '../../support/browser/visitor.js';

let service: TestService;
let key: string;
beforeAll(async () => {
  service = await TestService.start();
  await service.import([user(1)]);
  key = await service.key(1);
});
afterAll(() => service.stop());

describe('the home page', () => {
  it('links to the reference and to the account for a browser', async () => {
    const { status, headers, text } = await new Visitor(service).get('/');
    expect(status).toBe(200);
    expect(headers.vary).toContain('Accept');
    for (const path of ['/docs', '/account']) expect(text).toContain(`href="${path}"`);
  });

  it.each(['/', '/docs', '/docs/v2.1', '/docs/guide'])(
    'and every public page has the header of the account for a user: %s',
    async (path) => {
      const visitor = await Visitor.signedIn(service, 1);
      const { status, headers, text } = await visitor.get(path);
      expect(status).toBe(200);
      expect(headers['cache-control']).toBe('private, no-store');
      expect(text).toContain('action="/account/sign-out"');
      expect(text).toContain('href="/account/reports"');
      expect(text.includes('<nav class="subnav" aria-label="Developers">')).toBe(path !== '/');
      const stranger = await new Visitor(service).get(path);
      const cached = path === '/' ? 'private, no-store' : 'public, no-cache';
      expect(stranger.headers['cache-control']).toBe(cached);
      expect(stranger.text).toContain('href="/account/sign-in"');
      const mainOf = (html: string) => html.slice(html.indexOf('<main'));
      const own = /<p class="hint">Your keys: .*?<\/p>/;
      const place = '<div id="own-applications"></div>';
      expect(mainOf(text).replace(own, place)).toBe(mainOf(stranger.text));
      expect(own.test(text)).toBe(path !== '/');
    },
  );

  it('lets a user sign out, after which the public header is back', async () => {
    const visitor = await Visitor.signedIn(service, 1);
    await visitor.get('/docs/guide');
    expect((await visitor.post('/account/sign-out', {})).status).toBe(303);
    expect((await visitor.get('/docs/guide')).text).toContain('href="/account/sign-in"');
  });

  it.each([undefined, '*/*', 'application/json', 'text/*'])(
    'stays an unknown path for a client that accepts %s',
    async (accept) => {
      const headers = accept === undefined ? {} : { Accept: accept };
      expectFailure(await service.send({ path: '/', headers }), 4010);
      expectFailure(await service.get('/', key, headers), 4040);
    },
  );
});

const BROWSER = { Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };
const UNKNOWN = [
  '/nowhere',
  '/Account',
  '/Login',
  '/login/more',
  '/v4.0/transactions',
  '/v3.0x',
  '/ledgers',
  '/mcp2',
  '/extensions/none/v1/notes',
  '/docs/nothing',
  '/openapi/v9.9.json',
  '/assets/0/style.css',
  '/llms.txt/more',
  '/robots.txt/more',
  '/account/nothing',
  '/%zz',
  '/../etc/passwd',
] as const;

describe('an unknown path', () => {
  it.each(UNKNOWN)('is a page without a challenge for a browser: %s', async (path) => {
    for (const headers of [BROWSER, { Accept: 'text/html' }, { Accept: 'TEXT/HTML;q=0.1' }]) {
      const answer = await service.send({ path, headers });
      expect(answer).toMatchObject({
        status: 404,
        headers: {
          'content-type': 'text/html; charset=utf-8',
          'content-security-policy': expect.stringContaining("script-src 'self'") as unknown,
          'cache-control': 'private, no-store',
        },
      });
      expect(answer.headers).not.toHaveProperty('www-authenticate');
      expect(answer.text).toContain('<h1>Page not found</h1>');
      const head = await service.send({ method: 'HEAD', path, headers });
      expect({ ...head.headers, date: '', 'x-request-id': '' }).toEqual({
        ...answer.headers,
        date: '',
        'x-request-id': '',
      });
      expect(head).toMatchObject({ status: 404, text: '' });
    }
  });

  it('has the header and the links of the visitor, the same below /account and elsewhere', async () => {
    const visitor = await Visitor.signedIn(service, 1);
    const mainOf = (html: string) =>
      html
        .slice(html.indexOf('<h1>'), html.indexOf('</main>'))
        .replace(/<bdi><code>[^<]+<\/code><\/bdi>/, 'ADDRESS');
    const inside = await visitor.get('/account/nowhere');
    for (const path of ['/nowhere', '/docs/nothing']) {
      const stranger = await service.send({ path: `${path}?q=secret`, headers: BROWSER });
      expect(stranger.text).toContain(`The address <bdi><code>${path}</code></bdi> may`);
      expect(stranger.text).not.toContain('secret');
      expect(stranger.text).toContain('href="/account/sign-in"');
      const { status, text } = await visitor.get(path);
      expect(status).toBe(404);
      expect(text).toContain('action="/account/sign-out"');
      expect(mainOf(text)).toBe(mainOf(inside.text));
      for (const shared of ['/account/sign-in', '/docs/guide', '/docs']) {
        expect(mainOf(stranger.text)).toContain(`href="${shared}"`);
        expect(mainOf(text)).not.toContain(`href="${shared}"`);
      }
    }
    for (const path of [
      '/account/reports',
      '/account/reports/transactions',
      '/account/customers',
    ]) {
      expect(mainOf(inside.text)).toContain(`href="${path}"`);
    }
  });

  it('is named, escaped and shortened', async () => {
    for (const begin of ['/', '/account/']) {
      const path = `${begin}<b>&${'x'.repeat(200)}`;
      const { text } = await service.send({ path, headers: BROWSER });
      expect(text).toMatch(/<code>\/[a-z/]*&lt;b>&amp;x{60,79}…<\/code>/);
      expect(text).not.toContain('<b>');
    }
  });

  it.each([
    ['/login', '/account/sign-in'],
    ['/sign-in', '/account/sign-in'],
    ['/signin/', '/account/sign-in'],
    ['/reports', '/account/reports'],
    ['/reports?range=today', '/account/reports'],
  ])('%s leads a browser to %s', async (path, page) => {
    for (const method of ['GET', 'HEAD']) {
      const { status, headers } = await service.send({ method, path, headers: BROWSER });
      expect([status, headers.location]).toEqual([303, page]);
      expect(headers).not.toHaveProperty('www-authenticate');
    }
  });

  // A program, and whatever a browser does not open as a page, gets the errors of the API.
  it.each([
    ['GET', {}],
    ['GET', { Accept: '*/*' }],
    ['GET', { Accept: '' }],
    ['GET', { Accept: 'text/*' }],
    ['GET', { Accept: 'text/html;q=0' }],
    ['GET', { Accept: 'application/json, text/html; q=0.000' }],
    ['GET', { Accept: 'text/html+xml' }],
    ['GET', { Accept: 'application/json;profile="text/html"' }],
    ['POST', BROWSER],
    ['PUT', BROWSER],
    ['DELETE', BROWSER],
    ['OPTIONS', BROWSER],
  ] as const)('stays one of the API for %s, %o', async (method, headers) => {
    for (const path of ['/nowhere', '/login', '/reports', '/v4.0/transactions']) {
      expectFailure(await service.send({ method, path, headers }), 4010);
      const withKey = { ...headers, Authorization: `Basic ${btoa(`${key}:x`)}` };
      expectFailure(await service.send({ method, path, headers: withKey }), 4040);
    }
    const file = await service.send({ method, path: '/docs/nothing', headers });
    expectFailure(file, 4040);
  });

  it.each<[string, string, FailureCode]>([
    ['/v3.0/nowhere', '3.0', 4040],
    ['/v2.1/nowhere', '2.1', 4040],
    ['/v2.0/nowhere', '2.0', 4040],
    ['/ledger/v1/nowhere', 'ledger-1', 4040],
    ['/ledger', 'ledger-1', 4040],
    ['/v3.0/transactions', '3.0', 4001],
  ])('of an interface stays JSON for a browser: %s', async (path, version, code) => {
    expectFailure(await service.send({ path, headers: BROWSER }), 4010, version);
    expectFailure(await service.get(path, key, BROWSER), code, version);
  });

  it('below /mcp stays an error of JSON-RPC for a browser', async () => {
    const { headers, text } = await service.send({ path: '/mcp', headers: BROWSER });
    expect(headers['content-type']).toMatch(/^application\/json/);
    expect(JSON.parse(text)).toHaveProperty('jsonrpc', '2.0');
  });
});

describe('a file at the root', () => {
  it.each([
    ['/favicon.ico', 'image/svg+xml; charset=utf-8', '<svg'],
    ['/robots.txt', 'text/plain; charset=utf-8', 'Disallow: /account'],
  ])('%s needs no key', async (path, type, part) => {
    for (const headers of [{}, BROWSER, { Accept: 'image/*' }]) {
      const answer = await service.send({ path, headers });
      expect(answer).toMatchObject({ status: 200, headers: { 'content-type': type } });
      expect(answer.text).toContain(part);
    }
    expectFailure(await service.send({ method: 'POST', path }), 4050);
  });
});

describe('the guide', () => {
  it('has the address at which it was reached, and a button that copies it', async () => {
    for (const Host of ['reports.here:8443', '[::1]:3000']) {
      const { text } = await service.send({ path: '/docs/guide', headers: { Host } });
      expect(text).toContain(`<code id="environment">export BASE_URL=http://${Host}\n`);
      expect(text).toContain('data-copy="environment"');
      expect(text).not.toContain('https://reports.example');
    }
  });

  it.each(['a.test;rm -rf', '"><script>', '$(id)', 'a'.repeat(256)])(
    'shows no host that is none: %.20s',
    async (Host) => {
      const { text } = await service.send({ path: '/docs/guide', headers: { Host } });
      expect(text).toContain('export BASE_URL=https://reports.example\n');
      expect(text).not.toContain(Host);
    },
  );
});
