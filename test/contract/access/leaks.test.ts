import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { USERS } from '../../../testing/src/ledger/access-row.js';
import { freePort } from '../../../scripts/throwaway-mysql.mjs';
import { basic, send, type Answer, type Request } from '../../support/http/http.js';
import { formsOfKey, leaksIn, type Secrets } from '../../support/oracles/leaks.js';
import { PERSONAL_LEDGER, PERSONAL_VALUES } from '../../support/builders/personal-ledger.js';
import { PROCESSOR_SECRET, TestProcessor } from '../../support/servers/processor.js';
import { eachOf } from '../../support/random/properties.js';
import { exchange } from '../../support/http/raw-http.js';
import { endAll, RunningService, until } from '../../support/servers/running-service.js';
import { TEST_SECRET } from '../../support/servers/service.js';
import {
  unreadable,
  withKeys,
  withMisplacedKey,
  withValue,
} from '../../support/http/telling-requests.js';
import { TestLedger } from '../../support/builders/test-ledger.js';
import { dialect } from '../../support/sql/test-database.js';

const AT_ONCE = 8;
const REQUEST = /"context":"Request"/;
const SALES_PAGE = 'https://sales.example/?for=quillonia.vastergard@private.example';

let ledger: TestLedger;
let processor: TestProcessor;
let service: RunningService;
let keys: Record<'good' | 'other' | 'affiliate' | 'suspended' | 'revoked' | 'fresh', string>;
let sent = 0;
let answered = '';
let log = '';
let metrics = '';

async function created(user: number): Promise<{ id: number; key: string }> {
  const args = ['keys', 'create', '--user', String(user), '--name', 'tests', '--json'];
  return JSON.parse((await ledger.cli(args)).stdout) as { id: number; key: string };
}

async function ask(request: Request): Promise<Answer> {
  const answer = await send(service.port, request);
  sent += 1;
  answered += `${JSON.stringify(answer.headers)} ${answer.text}\n`;
  return answer;
}

function askAll(requests: Iterable<Request>): Promise<void> {
  return eachOf([...requests], AT_ONCE, async (request) => {
    await ask(request);
  });
}

/** Provokes an error of the database that quotes a value: a duplicate, on MySQL. */
async function provokeDuplicate(): Promise<void> {
  const column = `custom_sales_page_url${dialect === 'mysql' ? '(100)' : ''}`;
  await ledger.run(`CREATE UNIQUE INDEX tampered ON affiliations (${column})`);
  const body = JSON.stringify({ approval_status: 'INSTANT', custom_sales_page_url: SALES_PAGE });
  const headers = { ...basic(keys.good), 'Content-Type': 'application/json' };
  const statuses: number[] = [];
  for (const affiliate of [USERS.other, USERS.affiliate]) {
    const path = `/v2.1/affiliates/${affiliate}/products/10`;
    statuses.push((await ask({ method: 'PUT', path, headers, body })).status);
  }
  expect(statuses).toEqual([200, 500]);
}

async function provokeWithout(table: string, key: string): Promise<void> {
  await ledger.run(`ALTER TABLE ${table} RENAME TO gone`);
  const answer = await ask({ path: '/v3.0/transactions/nothing', headers: basic(key) });
  await ledger.run(`ALTER TABLE gone RENAME TO ${table}`);
  expect(answer.status).toBe(500);
}

beforeAll(async () => {
  ledger = await TestLedger.create();
  await ledger.mustImport(PERSONAL_LEDGER);
  const revoked = await created(USERS.vendor);
  await ledger.cli(['keys', 'revoke', String(revoked.id)]);
  keys = {
    good: (await created(USERS.vendor)).key,
    other: (await created(USERS.other)).key,
    affiliate: (await created(USERS.affiliate)).key,
    suspended: (await created(USERS.suspended)).key,
    fresh: (await created(USERS.other)).key,
    revoked: revoked.key,
  };
  processor = await TestProcessor.start();
  processor.expect([400]);
  const management = await freePort();
  service = await RunningService.start(ledger, 1, {
    NODE_ENV: 'production',
    LOG_LEVEL: 'debug',
    REQUIRE_HTTPS: 'off',
    MANAGEMENT_PORT: String(management),
    ...processor.environment,
  });
  const { good, other, affiliate, suspended, revoked: shut } = keys;
  await askAll(withKeys([good, other, affiliate, suspended, shut, good.slice(0, -1)]));
  await askAll(withMisplacedKey(good));
  for (const value of [...PERSONAL_VALUES, TEST_SECRET, good]) await askAll(withValue(value, good));
  for (const bytes of unreadable(good)) await exchange(service.port, bytes);
  await provokeDuplicate();
  await provokeWithout('transactions', good);
  await provokeWithout('api_keys', keys.fresh);
  await until('the log', () => service.lines(REQUEST).length >= sent);
  log = service.lines(/./).join('\n');
  metrics = await (await fetch(`http://127.0.0.1:${management}/metrics`)).text();
});
afterAll(async () => {
  await endAll();
  await processor.stop();
  await ledger.drop();
});

function keyForms(): Secrets {
  const forms = Object.entries(keys).map(([name, key]) => formsOfKey(`the key ${name}`, key));
  return Object.assign({}, ...forms) as Secrets;
}

const SETTINGS: Secrets = {
  'the secret of keys': TEST_SECRET,
  'of the processor': PROCESSOR_SECRET,
};
const PERSONAL: Secrets = {
  ...Object.fromEntries(PERSONAL_VALUES.map((value) => [value, value])),
  'the sales page': SALES_PAGE,
};

describe('the log of a service that was called rightly and wrongly', () => {
  it.each([200, 400, 401, 402, 403, 404, 405, 500])('tells of answers %i', (status) => {
    expect(log).toContain(`"status":${status},`);
  });

  it('tells of each error that nobody foresaw', () => {
    expect(service.lines(/"level":"error"/)).toHaveLength(3);
  });

  it('holds no API key and no Authorization', () => {
    expect(leaksIn(log, keyForms())).toEqual([]);
  });

  it('holds no secret of the settings', () => {
    expect(leaksIn(log, SETTINGS)).toEqual([]);
  });

  it('holds nothing of the people in the ledger', () => {
    expect(leaksIn(log, PERSONAL)).toEqual([]);
  });
});

describe('beside the log', () => {
  it('no answer holds a key or a secret', () => {
    expect(leaksIn(answered, { ...keyForms(), ...SETTINGS })).toEqual([]);
  });

  it('the metrics hold no key, no secret and nobody', () => {
    expect(metrics).toContain('vendor_reporting_requests_total');
    expect(leaksIn(metrics, { ...keyForms(), ...SETTINGS, ...PERSONAL })).toEqual([]);
  });

  it('no table holds a key in clear, or the secret that opens them', async () => {
    const everything = await ledger.everything();
    expect(everything).toContain('Quillonia');
    expect(leaksIn(everything, { ...keyForms(), ...SETTINGS })).toEqual([]);
  });
});
