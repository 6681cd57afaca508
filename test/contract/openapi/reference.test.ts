import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { expectFailure } from '../../support/oracles/failure.js';
import { basic, plainText } from '../../support/http/http.js';
import { user } from '../../support/builders/ledger-records.js';
import { ApiDocument } from '../../support/oracles/open-api.js';
import { fileOfVersion, VERSIONS } from '../../support/oracles/operations.js';
import { TestService } from '../../support/servers/service.js';

const POLICY = [
  "default-src 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
].join(';');
const YEAR = 'public, max-age=31536000, immutable';

let service: TestService;
let key: string;
beforeAll(async () => {
  service = await TestService.start();
  await service.import([user(1)]);
  key = await service.key(1);
});
afterAll(() => service.stop());

async function filesOf(path: string): Promise<string[]> {
  const { text } = await service.send({ path });
  return [...text.matchAll(/(?:src|href)="(\/assets\/[^"]+\.(?:js|css))"/g)].map(
    ([, file = '']) => file,
  );
}

describe.each(VERSIONS)('the reference of %s', (version) => {
  const path = `/docs/${fileOfVersion(version)}`;

  it('is a page without a key, whose content security policy allows only this server', async () => {
    const answer = await service.send({ path });
    expect(answer.status).toBe(200);
    expect(answer.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': POLICY,
      'cache-control': 'public, no-cache',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    });
    expect(answer.text).toContain(`data-document="/openapi/${fileOfVersion(version)}.json"`);
    expect(answer.text).not.toMatch(/<script>|<style|style="|\son\w+="/);
  });

  it('links to each operation of its document, by tag', async () => {
    const { text } = await service.send({ path });
    const links = [...text.matchAll(/<a href="#\/([^"/]+)\/(\w+)" data-part="([^"]+)">([^<]+)</g)];
    const operations = [...new ApiDocument(version).operations().values()];
    expect(links.map(([, , id]) => id).sort()).toEqual(
      operations.map(({ operationId }) => operationId).sort(),
    );
    for (const [, tag = '', id = '', part] of links) {
      const name = decodeURIComponent(tag);
      expect(text).toContain(`<h3>${name}</h3>`);
      expect(part).toBe(`operations-${name.replaceAll(' ', '_')}-${id}`);
    }
  });

  it('marks its own version among the links, and no other', async () => {
    const { text } = await service.send({ path });
    const links = [
      ...text.matchAll(/<a href="\/docs\/(v\d[^"]+|ledger[^"]+)"( aria-current="page")?>/g),
    ];
    expect(links.map(([, name, current]) => [name, current !== undefined])).toEqual(
      VERSIONS.map((each) => [fileOfVersion(each), each === version]),
    );
  });
});

it('GET /docs is the page of the newest version', async () => {
  const { text } = await service.send({ path: '/docs/v3.0' });
  expect((await service.send({ path: '/docs' })).text).toBe(text);
  expect((await service.get('/docs/', 'wrong')).text).toBe(text);
});

describe('the files of a page', () => {
  it('are named by their hashes, and cached forever', async () => {
    const files = await filesOf('/docs');
    expect(files.map((file) => file.replace(/\/[0-9a-f]{16}\//, '/'))).toEqual([
      '/assets/style.css',
      '/assets/swagger-ui.css',
      '/assets/reference.css',
      '/assets/parts.css',
      '/assets/print.css',
      '/assets/page.js',
      '/assets/swagger-ui-bundle.js',
      '/assets/reference.js',
      '/assets/parts.js',
    ]);
    for (const path of files) {
      const { status, headers } = await service.send({ path });
      expect(status).toBe(200);
      const type = path.endsWith('.js') ? 'text/javascript' : 'text/css';
      expect(headers).toMatchObject({
        'content-type': `${type}; charset=utf-8`,
        'cache-control': YEAR,
        vary: 'Accept-Encoding',
      });
    }
  });

  it.each(['br', 'gzip'])('are compressed with %s for a client that accepts it', async (coding) => {
    for (const path of await filesOf('/docs')) {
      const plain = await service.send({ path });
      // A small file is sent uncompressed.
      if (plain.body.length < 2_000) continue;
      const coded = await service.send({ path, headers: { 'Accept-Encoding': coding } });
      expect(coded.headers['content-encoding']).toBe(coding);
      expect(coded.body.length).toBeLessThan(plain.body.length * 0.7);
      expect(plainText(coded)).toBe(plain.text);
      expect(coded.headers.etag).not.toBe(plain.headers.etag);
    }
  });

  it('and the page are 304 for a client that has them, and HEAD has no body', async () => {
    for (const path of ['/docs', ...(await filesOf('/docs'))]) {
      const { headers, body } = await service.send({ path });
      const etag = String(headers.etag);
      const same = await service.send({ path, headers: { 'If-None-Match': etag } });
      expect(same).toMatchObject({ status: 304, text: '' });
      const head = await service.send({ method: 'HEAD', path });
      expect(head).toMatchObject({ status: 200, text: '' });
      expect(head.headers['content-length']).toBe(String(body.length));
    }
  });
});

describe('an unknown path', () => {
  it.each([
    '/docs/nothing',
    '/docs/v9.9',
    '/docs/V3.0',
    '/docs/reference.js',
    '/docs/index.html',
    '/docs/constructor',
    '/docs/%2e%2e%2fpackage.json',
    '/docs/swagger-ui.0123456789abcdef.css',
    '/docs/v3.0/more',
    '/docs/../package.json',
  ])('%s is 4040 below /docs, without a key', async (path) => {
    expectFailure(await service.send({ path }), 4040);
  });

  it('/Docs is 4010 without a key and 4040 with one, as everywhere', async () => {
    expectFailure(await service.send({ path: '/Docs' }), 4010);
    expectFailure(await service.get('/Docs', key), 4040);
  });

  it.each(['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'])(
    'a %s is 4050, with a key and without',
    async (method) => {
      for (const headers of [{}, basic(key)]) {
        const answer = await service.send({ method, path: '/docs', headers });
        expectFailure(answer, 4050);
        expect(answer.headers.allow).toBe('GET, HEAD');
      }
    },
  );
});

it('the limits of an address apply to it', async () => {
  const limited = await TestService.start({ THROTTLE_ADDRESS_LIMITS: '2/1h' });
  try {
    for (const path of ['/docs', '/docs/nothing']) await limited.send({ path });
    expectFailure(await limited.send({ path: '/docs' }), 4290);
  } finally {
    await limited.stop();
  }
});

it('HTTPS is required for it if configured', async () => {
  const strict = await TestService.start({ REQUIRE_HTTPS: 'on' });
  try {
    expectFailure(await strict.send({ path: '/docs' }), 4031);
  } finally {
    await strict.stop();
  }
});
