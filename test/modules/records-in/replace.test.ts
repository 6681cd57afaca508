import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  affiliation,
  clicks,
  payoutItem,
  product,
  recurringPayment,
  refund,
  transaction,
  user,
} from '../../support/builders/ledger-records.js';
import {
  problemsOf,
  summaryOf,
  TestLedger,
  type Dump,
} from '../../support/builders/test-ledger.js';

const VENDOR = 1;
const OTHER_VENDOR = 3;
const WORLD = [user(VENDOR), user(2), user(OTHER_VENDOR), product(10, 1), product(11, 1)];
const { customer } = transaction('any', 10);
const ITEMS = [payoutItem(1), payoutItem(2)];
/** One record of each type, which the tests below replace. */
const REPLACED = [
  recurringPayment('PRE', 10),
  affiliation(2, 10, { comments: 'first', custom_commission: 50 }),
  clicks(2, 10),
  ...['before', 'changing', 'after'].map((id) => transaction(id, 10, { payout_items: ITEMS })),
  product(30, OTHER_VENDOR),
  transaction('theirs', 30),
];
const CHANGES: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
  ['status', { status: 'charged_back' }],
  ['refund', { status: 'refunded', refund: refund('2025-06-05T00:00:00Z') }],
  ['refund that is taken back', {}],
  ['amount', { amount: '47.01' }],
  ['e-mail at the processor', { customer: { ...customer, processor_email: 'p@example.test' } }],
  ['e-mail at the processor that is taken back', {}],
  ['product of the same vendor', { product_id: 11 }],
  ['sale date', { sale_date: '2025-07-09T23:59:59Z' }],
  [
    'sale date of one refunded',
    { sale_date: '2025-05-09T00:00:00Z', refund: refund('2025-06-05T00:00:00Z') },
  ],
  [
    'amount of a payout item',
    { payout_items: [payoutItem(1, { payee_amount: '39.99' }), payoutItem(2)] },
  ],
  ['order of the payout items', { payout_items: [...ITEMS].reverse() }],
  ['payout items that are gone', { payout_items: [] }],
  ['payout items that are new', { payout_items: ITEMS }],
  ['affiliate', { affiliate_id: 2, payout_items: ITEMS }],
];

/** Changes with a warning: a refund is missing or gone, or another sale may have the same id. */
const WARNED = [
  'status',
  'refund that is taken back',
  'product of the same vendor',
  'sale date',
  'sale date of one refunded',
  'amount of a payout item',
];

let ledger: TestLedger;
/** A separate ledger that has each change as a transaction of its own, with the id `copy-N`. */
let atOnce: Dump;
beforeAll(async () => {
  ledger = await TestLedger.create();
  await ledger.mustImport([...WORLD, ...REPLACED]);
  const other = await TestLedger.create();
  const copies = CHANGES.map(([, changes], index) => transaction(`copy-${index}`, 10, changes));
  await other.mustImport([...WORLD, ...copies]);
  atOnce = await other.dump();
  await other.drop();
});
afterAll(() => ledger.drop());

const PLACE = { arrival: 0, sequence: 0 };

/** Returns the stored transaction and its payout items, without its id and its places. */
function storedOf(dump: Dump, transaction_id: string) {
  const row = dump.transactions?.find((one) => one.transaction_id === transaction_id);
  const items = dump.payout_items?.filter(
    (one) => one.vendor_id === row?.vendor_id && one.arrival === row?.arrival,
  );
  return {
    // A transaction that was written once has no reasons of changes.
    row: { ...row, ...PLACE, transaction_id: '', rendered: null, reasons: null },
    items: items?.map((item) => ({ ...item, arrival: 0 })),
  };
}

async function revisionOf(vendor_id: number): Promise<number> {
  const revisions = (await ledger.dump()).ledger_revisions ?? [];
  return Number(revisions.find((row) => row.vendor_id === vendor_id)?.revision);
}

async function arrivals(): Promise<unknown[]> {
  const { transactions = [] } = await ledger.dump();
  return transactions.map(({ vendor_id, arrival, transaction_id }) => [
    vendor_id,
    arrival,
    transaction_id,
  ]);
}

describe('A ledger that is imported again unchanged', () => {
  it('is unchanged in every line and writes nothing, not even revisions', async () => {
    const before = await ledger.dump();
    const result = await ledger.import([...WORLD, ...REPLACED], '--json');
    expect(await ledger.dump()).toEqual(before);
    const told = Object.values(summaryOf(result)).reduce((sum, one) => sum + one.unchanged, 0);
    expect(told).toBe(WORLD.length + REPLACED.length);
  });
});

