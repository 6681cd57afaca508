import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { USERS } from '../../../testing/src/ledger/access-row.js';
import { ROWS } from '../../support/builders/access-rows.js';
import { faultsOf } from '../../support/oracles/answer-check.js';
import { expectFailure } from '../../support/oracles/failure.js';
import { versionOf } from '../../support/oracles/operations.js';
import { basic, type Answer } from '../../support/http/http.js';
import { harmOf } from '../../../testing/src/hostile/harm.js';
import { HOSTILE, SHARPEST } from '../../../testing/src/hostile/hostile-texts.js';
import { pointsOf, type Point } from '../../../testing/src/hostile/injection-points.js';
import { eachOf } from '../../support/random/properties.js';
import { printSeed, RandomPairs } from '../../support/random/seed.js';
import {
  affiliation,
  clicks,
  payoutItem,
  product,
  recurringPayment,
  transaction,
  user,
} from '../../support/builders/ledger-records.js';
import { relationshipPath } from '../../support/builders/relationships.js';
import { TestService } from '../../support/servers/service.js';
import { TestLedger, type Dump } from '../../support/builders/test-ledger.js';

const AT_ONCE = 8;
const pairs = new RandomPairs();
/** This text is in every text of the other vendor, and nowhere else. */
const FOREIGN = 'Wobbleford';
const FOREIGN_AFFILIATE = 5;
/** Records that the vendor's requests may change. */
const TARGETS = new Set([`${USERS.affiliate} 10`, 'pre-of-vendor']);

/**
 * A feed exists with and without a key in its path. The form with the key has every place for a
 * text.
 */
const OPERATIONS = [...new Map([...ROWS].reverse().map((row) => [row.operation, row])).values()];
const LISTS = [
  '/v3.0/transactions?start_date=2025-06-01&end_date=2025-06-01',
  '/v2.1/products/names',
  '/v2.0/latest-transactions',
  '/v2.0/latest-affiliates-transactions',
];

let service: TestService;
let ledger: TestLedger;
let keys: Record<'vendor' | 'other', string>;
let before: { lists: readonly string[]; tables: Dump };

beforeAll(async () => {
  printSeed();
  service = await TestService.start();
  await service.import([
    ...ledgerOf('vendor', 3, ''),
    ...ledgerOf('other', FOREIGN_AFFILIATE, FOREIGN),
  ]);
  keys = { vendor: await service.key(USERS.vendor), other: await service.key(USERS.other) };
  ledger = TestLedger.on(service.database);
  before = await seen();
});
afterAll(async () => {
  await ledger.close();
  await service.stop();
});

/**
 * Returns the records of a vendor. Both vendors have the same ones, and every text has the vendor's
 * mark.
 */
function ledgerOf(who: 'vendor' | 'other', affiliate_id: number, mark: string): object[] {
  const id = USERS[who];
  const product_id = id * 10;
  const text = `Of ${who} ${mark}`;
  const customer = { email: text, first_name: text, last_name: text, ip: text, phone: text };
  const sale = {
    product_name: text,
    customer,
    tracking: { tid: text, other_params: text },
    payout_items: [payoutItem(id, { payee_name: text })],
  };
  const people = { name: text, email: text, display_name: text };
  return [
    ...[id, affiliate_id].map((party) => user(party, people)),
    product(product_id, id, { name: text }),
    affiliation(affiliate_id, product_id, { comments: text }),
    clicks(affiliate_id, product_id),
    recurringPayment(`pre-of-${who}`, product_id, { contact_email: text, ip: text }),
    transaction(`of-${who}`, product_id, { ...sale, affiliate_id }),
    transaction(`sold-by-${who}`, product_id, { ...sale, affiliate_id: id }),
  ];
}

/**
 * Returns all lists that the service shows to both vendors, and all stored rows except the targets.
 */
async function seen(): Promise<typeof before> {
  const lists: string[] = [];
  for (const key of Object.values(keys)) {
    for (const path of LISTS) lists.push((await service.get(path, key)).text);
  }
  const { affiliations = [], recurring_payments = [], ...tables } = await ledger.dump();
  const isTarget = (name: string) => TARGETS.has(name);
  return {
    lists,
    tables: {
      ...tables,
      affiliations: affiliations.filter(
        (row) => !isTarget(`${row.affiliate_id ?? ''} ${row.product_id ?? ''}`),
      ),
      // This sequence also counts the changes of the targets.
      ledger_revisions: (tables.ledger_revisions ?? []).map((row) => ({
        ...row,
        last_sequence: 0,
      })),
      recurring_payments: recurring_payments.filter(({ pre_key }) => !isTarget(String(pre_key))),
    },
  };
}

async function ask(operation: string, point: Point, text: string): Promise<string[]> {
  const request = point.with(text);
  const headers = { ...request.headers, ...basic(keys.vendor) };
  const answer = await service.send({ ...request, headers });
  const version = versionOf(operation);
  const isUnknown = answer.headers['x-paykey'] === 'unknown';
  const wasTaken = point.refuses && text !== '' && answer.status === 200 && !isUnknown;
  const faults = [
    ...faultsOf(answer, operation, version),
    ...harmOf(answer),
    ...leaksIn(answer),
    ...(wasTaken ? ['it was taken for a value'] : []),
  ];
  return faults.map((fault) => `${point.place} ${JSON.stringify(text)}: ${fault}`);
}

function leaksIn({ headers, text }: Answer): string[] {
  const whole = JSON.stringify(headers) + text;
  return [
    ...(whole.includes(FOREIGN) ? ['it tells of the other vendor'] : []),
    ...(/root:|SQL|syntax|key_hash/.test(text) ? ['it tells of the inside'] : []),
  ];
}

describe.each(OPERATIONS)('$operation', (row) => {
  it.each(Object.keys(HOSTILE))('treats %s as text, in every input', async (what) => {
    const faults: string[] = [];
    const points = pointsOf(row);
    const deciding = points.filter(({ refuses }) => refuses);
    const sharpest = deciding.flatMap((point) =>
      (SHARPEST[what] ?? []).map((text): [Point, string] => [point, text]),
    );
    const chosen = [...sharpest, ...pairs.of(points, HOSTILE[what] ?? [])];
    await eachOf(chosen, AT_ONCE, async ([point, text]) => {
      faults.push(...(await ask(row.operation, point, text)));
    });
    expect(faults).toEqual([]);
  });
});

describe('a body whose prototype is set', () => {
  const inherited = { approval_status: 'INSTANT', polluted: 1 };
  it.each([
    ['by __proto__', `{"__proto__":${JSON.stringify(inherited)}}`],
    ['by constructor', `{"constructor":{"prototype":${JSON.stringify(inherited)}}}`],
  ])('%s has none of its fields', async (_, body) => {
    const path = relationshipPath(USERS.affiliate, 10);
    expectFailure(await service.put(path, keys.vendor, body), 4001, '2.1');
  });

  it('reaches no other object', () => {
    expect(Object.keys(Object.prototype)).toEqual([]);
    expect(Object.getOwnPropertyNames(Object.prototype)).not.toContain('polluted');
  });
});

describe('after all of it', () => {
  it('the lists of both vendors are unchanged, byte for byte', async () => {
    expect(before.lists.every((text) => text.includes('"http_status_code":200'))).toBe(true);
    expect((await seen()).lists).toEqual(before.lists);
  });

  it('every table has its rows, unchanged', async () => {
    expect(before.tables.transactions).toHaveLength(4);
    expect((await seen()).tables).toEqual(before.tables);
  });
});
