import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { addUpstream } from '../../support/builders/upstream.js';
import { basic } from '../../support/http/http.js';
import {
  affiliation,
  product,
  recurringPayment,
  transaction,
  user,
} from '../../support/builders/ledger-records.js';
import { ApiDocument } from '../../support/oracles/open-api.js';
import { fileOfVersion, VERSIONS } from '../../support/oracles/operations.js';
import {
  CollectionRun,
  importCollection,
  type PostmanRequest,
} from '../../support/http/postman.mjs';
import { TestService } from '../../support/servers/service.js';

const VENDOR = 1;
const SCHEMA = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';
const COLLECTIONS = VERSIONS.map((version) => {
  const file = new URL(
    `../../../dist/openapi/${fileOfVersion(version)}.postman_collection.json`,
    import.meta.url,
  );
  const text = readFileSync(file, 'utf8');
  return { version, text, ...importCollection(text) };
});

/** Returns every value that a collection sends for a parameter of a path. */
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

/**
 * Sends a request of a run.
 * @returns null if the run skips the request
 */
async function answerTo(run: CollectionRun, request: PostmanRequest) {
  const sent = run.sent(request);
  if (sent === null) return null;
  const { method, path, headers, body } = sent;
  const answer = await service.send({
    method,
    // Only this service knows the token of its upstream.
    path: path.includes('/upstreams/') ? notifyPath : path,
    headers: { ...headers, ...basic(keys[whoCalls(path)]) },
    ...(body === undefined ? {} : { body }),
  });
  run.answered(request, answer);
  return answer;
}

const WEBHOOKS = '/ledger/v1/webhooks';
const WEBHOOK_URL = 'https://localhost/hook';

/**
 * Returns the ids of the vendor's endpoints. Their other fields change with each delivery attempt.
 */
async function endpoints(): Promise<number[]> {
  const { text } = await service.get(WEBHOOKS, keys.vendor);
  return (JSON.parse(text) as { results: { id: number }[] }).results.map(({ id }) => id);
}

describe.each(COLLECTIONS)('the Postman collection of $version', (collection) => {
  const { version, text, requests } = collection;

  it('is a collection of format 2.1, with variables for the URL and the key', () => {
    const { info } = JSON.parse(text) as { info: Readonly<Record<string, unknown>> };
    expect(info).toMatchObject({ name: `Vendor Reporting API ${version}`, schema: SCHEMA });
    expect(collection.variables).toMatchObject({ baseUrl: 'http://127.0.0.1:3000', apiKey: '' });
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

  it('changes nothing if all of it is run', async () => {
    const run = new CollectionRun({ ...collection.variables, baseUrl: '' });
    const methods = new Set<string>();
    for (const request of requests) {
      if ((await answerTo(run, request)) !== null) methods.add(request.method);
    }
    expect([...methods]).toEqual(['GET']);
  });

  it('sends calls that succeed, and deletes only what it has created, if changes are allowed', async () => {
    await service.send({
      method: 'POST',
      path: WEBHOOKS,
      body: JSON.stringify({ url: `${WEBHOOK_URL}/own` }),
      headers: { ...basic(keys.vendor), 'Content-Type': 'application/json' },
    });
    const before = await endpoints();
    const run = new CollectionRun({
      ...collection.variables,
      baseUrl: '',
      allowChanges: 'yes',
      webhookUrl: WEBHOOK_URL,
    });
    for (const request of requests) {
      const status = (await answerTo(run, request))?.status;
      // No delivery fails, so there is nothing to skip.
      const expected = request.url.endsWith('/skip') ? undefined : 200;
      expect([request.name, status]).toEqual([request.name, expected]);
    }
    expect(await endpoints()).toEqual(before);
  });
});
