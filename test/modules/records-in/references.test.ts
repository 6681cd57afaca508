import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Ended } from '../../support/processes/cli.js';
import {
  affiliation,
  clicks,
  product,
  recurringPayment,
  transaction,
  user,
} from '../../support/builders/ledger-records.js';
import { BATCH_LINES, problemsOf, TestLedger } from '../../support/builders/test-ledger.js';

/** Users that fill a whole batch. */
const FILLING = Array.from({ length: BATCH_LINES + 20 }, (_, index) => user(10_000 + index));
const WORLD = [user(1), user(2), product(10, 1), recurringPayment('PRE', 10)];

/**
 * The record's kind, the reference, the path of a problem, the record, and the record that it
 * refers to.
 */
type Reference = readonly [string, string, string, record: object, referredTo: object];
const REFERENCES: readonly Reference[] = [
  ['A product', 'its vendor', 'vendor_id', product(20, 101), user(101)],
  ['An affiliation', 'its affiliate', 'affiliate_id', affiliation(102, 10), user(102)],
  ['An affiliation', 'its product', 'product_id', affiliation(2, 103), product(103, 1)],
  ['A clicks record', 'its affiliate', 'affiliate_id', clicks(104, 10), user(104)],
  ['A clicks record', 'its product', 'product_id', clicks(2, 105), product(105, 1)],
  ['A recurring payment', 'its product', 'product_id', recurringPayment('R', 106), product(106, 1)],
  ['A transaction', 'its product', 'product_id', transaction('T1', 107), product(107, 1)],
  [
    'A transaction',
    'its affiliate',
    'affiliate_id',
    transaction('T2', 10, { affiliate_id: 108 }),
    user(108),
  ],
  [
    'A transaction',
    'its recurring payment',
    'pre_key',
    transaction('T3', 10, { pre_key: 'NEW' }),
    recurringPayment('NEW', 10),
  ],
];
const RECORDS = REFERENCES.map(([, , , record]) => record);
const REFERRED_TO = REFERENCES.map(([, , , , referredTo]) => referredTo);

const opened: TestLedger[] = [];
async function imported(lines: readonly object[], ledger?: TestLedger): Promise<Ended> {
  const on = ledger ?? (await TestLedger.create());
  if (ledger === undefined) opened.push(on);
  return on.import(lines);
}
afterAll(() => Promise.all(opened.map((ledger) => ledger.drop())));

describe.each(REFERENCES)('%s that refers to %s', (_type, _referred, path, record) => {
  const index = RECORDS.indexOf(record);
  const dangling = new RegExp(`^${path}: there is no `);

  it('is imported if that is earlier in the file, in the same batch or before', () => {
    expect(earlier.stderr).toBe('');
  });

  it('is imported if that is already in the database', () => {
    expect(again.stderr).toBe('');
  });

  it('is rejected if that is later in the same batch', () => {
    expect(problemsOf(later).get(WORLD.length + index + 1)).toMatch(dangling);
  });

  it('is rejected if that is in a later batch', () => {
    const line = WORLD.length + RECORDS.length + REFERRED_TO.length + FILLING.length + index + 1;
    expect(problemsOf(muchLater).get(WORLD.length + index + 1)).toMatch(dangling);
    expect(problemsOf(muchLater).has(line)).toBe(false);
  });
});

let earlier: Ended;
let again: Ended;
let later: Ended;
let muchLater: Ended;
beforeAll(async () => {
  const ledger = await TestLedger.create();
  opened.push(ledger);
  const both = REFERENCES.flatMap(([, , , record, referredTo]) => [referredTo, record]);
  earlier = await imported([...WORLD, ...both, ...FILLING, ...RECORDS], ledger);
  again = await imported(RECORDS, ledger);
  later = await imported([...WORLD, ...RECORDS, ...REFERRED_TO, ...RECORDS]);
  muchLater = await imported([...WORLD, ...RECORDS, ...FILLING, ...REFERRED_TO, ...RECORDS]);
});

describe('A file with dangling references', () => {
  it('has no other bad lines, neither before nor after the referenced record', () => {
    const refused = RECORDS.map((_, index) => WORLD.length + index + 1);
    expect([...problemsOf(later).keys()]).toEqual(refused);
    expect([...problemsOf(muchLater).keys()]).toEqual(refused);
  });
});

describe('A record that was rejected', () => {
  it('cannot be referred to', async () => {
    const lines = [
      user(1),
      user(2, { email: 5 }),
      product(20, 2),
      affiliation(1, 20),
      recurringPayment('PRE', 20),
      transaction('A', 20),
      product(10, 1),
      transaction('B', 10, { pre_key: 'PRE' }),
      transaction('C', 10, { affiliate_id: 2 }),
      transaction('D', 10),
    ];
    const ledger = await TestLedger.create();
    opened.push(ledger);
    const problems = problemsOf(await imported(lines, ledger));
    expect([...problems.keys()]).toEqual([2, 3, 4, 5, 6, 8, 9]);
    const { transactions } = await ledger.dump();
    expect(transactions).toMatchObject([{ transaction_id: 'D', arrival: 1 }]);
  });
});

describe('A reference to a recurring payment', () => {
  it('is compared byte for byte', async () => {
    const sales = ['pre', 'PRE ', 'ＰＲＥ', 'PRE'].map((pre_key, index) =>
      transaction(`T${index}`, 10, { pre_key }),
    );
    const problems = problemsOf(await imported([...WORLD, ...sales]));
    expect([...problems.keys()]).toEqual([5, 6, 7]);
  });
});
