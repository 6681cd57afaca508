/** Tools keep the rules of their operations: masking, records of reads, limits, any instance. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { SeededRandom } from '../../../src/modules/demo/seeded-random.js';
import { PersonalReadLog } from '../../../src/modules/privacy/reads/personal-read-log.service.js';
import { PersonalReadsService } from '../../../src/modules/privacy/reads/personal-reads.service.js';
import { product, user } from '../../support/builders/ledger-records.js';
import { MARK, markedAgreement, markedSale } from '../../support/builders/marked-ledger.js';
import { McpCaller, REVISIONS } from '../../support/http/mcp.js';
import { printedRandom } from '../../support/random/seed.js';
import { TEXTS } from '../../support/random/texts.js';
import { TestService } from '../../support/servers/service.js';

const SALES = 40;
/** The whole proof has 10,000. */
const CALLS = Number(process.env.MCP_CALLS ?? 300);
const VENDOR = 1;
const DATE = '2025-06-05T12:00:00Z';
/** The address of each customer. */
const ADDRESS = '198.51.100.177';
const IDS = ['SALE-1', 'SALE-39', 'PRE-1', '10', '3', '1,2', 'transaction', '47.00', 'settled'];
const DAYS = ['2025-06-05', '2025-01-01', '2025-12-31', '2024-02-30', '0000-00-00'];
const PERSONAL = [
  `${MARK}-SALE-1-email@private.example`,
  `${MARK}-SALE-1-vtid`,
  `${MARK}-SALE-1-custom`,
  `${MARK}-PRE-1-a`,
  ADDRESS,
];
const HOSTILE = [...TEXTS.map(([, text]) => text), '', '%', '_', '*', '\0', 'x'.repeat(3_000)];
const WRONG: readonly unknown[] = [
  null,
  true,
  -1,
  1e300,
  0.5,
  [],
  ['SALE-1'],
  {},
  { toString: 1 },
  '1e3',
  '[object]',
];

let service: TestService;
let others: readonly TestService[];
beforeAll(async () => {
  service = await TestService.start({ PERSONAL_DATA_READS: 'on', THROTTLE_LIMITS: '20000/1h' });
  const sales = Array.from({ length: SALES }, (_, at) => markedSale(`SALE-${at}`, 10, DATE));
  const agreements = ['PRE-1', 'PRE-2'].map((each) =>
    markedAgreement(each, { status: 'ACTIVE', next_date: '2025-06-05T12:00:00Z' }),
  );
  await service.import([user(VENDOR), user(3), product(10, VENDOR), ...sales, ...agreements]);
  others = [await service.beside(), await service.beside()];
});
afterAll(async () => {
  for (const other of others) await other.stop();
  await service.stop();
});

/** Keeps what a client may send as an argument, among it cursors that the service has returned. */
class FuzzedArguments {
  private readonly cursors = ['0', '0.0'];
  private readonly names: readonly string[];

  constructor(
    private readonly random: SeededRandom,
    private readonly tools: readonly ListedTool[],
  ) {
    const known = tools.flatMap(({ inputSchema }) => Object.keys(inputSchema.properties));
    this.names = [...new Set(known), 'email', 'with_personal', 'access', 'wait', '__proto__'];
  }

  next(): readonly [string, Readonly<Record<string, unknown>>] {
    const { random } = this;
    const { name, inputSchema } = random.oneOf(this.tools);
    const own = Object.keys(inputSchema.properties);
    const needed = inputSchema.required.filter(() => random.chance(0.9));
    const more = Array.from({ length: random.integer(0, 3) }, () =>
      random.oneOf(random.chance(0.9) && own.length > 0 ? own : this.names),
    );
    const given = [...needed, ...more].map((each): [string, unknown] => [
      each,
      this.value(inputSchema.properties[each]),
    ]);
    return [random.chance(0.02) ? `${name}x` : name, Object.fromEntries(given)];
  }

  keepCursors(text: string): void {
    const found = text.matchAll(/\\"(?:next_)?cursor\\":\\"([^"\\]+)/g);
    for (const [, cursor = ''] of found) {
      if (this.cursors.length < 50) this.cursors.push(cursor);
    }
  }

  private value(schema: ListedSchema = {}): unknown {
    const { random } = this;
    if (random.chance(0.1)) return random.oneOf(WRONG);
    if (schema.enum !== undefined && random.chance(0.9)) return random.oneOf(schema.enum);
    if (schema.format === 'date' && random.chance(0.9)) return random.oneOf(DAYS);
    if (schema.type === 'integer' && random.chance(0.9)) return random.oneOf([1, 3, 10, 20, 200]);
    return random.oneOf([...IDS, ...this.cursors, ...PERSONAL, ...HOSTILE]);
  }
}

interface ListedSchema {
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly string[];
}

interface ListedTool {
  readonly name: string;
  readonly inputSchema: {
    readonly properties: Readonly<Record<string, ListedSchema>>;
    readonly required: readonly string[];
  };
}

/** Returns an answer without the texts of its request, which an error may repeat. */
function withoutGiven(answer: unknown, given: object): string {
  const texts = Object.values(given).filter((value) => typeof value === 'string' && value !== '');
  return texts.reduce<string>(
    (text, value) => text.replaceAll(JSON.stringify(value).slice(1, -1), ''),
    JSON.stringify(answer),
  );
}

it('shows no personal value to a masked key, whatever it asks', async () => {
  const key = await service.key(VENDOR, 'masked');
  const callers = REVISIONS.map((revision) => new McpCaller(service, key, revision));
  const random = printedRandom();
  const [caller] = callers;
  const listed = await caller?.rpc('tools/list');
  const { tools = [] } = (listed?.result ?? {}) as { tools?: readonly ListedTool[] };
  const fuzzed = new FuzzedArguments(random, tools);
  const outcomes = new Map<unknown, number>();
  for (let at = 0; at < CALLS; at += 1) {
    const [name, given] = fuzzed.next();
    const answer = await random.oneOf(callers).call(name, given);
    const text = withoutGiven(answer, given);
    for (const secret of [MARK, ADDRESS]) {
      if (text.includes(secret)) throw new Error(`${name} ${JSON.stringify(given)}: ${text}`);
    }
    fuzzed.keepCursors(text);
    const outcome = answer.error?.data.code ?? (text.includes('SALE-') ? 'sales' : 'other');
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
  }
  // Calls have succeeded, were wrong, named what is not there, and asked for personal data.
  expect([...outcomes.keys()]).toEqual(
    expect.arrayContaining(['sales', 'other', 4001, 4030, 4040]),
  );
  expect([...outcomes.keys()]).not.toContain(5000);
});

it('refuses a masked key filters by personal data', async () => {
  const caller = new McpCaller(service, await service.key(VENDOR, 'masked'));
  expect(await caller.toolNames()).not.toContain('find_customer');
  for (const [tool, filter] of [
    ['list_transactions', { email: 'a@private.example' }],
    ['list_recurring_payments', { name: 'a' }],
  ] as const) {
    const { error } = await caller.call(tool, filter);
    expect([tool, error?.data.code]).toEqual([tool, 4030]);
  }
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
  expect(headers['x-ratelimit-remaining']).toBe('19998');
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
