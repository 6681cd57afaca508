/** Tools keep the rules of their operations: masking, records of reads, limits, any instance. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { PersonalReadLog } from '../../../src/modules/privacy/reads/personal-read-log.service.js';
import { PersonalReadsService } from '../../../src/modules/privacy/reads/personal-reads.service.js';
import { product, user } from '../../support/builders/ledger-records.js';
import { MARK, markedSale } from '../../support/builders/marked-ledger.js';
import { McpCaller, REVISIONS } from '../../support/http/mcp.js';
import { printedRandom } from '../../support/random/seed.js';
import { TestService } from '../../support/servers/service.js';

const SALES = 40;
const CALLS = 300;
const VENDOR = 1;
const DATE = '2025-06-05T12:00:00Z';

let service: TestService;
let others: readonly TestService[];
beforeAll(async () => {
  service = await TestService.start({ PERSONAL_DATA_READS: 'on', THROTTLE_LIMITS: '10000/1h' });
  const sales = Array.from({ length: SALES }, (_, at) => markedSale(`SALE-${at}`, 10, DATE));
  await service.import([user(VENDOR), user(3), product(10, VENDOR), ...sales]);
  others = [await service.beside(), await service.beside()];
});
afterAll(async () => {
  for (const other of others) await other.stop();
  await service.stop();
});

it('shows no personal value to a masked key, whatever it asks', async () => {
  const caller = new McpCaller(service, await service.key(VENDOR, 'masked'));
  const random = printedRandom();
  const names = await caller.toolNames();
  const values = ['SALE-1', 'SALE-39', '0', 1, 50, 1_000, '2025-06-05', MARK, '', null, true, {}];
  const parameters = ['transaction_id', 'after', 'limit', 'kinds', 'offset', 'email', 'wait'];
  let shown = 0;
  for (let at = 0; at < CALLS; at += 1) {
    const given = Object.fromEntries(
      parameters
        .filter(() => random.chance(0.3))
        .map((name): [string, unknown] => [name, random.oneOf(values)]),
    );
    const answer = await caller.call(random.oneOf(names), given);
    const text = JSON.stringify(answer);
    expect(text.replaceAll(JSON.stringify(given), '')).not.toContain(`${MARK}-`);
    if (text.includes('SALE-')) shown += 1;
  }
  expect(shown).toBeGreaterThan(0);
});

it('refuses a masked key filters by personal data', async () => {
  const caller = new McpCaller(service, await service.key(VENDOR, 'masked'));
  expect(await caller.toolNames()).not.toContain('find_customer');
  const { error } = await caller.call('list_transactions', { email: 'a@private.example' });
  expect(error?.data.code).toBe(4030);
});

it('records reads of personal data, and counts each message once', async () => {
  const key = await service.key(VENDOR, 'read');
  const caller = new McpCaller(service, key);
  await caller.data('get_transaction', { transaction_id: 'SALE-7' });
  await service.app.get(PersonalReadLog).flush();
  const all = { first_day: null, last_day: null, record: null };
  const reads = service.app.get(PersonalReadsService);
  const noted = (await reads.page({ vendor_id: VENDOR, ...all }, null, 1_000)).reads;
  expect(noted).toContainEqual(
    expect.objectContaining({ operation: 'getTransaction', record_keys: '\nSALE-7\n', records: 1 }),
  );
  const { headers } = await caller.send('tools/list');
  expect(headers['x-ratelimit-remaining']).toBe('9998');
});

it('answers a walk on any instance', async () => {
  const key = await service.key(VENDOR);
  const instances = [service, ...others];
  for (const revision of REVISIONS) {
    const keys: unknown[] = [];
    let after: unknown = '0';
    let hasMore: unknown = true;
    for (let at = 0; hasMore === true; at += 1) {
      const instance = instances[at % instances.length] ?? service;
      const given = { after, limit: 7, kinds: 'transaction' };
      const page = await new McpCaller(instance, key, revision).data('changes_since', given);
      keys.push(...page.results.map(({ sequence }) => sequence));
      after = page.cursor;
      hasMore = page.has_more;
    }
    expect(new Set(keys).size).toBe(SALES);
    expect(keys).toHaveLength(SALES);
  }
});
