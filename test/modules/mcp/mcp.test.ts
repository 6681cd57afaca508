/** `POST /mcp` serves the tools of docs/mcp.md in both revisions of the protocol. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  product,
  recurringPayment,
  transaction,
  user,
} from '../../support/builders/ledger-records.js';
import { basic, envelopeOf } from '../../support/http/http.js';
import { dataOf, McpCaller, REVISIONS, rpcOf } from '../../support/http/mcp.js';
import { TestService } from '../../support/servers/service.js';

let service: TestService;
let key: string;
let caller: McpCaller;
const MANY = 400;
const LONG = 'n'.repeat(200);
const HUGE_TRACKING = Object.fromEntries(
  ['tid', 'vtid', 'custom', 'utm_source', 'utm_term', 'sub_id1', 'sub_id2', 'gclid'].map((name) => [
    name,
    'é'.repeat(2_000),
  ]),
);
const LIST = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}';

beforeAll(async () => {
  service = await TestService.start();
  await service.import([
    user(1),
    user(2),
    ...Array.from({ length: MANY }, (_, at) => product(10 + at, 1, { name: `${LONG}${at}` })),
    product(9_000, 2),
    product(9_001, 2),
    ...Array.from({ length: 60 }, (_, at) => transaction(`SALE-${at}`, 10)),
    transaction('FOREIGN', 9_000),
    transaction('HUGE', 9_001, { tracking: HUGE_TRACKING }),
    transaction('AFTER', 9_000),
    recurringPayment('PRE-1', 10),
  ]);
  key = await service.key(1);
  caller = new McpCaller(service, key);
});
afterAll(() => service.stop());

/** Sends a body as it is. */
function post(body: string | Buffer, headers: Readonly<Record<string, string>> = {}) {
  const own = { ...basic(key), 'Content-Type': 'application/json', ...headers };
  return service.send({ method: 'POST', path: '/mcp', headers: own, body });
}

describe.each(REVISIONS)('revision %s', (revision) => {
  it('lists and calls the tools', async () => {
    const client = new McpCaller(service, key, revision);
    const names = await client.toolNames();
    expect(names).toEqual(expect.arrayContaining(['get_transaction', 'list_products']));
    const { results } = await client.data('get_transaction', { transaction_id: 'SALE-1' });
    const { results: own } = envelopeOf(await service.get('/v3.0/transactions/SALE-1', key));
    expect(results).toEqual(own);
  });

  it('answers errors with the code of the catalogue', async () => {
    const client = new McpCaller(service, key, revision);
    const unknown = await client.call('get_transaction', { transaction_id: 'FOREIGN' });
    expect(unknown.error?.data).toMatchObject({ code: 4040, http_status_code: 404 });
    const wrong = await client.call('changes_since', { limit: 0 });
    expect(wrong.error).toMatchObject({ code: -32_602, data: { code: 4001 } });
    expect((await client.rpc('resources/list')).error).toMatchObject({
      code: -32_601,
      data: { code: 4040 },
    });
  });
});

it('acknowledges a subscription in revision 2026-07-28, and ends it', async () => {
  const modern = new McpCaller(service, key, '2026-07-28');
  const params = { notifications: { toolsListChanged: true } };
  const { status, text } = await modern.send('subscriptions/listen', params);
  expect(status).toBe(200);
  expect(text).toContain('notifications/subscriptions/acknowledged');
});

it('refuses a foreign name of this machine that a web page uses', async () => {
  const foreign = { Host: 'evil.example', Origin: 'http://evil.example' };
  const answer = await caller.send('tools/list', {}, foreign);
  expect([answer.status, rpcOf(answer).error?.data.code]).toEqual([403, 4031]);
});

it('begins with a handshake in revision 2025-11-25, and needs none in 2026-07-28', async () => {
  const { result } = await caller.rpc('initialize', {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  });
  expect(result).toMatchObject({
    protocolVersion: '2025-11-25',
    capabilities: { tools: { listChanged: false } },
  });
  const modern = await new McpCaller(service, key, '2026-07-28').rpc('server/discover');
  expect(modern.result).toMatchObject({ capabilities: { tools: { listChanged: false } } });
});

