import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { expectFailure } from '../../support/oracles/failure.js';
import { basic } from '../../support/http/http.js';
import { exchange, head } from '../../support/http/raw-http.js';
import { user } from '../../support/builders/ledger-records.js';
import { ApiDocument } from '../../support/oracles/open-api.js';
import { fileOfVersion, VERSIONS } from '../../support/oracles/operations.js';
import { TestService } from '../../support/servers/service.js';

const ANY = '/openapi/v3.0.json';
/** A served collection has the address of its service instead of this one. */
const BUILT_URL = /(?<="value": ")http:\/\/127\.0\.0\.1:3000(?=")/;

let service: TestService;
let key: string;
beforeAll(async () => {
  service = await TestService.start();
  await service.import([user(1)]);
  key = await service.key(1);
});
afterAll(() => service.stop());

const COLLECTIONS = VERSIONS.map(
  (version) => `/openapi/${fileOfVersion(version)}.postman_collection.json`,
);
const LIST = `${JSON.stringify(
  {
    documents: VERSIONS.map((version, at) => ({
      title: `Vendor Reporting API ${version}`,
      version,
      status: version === '3.0' || version === 'ledger-1' ? 'current' : 'supported',
      url: `/openapi/${fileOfVersion(version)}.json`,
      postman_collection_url: COLLECTIONS[at],
    })),
  },
  null,
  2,
)}\n`;
const PUBLIC: readonly (readonly [path: string, text: string])[] = [
  ['/openapi', LIST],
  ...VERSIONS.map(
    (version) =>
      [`/openapi/${fileOfVersion(version)}.json`, new ApiDocument(version).text] as const,
  ),
  ...COLLECTIONS.map(
    (path) =>
      [path, readFileSync(new URL(`../../../dist${path}`, import.meta.url), 'utf8')] as const,
  ),
];

describe.each(PUBLIC)('GET %s', (path, file) => {
  it('is the committed or built file, or the list of these files, without a key', async () => {
    const answer = await service.send({ path });
    expect(answer.status).toBe(200);
    expect(answer.text).toBe(file.replace(BUILT_URL, `http://127.0.0.1:${service.port}`));
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(answer.body.length),
      'cache-control': `${path.includes('postman') ? 'private' : 'public'}, max-age=300`,
      etag: expect.stringMatching(/^"[^"]+"$/) as unknown,
      'x-api-version': '3.0',
      'x-content-type-options': 'nosniff',
      'x-request-id': expect.any(String) as unknown,
    });
    expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
  });

  it('is 304 for a client that has it', async () => {
    const { headers } = await service.send({ path });
    const etag = String(headers.etag);
    const same = await service.send({ path, headers: { 'If-None-Match': `"other", ${etag}` } });
    expect(same).toMatchObject({ status: 304, text: '', headers: { etag } });
    const other = await service.send({ path, headers: { 'If-None-Match': '"other"' } });
    expect(other.status).toBe(200);
  });

  it('answers HEAD as GET, without the body', async () => {
    const got = await service.send({ path });
    const head = await service.send({ method: 'HEAD', path });
    expect(head).toMatchObject({ status: 200, text: '' });
    expect(head.headers['content-length']).toBe(got.headers['content-length']);
    expect(head.headers.etag).toBe(got.headers.etag);
  });

  it('is the same with a key, a wrong one, a query, or trailing slashes', async () => {
    const { text } = await service.send({ path });
    for (const each of [path, `${path}/`, `${path}?x=1`]) {
      expect((await service.get(each, key)).text).toBe(text);
      expect((await service.get(each, 'wrong')).text).toBe(text);
    }
  });
});

it('GET /openapi lists the documents with working URLs', async () => {
  const { documents } = JSON.parse((await service.send({ path: '/openapi' })).text) as {
    documents: { url: string; postman_collection_url: string; title: string; version: string }[];
  };
  for (const { url, postman_collection_url, title, version } of documents) {
    const document = await service.send({ path: url });
    expect(JSON.parse(document.text)).toMatchObject({ info: { version } });
    const collection = await service.send({ path: postman_collection_url });
    expect(JSON.parse(collection.text)).toMatchObject({ info: { name: title } });
  }
});

describe('beside the documents', () => {
  it.each(['/openapi.json', '/OpenAPI/v3.0.json'])(
    '%s is 4010 without a key and 4040 with one, as everywhere',
    async (path) => {
      expectFailure(await service.send({ path }), 4010);
      expectFailure(await service.get(path, key), 4040);
    },
  );

  it.each([
    '/openapi/postman',
    '/openapi/nothing.json',
    '/openapi/v9.9.json',
    '/openapi/v3.0',
    '/openapi/V3.0.json',
    '/openapi/v3x0.json',
    '/openapi/v3.0.json/more',
    '/openapi/schemas/v3.0.json',
    '/openapi/../package.json',
    '/openapi/%2e%2e/package.json',
  ])('%s is 4040, with a key and without', async (path) => {
    expectFailure(await service.send({ path }), 4040);
    expectFailure(await service.get(path, key), 4040);
  });

  it.each(['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE'])(
    '%s is 4050, with a key and without',
    async (method) => {
      for (const path of [ANY, '/openapi', ...COLLECTIONS.slice(0, 1)]) {
        for (const headers of [{}, basic(key)]) {
          const answer = await service.send({ method, path, headers });
          expectFailure(answer, 4050);
          expect(answer.headers.allow).toBe('GET, HEAD');
        }
      }
    },
  );
});

it('a Postman collection has the address of the connection if the client names no host', async () => {
  const [answer] = await exchange(service.port, head(`GET ${COLLECTIONS[0]} HTTP/1.0`));
  expect(answer?.text).toContain(`"value": "http://127.0.0.1:${service.port}"`);
});

it('a Postman collection has the PUBLIC_URL', async () => {
  const beside = await service.beside({ PUBLIC_URL: 'https://reports.example' });
  try {
    const { text } = await beside.send({ path: COLLECTIONS[0] ?? '' });
    expect(text).toContain('"value": "https://reports.example"');
    expect(text).not.toMatch(BUILT_URL);
  } finally {
    await beside.app.close();
  }
});

describe('the checks before that of the key apply to the documents', () => {
  it('the limits of an address', async () => {
    const limited = await TestService.start({ THROTTLE_ADDRESS_LIMITS: '2/1h' });
    try {
      for (const status of [200, 200]) {
        expect((await limited.send({ path: ANY })).status).toBe(status);
      }
      const answer = await limited.send({ path: ANY });
      expectFailure(answer, 4290);
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    } finally {
      await limited.stop();
    }
  });

  it('HTTPS if it is required', async () => {
    const strict = await TestService.start({ REQUIRE_HTTPS: 'on' });
    try {
      expectFailure(await strict.send({ path: ANY }), 4031);
    } finally {
      await strict.stop();
    }
  });
});
