/** A PUBLIC_URL with a path, behind a proxy that also serves other content. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findProgram } from '../../../scripts/find-program.mjs';
import { product, transaction, user } from '../../support/builders/ledger-records.js';
import { Visitor } from '../../support/browser/visitor.js';
import { basic, send, type Answer, type Request } from '../../support/http/http.js';
import { TestService } from '../../support/servers/service.js';
import { BELOW_REPORTS, ThrowawayHaproxy } from '../../support/servers/throwaway-haproxy.js';

const BASE = BELOW_REPORTS.basePath;
const PUBLIC_URL = `http://reports.example${BASE}`;
const ADDRESSES = /\s(href|src|action|formaction|data-document)="([^"]*)"/g;
const HOSTS = [
  ['removes the path', 'removed.example'],
  ['passes the path on', 'passed.example'],
] as const;

const behindHaproxy = findProgram(['haproxy']) === null ? describe.skip : describe;

behindHaproxy('The service behind a proxy that', () => {
  let service: TestService;
  let proxy: ThrowawayHaproxy;
  let key: string;
  beforeAll(async () => {
    service = await TestService.start({ PUBLIC_URL, TRUST_PROXY: '1' });
    await service.import([user(1), user(2), product(10, 1), transaction('of/1', 10)]);
    await Visitor.signedIn(service, 1);
    key = await service.key(1);
    proxy = await ThrowawayHaproxy.start([{ service: service.port, management: 0 }], BELOW_REPORTS);
  });
  afterAll(async () => {
    await proxy.kill();
    await service.stop();
  });

  describe.each(HOSTS)('%s', (_what, host) => {
    const ask = (request: Request): Promise<Answer> =>
      send(proxy.port, { ...request, headers: { ...request.headers, Host: host } });
    /** Requests pages by their address at the service, and adds the path in front of it. */
    const browser = {
      send: (request: Request) => ask({ ...request, path: `${BASE}${request.path}` }),
    };
    const get = (path: string) => ask({ path, headers: basic(key) });

    it('leads to every page and file below the path', async () => {
      const visitor = new Visitor(browser);
      const signIn = await visitor.get('/account/applications');
      expect(signIn.headers.location).toBe(
        `${BASE}/account/sign-in?next=${encodeURIComponent('/account/applications')}`,
      );
      const signedIn = await visitor.signIn('user1@example.test', undefined, '/account/reports');
      expect(signedIn.headers.location).toBe(`${BASE}/account/reports`);
      const seen = await seenFrom(visitor);
      expect([...seen.values()].filter((status) => status !== 200)).toEqual([]);
      const pages = [...seen.keys()];
      expect(pages).toEqual(
        expect.arrayContaining([
          '/',
          '/docs',
          '/docs/guide',
          '/openapi',
          '/openapi/v3.0.json',
          '/account/reports',
          '/account/applications',
          '/account/security',
          '/account/transactions/of%2F1',
        ]),
      );
    });

    it('answers the API as at the root, with links below the path', async () => {
      const range = 'start_date=2025-01-01&end_date=2025-12-31';
      for (const [path, version] of [
        [`/v3.0/transactions?${range}`, '3.0'],
        ['/v2.1/products/names', '2.1'],
        ['/ledger/v1', 'ledger-1'],
      ] as const) {
        const answer = await get(`${BASE}${path}`);
        expect(answer).toMatchObject({ status: 200, headers: { 'x-api-version': version } });
        expect(answer.text).toBe((await service.get(path, key)).text);
      }
      const summary = await get(`${BASE}/v2.0/transactions/summaries/of%2F1`);
      expect(summary).toMatchObject({
        status: 200,
        headers: { link: `<${BASE}/v2.1/transaction/details/of%2F1>; rel="successor-version"` },
      });
    });

    it('serves documents for tools that call it below the path', async () => {
      const document = await get(`${BASE}/openapi/v2.1.json`);
      expect(JSON.parse(document.text)).toMatchObject({ servers: [{ url: BASE }] });
      const list = await get(`${BASE}/openapi`);
      expect(JSON.parse(list.text)).toMatchObject({
        documents: expect.arrayContaining([
          expect.objectContaining({ url: `${BASE}/openapi/v2.1.json` }),
        ]) as unknown,
      });
      const collection = await get(`${BASE}/openapi/v2.1.postman_collection.json`);
      expect(collection.text).toContain(`"value": "${PUBLIC_URL}"`);
    });
  });

  it('does not take a path that only begins with the same letters', async () => {
    const answer = await service.get(`${BASE}-of-others/v3.0`, key);
    expect(answer.status).toBe(404);
  });
});

/** @returns the status of each page and file that can be reached from the home page, by path */
async function seenFrom(visitor: Visitor): Promise<Map<string, number>> {
  const seen = new Map<string, number>();
  const waiting = ['/', '/account/reports/transactions?range=all-time'];
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const [path = ''] = next.split(/[?#]/);
    if (seen.has(path)) continue;
    const answer = await visitor.get(next);
    if (answer.status === 303) {
      waiting.push(withoutBase(String(answer.headers.location)));
      continue;
    }
    seen.set(path, answer.status);
    const isPage = String(answer.headers['content-type']).startsWith('text/html');
    if (isPage) waiting.push(...linksIn(answer.text));
  }
  return seen;
}

/**
 * Returns the paths of the links on a page. Also expects that forms lead to paths below the base.
 */
function linksIn(html: string): string[] {
  return Array.from(html.matchAll(ADDRESSES), ([, name = '', address = '']) => ({ name, address }))
    .filter(({ address }) => !/^(?:#|https:)/.test(address))
    .map(({ name, address }) => ({ name, path: withoutBase(address) }))
    .filter(({ name }) => !name.endsWith('action'))
    .map(({ path }) => path.replaceAll('&amp;', '&'));
}

function withoutBase(address: string): string {
  expect(address).toMatch(new RegExp(`^${BASE}/`));
  return address.slice(BASE.length);
}