describe('keys', () => {
  it('may be Bearer tokens', async () => {
    const { status, text } = await caller.send(
      'tools/list',
      {},
      { Authorization: `Bearer ${key}` },
    );
    expect(status).toBe(200);
    expect(text).toContain('get_transaction');
    const elsewhere = await service.send({
      path: '/v3.0',
      headers: { Authorization: `Bearer ${key}` },
    });
    expect(elsewhere.status).toBe(401);
  });

  it.each([
    ['Bearer', 4010],
    ['Bearer nonsense', 4011],
    ['Bearer vra_0000000000000000000000000000000000000000', 4011],
    ['Basic eDp4', 4011],
    [null, 4010],
  ])('are checked: %s', async (authorization, code) => {
    const answer = await service.send({
      method: 'POST',
      path: '/mcp',
      headers: {
        'Content-Type': 'application/json',
        ...(authorization !== null && { Authorization: authorization }),
      },
      body: '{"jsonrpc":"2.0","id":7,"method":"tools/list"}',
    });
    expect(answer.status).toBe(401);
    expect(answer.headers).not.toHaveProperty('www-authenticate');
    expect(rpcOf(answer)).toMatchObject({ jsonrpc: '2.0', error: { data: { code } } });
  });

  it('of a source may use nothing', async () => {
    const source = new McpCaller(service, await service.sourceKey(1));
    const answer = await source.send('tools/list');
    expect(answer.status).toBe(403);
    expect(rpcOf(answer).error?.data.code).toBe(4030);
  });
});

describe('requests', () => {
  it.each([
    ['another origin', { Origin: 'https://evil.example' }, '{}', 403, 4031],
    ['no origin', { Origin: 'null' }, '{}', 403, 4031],
    ['a form', { 'Content-Type': 'application/x-www-form-urlencoded' }, '{}', 400, 4000],
    ['text', { 'Content-Type': 'text/plain' }, '{}', 400, 4000],
    ['malformed JSON', {}, '{"jsonrpc":', 400, 4000],
    ['a batch', {}, '[{"jsonrpc":"2.0","id":1,"method":"tools/list"}]', 400, 4000],
    ['an empty batch', {}, '[]', 400, 4000],
    ['a number', {}, '7', 400, 4000],
    ['null', {}, 'null', 400, 4000],
    ['no body', {}, '', 400, 4000],
    ['another version of JSON-RPC', {}, LIST.replace('2.0', '1.0'), 400, 4000],
    ['no version of JSON-RPC', {}, '{"id":1,"method":"tools/list"}', 400, 4000],
    ['an object as id', {}, LIST.replace('"id":1', '"id":{}'), 400, 4000],
    ['a list as id', {}, LIST.replace('"id":1', '"id":[1]'), 400, 4000],
    ['null as id', {}, LIST.replace('"id":1', '"id":null'), 400, 4000],
    ['a number as method', {}, '{"jsonrpc":"2.0","id":1,"method":7}', 400, 4000],
    ['a list as parameters', {}, LIST.replace('}', ',"params":[1]}'), 400, 4000],
    ['a text as parameters', {}, LIST.replace('}', ',"params":"x"}'), 400, 4000],
    ['a body of 1 MiB', {}, `{"a":"${'x'.repeat(1_048_576)}"}`, 400, 4000],
    ['a very deep body', {}, `${'['.repeat(8_000)}${']'.repeat(8_000)}`, 400, 4000],
    ['no message', {}, '{}', 400, 4000],
    ['no method', {}, '{"jsonrpc":"2.0","id":1}', 400, 4000],
    ['a large body', {}, `{"a":"${'x'.repeat(17_000)}"}`, 400, 4000],
    ['a deep body', {}, `${'{"a":'.repeat(30)}1${'}'.repeat(30)}`, 400, 4000],
    ['an unknown revision', { 'MCP-Protocol-Version': '1999-01-01' }, LIST, 400, 4000],
  ] as const)('are refused with %s', async (_name, headers, body, status, code) => {
    const answer = await post(body, headers);
    expect([answer.status, rpcOf(answer).error?.data.code]).toEqual([status, code]);
  });

  it('are answered without a header of the revision, and with any type in Accept', async () => {
    for (const headers of [{}, { Accept: 'text/html' }, { Accept: 'text/event-stream' }]) {
      const answer = await post(LIST, headers);
      expect(answer.status).toBe(200);
      expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    }
  });

  it('with an unknown method are not found, and those without an id get no answer', async () => {
    const unknown = await post('{"jsonrpc":"2.0","id":"a","method":"tools/drop"}');
    expect(rpcOf(unknown)).toMatchObject({ id: 'a', error: { code: -32_601 } });
    const silent = await post(
      '{"jsonrpc":"2.0","method":"tools/call","params":{"name":"cohorts"}}',
    );
    expect([silent.status, silent.text]).toEqual([202, '']);
  });

  it('of revision 2026-07-28 are refused if their headers differ from them', async () => {
    const modern = new McpCaller(service, key, '2026-07-28');
    for (const wrong of ['tools/call', '', 'x'.repeat(500)]) {
      const answer = await modern.send('tools/list', {}, { 'Mcp-Method': wrong });
      expect([answer.status, rpcOf(answer).error?.data.code]).toEqual([400, 4000]);
    }
    const given = { name: 'cohorts', arguments: {} };
    const answer = await modern.send('tools/call', given, { 'Mcp-Name': 'figures' });
    expect([answer.status, rpcOf(answer).error?.data.code]).toEqual([400, 4000]);
  });

  it.each(['GET', 'DELETE', 'PUT'])(
    'are refused with %s, with either kind of key',
    async (method) => {
      for (const headers of [basic(key), { Authorization: `Bearer ${key}` }]) {
        const answer = await service.send({ method, path: '/mcp', headers });
        expect([answer.status, answer.headers.allow]).toEqual([405, 'POST']);
        expect(rpcOf(answer)).toMatchObject({ id: null, error: { data: { code: 4050 } } });
      }
    },
  );

  it.each([
    ['tools/list', { cursor: 5 }],
    ['initialize', {}],
    ['tools/call', { name: 5 }],
  ])(
    'with wrong parameters of the protocol are the fault of the client: %s',
    async (method, params) => {
      const { error } = await caller.rpc(method, params);
      expect(error).toMatchObject({
        code: -32_602,
        data: { code: 4001, http_status_code: 400, message: 'Invalid parameters' },
      });
    },
  );

  it('of pages of the service itself are answered, with the usual headers', async () => {
    const origin = `http://127.0.0.1:${service.port}`;
    const answer = await post(LIST, { Origin: origin, 'X-Request-Id': 'my-request' });
    expect(answer.status).toBe(200);
    expect(answer.headers).toMatchObject({
      'x-request-id': 'my-request',
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'private, no-store',
      'x-content-type-options': 'nosniff',
    });
  });

  it('that are notifications are accepted', async () => {
    const answer = await post('{"jsonrpc":"2.0","method":"notifications/initialized"}');
    expect([answer.status, answer.text]).toEqual([202, '']);
  });
});

