import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { addUpstream } from '../../support/builders/upstream.js';
import { basic, envelopeOf } from '../../support/http/http.js';
import {
  affiliation,
  product,
  recurringPayment,
  transaction,
  user,
} from '../../support/builders/ledger-records.js';
import { ApiDocument } from '../../support/oracles/open-api.js';
import { fileOfVersion, VERSIONS } from '../../support/oracles/operations.js';
import { importCollection } from '../../support/http/postman.mjs';
import { TestService } from '../../support/servers/service.js';

const VENDOR = 1;
const SCHEMA = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';
const COLLECTIONS = VERSIONS.map((version) => {
  const file = new URL(
    `../../../openapi/${fileOfVersion(version)}.postman_collection.json`,
    import.meta.url,
  );
  const text = readFileSync(file, 'utf8');
  return { version, text, ...importCollection(text, { baseUrl: '' }) };
});

/** Every value that a collection sends in place of a parameter of a path. */
function valuesOf(name: RegExp): string[] {
  const all = COLLECTIONS.flatMap(({ requests }) => requests.flatMap(({ inPath }) => inPath));
  return [...new Set(all.filter(({ key }) => name.test(key)).map(({ value }) => value))];
}

let service: TestService;
let notifyPath: string;
let keys: Readonly<Record<'vendor' | 'affiliate' | 'source', string>>;
beforeAll(async () => {
  service = await TestService.start();
  const affiliates = valuesOf(/^affiliate_id$/).map(Number);
  const products = valuesOf(/^product_id$/).map(Number);
  const [affiliate_id = 0, product_id = 0] = [affiliates[0], products[0]];
  await service.import([
    ...[VENDOR, ...affiliates].map((id) => user(id)),
    ...products.map((id) => product(id, VENDOR)),
    ...affiliates.flatMap((affiliate) => products.map((id) => affiliation(affiliate, id))),
    ...valuesOf(/^(paykey|transaction_id)$/).map((id) =>
      transaction(id, product_id, { affiliate_id }),
    ),
    ...valuesOf(/^preKey$/).map((id) => recurringPayment(id, product_id)),
  ]);
  keys = {
    vendor: await service.key(VENDOR),
    affiliate: await service.key(affiliate_id),
    source: await service.sourceKey(VENDOR),
  };
  // Changes of a mirrored vendor would go to the upstream.
  notifyPath = await addUpstream(service, affiliate_id);
});
afterAll(() => service.stop());

function whoCalls(url: string): keyof typeof keys {
  if (url.includes('latest-affiliates-transactions')) return 'affiliate';
  return url.includes('/ledger/v1/records') ? 'source' : 'vendor';
}

/** What only this service knows, in place of what is shown. */
async function withOwnIds(url: string): Promise<string> {
  if (url.includes('/upstreams/')) return notifyPath;
  return url.includes('/webhooks/') ? withNewEndpoint(url) : url;
}

/** Of an endpoint that no other call has deleted. */
async function withNewEndpoint(url: string): Promise<string> {
  const answer = await service.send({
    ...{ method: 'POST', path: '/ledger/v1/webhooks' },
    headers: { ...basic(keys.vendor), 'Content-Type': 'application/json' },
    body: JSON.stringify({ url: 'https://localhost/hook' }),
  });
  return url.replace(/webhooks\/\w+/, `webhooks/${String(envelopeOf(answer).results[0]?.id)}`);
}

describe.each(COLLECTIONS)('the Postman collection of $version', (collection) => {
  const { version, text, requests } = collection;

  it('is a collection of format 2.1, with variables for the URL and the key', () => {
    const { info } = JSON.parse(text) as { info: Readonly<Record<string, unknown>> };
    expect(info).toMatchObject({ name: `Vendor Reporting API ${version}`, schema: SCHEMA });
    expect(collection.variables).toEqual({ baseUrl: 'http://127.0.0.1:3000', apiKey: '' });
    expect(collection.auth).toEqual({ type: 'basic', username: '{{apiKey}}', password: 'x' });
    expect(text).not.toContain('vra_');
  });

  it('has a request for each operation, with a saved answer', () => {
    const operations = [...new ApiDocument(version).operations().keys()];
    expect(requests).toHaveLength(operations.length);
    for (const { answers } of requests) expect(answers).toEqual([200]);
  });

  it('has no values that change with each run', () => {
    expect(text).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}/);
  });

  it.each(requests.map((request) => ({ ...request, call: `${request.method} ${request.url}` })))(
    'sends a call that succeeds: $call',
    async ({ method, url, headers, body }) => {
      const key = keys[whoCalls(url)];
      const answer = await service.send({
        method,
        path: await withOwnIds(url),
        headers: { ...headers, ...basic(key) },
        ...(body === undefined ? {} : { body }),
      });
      expect(answer.status).toBe(200);
    },
  );
});