describe('A transaction that is imported again with changes', () => {
  it.each(CHANGES)('replaces the earlier one and keeps its place (%s)', async (name, changes) => {
    const index = CHANGES.findIndex((one) => one[1] === changes);
    const before = await ledger.dump();
    const revision = await revisionOf(VENDOR);
    const others = await revisionOf(OTHER_VENDOR);
    const changed = transaction('changing', 10, changes);
    const warnings = Number(WARNED.includes(name));
    expect(summaryOf(await ledger.import([changed], '--json')).transaction).toEqual({
      inserted: 0,
      updated: 1,
      unchanged: 0,
      stale: 0,
      rejected: 0,
      warnings,
    });
    expect(await arrivals()).toEqual(
      before.transactions?.map((row) => [row.vendor_id, row.arrival, row.transaction_id]),
    );
    expect(await revisionOf(VENDOR)).toBe(revision + 1);
    expect(await revisionOf(OTHER_VENDOR)).toBe(others);
    expect(storedOf(await ledger.dump(), 'changing')).toEqual(storedOf(atOnce, `copy-${index}`));
  });

  it('leaves stored counts that pass verify', async () => {
    expect(await ledger.cli(['verify'])).toMatchObject({ status: 0 });
  });

  it('cannot move to another vendor: the line is rejected', async () => {
    const before = await ledger.dump();
    const moved = transaction('changing', 30);
    const problems = problemsOf(await ledger.import([moved, transaction('theirs', 10)]));
    expect([...problems.keys()]).toEqual([1, 2]);
    expect(problems.get(1)).toMatch(/vendor/);
    expect(await ledger.dump()).toEqual(before);
  });

  it('cannot move to another vendor within one batch either', async () => {
    const lines = [transaction('new', 10), transaction('new', 30), transaction('new', 11)];
    const result = await ledger.import(lines, '--json');
    expect([...problemsOf(result)]).toEqual([
      [2, expect.stringMatching(/^transaction_id: is a transaction of vendor \d+ and can't move/)],
      [3, expect.stringMatching(/^warning: transaction_id: was stored with another product_id/)],
    ]);
    expect(summaryOf(result).transaction).toMatchObject({ inserted: 1, updated: 1, rejected: 1 });
  });

  it.each([
    ['on its own, where nothing names its former product', 0],
    ['in a later batch of a file', 2_500],
  ])('cannot move to another vendor %s', async (_name, linesBetween) => {
    const between = Array.from({ length: linesBetween }, (_, index) => user(30_000 + index));
    const id = `settled-${linesBetween}`;
    await ledger.mustImport(linesBetween === 0 ? [transaction(id, 10)] : []);
    const lines = linesBetween === 0 ? [] : [transaction(id, 10), ...between];
    const result = await ledger.import([...lines, transaction(id, 30)], '--json');
    expect([...problemsOf(result)]).toEqual([
      [
        lines.length + 1,
        `transaction_id: is a transaction of vendor ${VENDOR} and can't move (transaction ${id})`,
      ],
    ]);
    expect(result.status).toBe(1);
    const stored = (await ledger.dump()).transactions?.filter((row) => row.transaction_id === id);
    expect(stored).toMatchObject([{ vendor_id: VENDOR, product_id: 10 }]);
  });

  it('counts each time if it is several times in one file', async () => {
    const twice = (amount: string) => transaction('twice', 10, { amount, payout_items: ITEMS });
    const filling = Array.from({ length: 500 }, (_, index) => user(20_000 + index));
    const lines = [
      twice('1.00'),
      twice('1.00'),
      twice('2.00'),
      ...filling,
      twice('2.00'),
      twice('3.00'),
    ];
    expect(summaryOf(await ledger.import(lines, '--json')).transaction).toEqual({
      inserted: 1,
      updated: 2,
      unchanged: 2,
      stale: 0,
      rejected: 0,
      warnings: 5,
    });
    const { row, items } = storedOf(await ledger.dump(), 'twice');
    expect(row).toMatchObject({ amount: 300 });
    expect(items).toHaveLength(ITEMS.length);
  });
});

describe('Another record that is imported again with changes', () => {
  const AGAIN: readonly (readonly [string, string, object, object])[] = [
    [
      'user',
      'users',
      user(2, { name: 'New', display_name: 'Shown' }),
      { name: 'New', display_name: 'Shown' },
    ],
    ['product', 'products', product(10, 1, { name: 'New' }), { id: 10, vendor_id: 1, name: 'New' }],
    [
      'affiliation',
      'affiliations',
      affiliation(2, 10, { status: 'DENIED' }),
      { status: 'DENIED', comments: null, custom_commission: null },
    ],
    [
      'recurring_payment',
      'recurring_payments',
      recurringPayment('PRE', 11, { status: 'CANCELED', code: 'C' }),
      { pre_key: 'PRE', product_id: 11, status: 'CANCELED', code: 'C' },
    ],
    ['clicks', 'daily_clicks', clicks(2, 10, { clicks: 3 }), { clicks: 3, unique_clicks: 9 }],
  ];

  it.each(AGAIN)(
    'replaces the earlier one completely (%s)',
    async (type, table, record, stored) => {
      const before = (await ledger.dump())[table]?.length;
      const summary = summaryOf(await ledger.import([record, record], '--json'));
      expect(summary[type]).toEqual({
        inserted: 0,
        updated: 1,
        unchanged: 1,
        stale: 0,
        rejected: 0,
        warnings: 0,
      });
      const rows = (await ledger.dump())[table] ?? [];
      expect(rows).toHaveLength(before ?? 0);
      expect(rows).toContainEqual(expect.objectContaining(stored));
    },
  );

  it("keeps a product's vendor, because its transactions cannot move", async () => {
    const problems = problemsOf(await ledger.import([product(10, OTHER_VENDOR)]));
    expect(problems.get(1)).toMatch(/^vendor_id: /);
  });
});