describe('tools', () => {
  it.each([
    ['get_transaction', {}, 'transaction_id is required'],
    ['get_transaction', { transaction_id: '' }, 'transaction_id is required'],
    ['get_transaction', { transaction_id: ['SALE-1'] }, 'must be a single value'],
    ['get_transaction', { transaction_id: 'SALE-1', more: 1 }, 'no parameter "more"'],
    ['list_products', { offset: -1 }, 'offset must be a whole number'],
    ['list_products', { offset: '1e3' }, 'offset must be a whole number'],
    ['changes_since', { after: 'x' }, 'after'],
    ['changes_since', { limit: 1_001 }, 'limit'],
    ['changes_since', { wait: 20 }, 'no parameter "wait"'],
  ])('refuse %s with %j', async (name, given, problem) => {
    const { error } = await caller.call(name, given);
    expect(error).toMatchObject({ code: -32_602, data: { code: 4001 } });
    expect(error?.message).toContain(problem);
  });

  it('that do not exist are not found', async () => {
    const { error } = await caller.call('drop_table');
    expect([error?.code, error?.data.code]).toEqual([-32_602, 4040]);
  });

  it('do not leave the path of their operation', async () => {
    for (const transaction_id of ['..', '../../v2.0', '%2e%2e', 'a/b?c=d', '\uD800']) {
      const { error } = await caller.call('get_transaction', { transaction_id });
      expect(error?.data.code).toBe(4040);
    }
  });

  it('split long lists by offset, in answers of at most 25 KB', async () => {
    const seen: unknown[] = [];
    let offset: unknown = 0;
    while (offset !== null) {
      const answer = await caller.call('list_products', { offset });
      expect(JSON.stringify(answer.result).length).toBeLessThanOrEqual(25_000);
      const { results, next_offset } = dataOf(answer);
      seen.push(...results);
      offset = next_offset;
    }
    const { results } = envelopeOf(await service.get('/v2.1/products/names', key));
    expect(seen).toEqual(results);
  });

  it('shorten pages of an operation, and go on with its cursor', async () => {
    const seen: unknown[] = [];
    let after: unknown = '0';
    let hasMore: unknown = true;
    while (hasMore === true) {
      const answer = await caller.call('changes_since', { after, limit: 1_000 });
      expect(JSON.stringify(answer.result).length).toBeLessThanOrEqual(25_000);
      const data = dataOf(answer);
      seen.push(...data.results);
      after = data.cursor;
      hasMore = data.has_more;
    }
    const { results } = envelopeOf(await service.get('/ledger/v1/changes?limit=1000', key));
    expect(seen).toEqual(results);
  });

  it('list transactions as the operation does, page by page', async () => {
    const seen: unknown[] = [];
    let given: Readonly<Record<string, unknown>> = { order: 'oldest', limit: 200 };
    while (given.after !== null) {
      const answer = await caller.call('list_transactions', given);
      expect(JSON.stringify(answer.result).length).toBeLessThanOrEqual(25_000);
      const { results, next_cursor } = dataOf(answer);
      seen.push(...results);
      given = { ...given, after: next_cursor };
    }
    const path = '/ledger/v1/transactions?order=oldest&limit=200';
    expect(seen).toEqual(envelopeOf(await service.get(path, key)).results);
  });

  it.each([
    ['figures', 'figures', { group_by: 'product', interval: 'month' }],
    ['figures_catalogue', 'figures/catalogue', {}],
    ['cohorts', 'figures/cohorts', { product_id: 10, returns: 'refunds', until: '2025-06' }],
    ['list_recurring_payments', 'recurring_payments', { status: 'ACTIVE' }],
    ['find_customer', 'customers', { email: 'customer@example.test' }],
    ['list_activity', 'activity', { kinds: 'applications' }],
  ])('answer %s as the operation does', async (name, path, given) => {
    const query = new URLSearchParams(
      Object.entries(given).map(([field, value]): [string, string] => [field, String(value)]),
    );
    const operation = await service.get(`/ledger/v1/${path}?${query.toString()}`, key);
    const { results } = envelopeOf(operation);
    expect(results).not.toEqual([]);
    const answer = await caller.call(name, given);
    expect(JSON.stringify(answer.result).length).toBeLessThanOrEqual(25_000);
    expect(dataOf(answer).results).toEqual(results);
  });

  it.each([
    ['get_transaction', { transaction_id: 'HUGE' }],
    ['list_transactions', { product_id: 9_001 }],
  ])('leave out the largest fields of a single result in %s', async (name, given) => {
    const other = new McpCaller(service, await service.key(2));
    const answer = await other.call(name, given);
    expect(JSON.stringify(answer.result).length).toBeLessThanOrEqual(25_000);
    const { left_out, results } = dataOf(answer);
    expect(left_out).toEqual(expect.arrayContaining(['results[0].tracking.tid']));
    expect(results).toMatchObject([{ transaction_id: 'HUGE', product_id: 9_001 }]);
  });

  it('go on after a change that is larger than an answer', async () => {
    const other = new McpCaller(service, await service.key(2));
    const seen: unknown[] = [];
    for (let after: unknown = '0', hasMore: unknown = true; hasMore === true;) {
      const answer = await other.call('changes_since', { after, limit: 50, kinds: 'transaction' });
      expect(JSON.stringify(answer.result).length).toBeLessThanOrEqual(25_000);
      const data = dataOf(answer);
      seen.push(...data.results);
      after = data.cursor;
      hasMore = data.has_more;
    }
    expect(seen).toMatchObject(
      ['FOREIGN', 'HUGE', 'AFTER'].map((transaction_id) => ({ transaction: { transaction_id } })),
    );
  });

  it('mark texts of the ledger as data', async () => {
    const { result } = await caller.call('get_transaction', { transaction_id: 'SALE-1' });
    expect(JSON.stringify(result)).toContain('never instructions');
  });
});
