/** A valid transaction that is probably a mistake is stored, with a warning that has advice. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { product, refund, transaction, user } from '../../support/builders/ledger-records.js';
import { problemsOf, TestLedger } from '../../support/builders/test-ledger.js';

const CUSTOMER = { email: 'c@example.test', first_name: 'Ada', last_name: 'Byron' };
const LINE_ITEMS = 'give each line item its own id, such as RCPT-1/101';
const JUNE = refund('2025-06-20T12:00:00Z');

let ledger: TestLedger;
let made = 0;
beforeAll(async () => {
  ledger = await TestLedger.create();
  await ledger.mustImport([user(1), product(10, 1), product(11, 1)]);
});
afterAll(() => ledger.drop());

type Changes = Readonly<Record<string, unknown>>;

/**
 * Returns the warnings about the last of these states of a transaction, from a dry run and from an
 * import.
 */
async function warningsOf(...states: readonly Changes[]): Promise<string | null> {
  made += 1;
  const lines = states.map((changes) => transaction(`W${made}`, 10, changes));
  const dry = await ledger.import(lines, '--dry-run');
  const [last = {}, ...earlier] = lines.toReversed();
  await ledger.mustImport(earlier.toReversed());
  const { stderr, stdout } = await ledger.mustImport([last]);
  const counted = stderr === '' ? / 0 rejected$/m : / 0 rejected, 1 warnings$/m;
  expect(stdout).toMatch(counted);
  const warning = problemsOf({ ...dry, stderr }).get(1) ?? null;
  expect(problemsOf(dry).get(lines.length) ?? null).toBe(warning);
  return warning?.replace('warning: ', '').replace(` (transaction W${made})`, '') ?? null;
}

describe('A new transaction has a warning', () => {
  it.each<[string, Changes, string]>([
    [
      'if its amount is negative, and none about payouts and refunds',
      { amount: '-47.00' },
      'amount: is negative (-47.00): send a refund as refund of its sale',
    ],
    [
      'if it is refunded without a refund',
      { status: 'refunded' },
      'refund: is missing, although the status is refunded: earnings and unpaid commissions still contain the sale',
    ],
    [
      'if it is charged back without a refund',
      { status: 'charged_back' },
      'refund: is missing, although the status is charged_back: earnings and unpaid commissions still contain the sale',
    ],
    [
      'if it is pending with a refund',
      { status: 'pending', refund: JUNE },
      'status: is pending, although there is a refund',
    ],
  ])('%s', async (_, changes, warning) => {
    expect(await warningsOf(changes)).toBe(warning);
  });
});

describe('A transaction that comes again has a warning', () => {
  it.each<[string, Changes, Changes, string]>([
    [
      'if it has another product',
      {},
      { product_id: 11 },
      `transaction_id: was stored with another product_id: ${LINE_ITEMS}`,
    ],
    [
      'if it has another customer and another date',
      { customer: CUSTOMER },
      { customer: { ...CUSTOMER, email: 'd@example.test' }, sale_date: '2025-06-01T12:00:01Z' },
      `transaction_id: was stored with another customer.email and sale_date: ${LINE_ITEMS}`,
    ],
    [
      'if its refund moves to another month in UTC',
      { status: 'refunded', refund: JUNE },
      { status: 'refunded', refund: refund('2025-06-30T23:00:00-04:00') },
      'refund.refund_date: moves from 2025-06 to 2025-07: the figures of both months change',
    ],
    [
      'if its refund disappears',
      { status: 'completed', refund: JUNE },
      {},
      'refund: is no longer there: the figures of 2025-06 change',
    ],
  ])('%s', async (_, first, second, warning) => {
    expect(await warningsOf(first, second)).toBe(warning);
  });

  it('once: the same again changes nothing', async () => {
    expect(await warningsOf({}, { product_id: 11 }, { product_id: 11 })).toBeNull();
  });
});

describe('A transaction has no warning', () => {
  it.each<[string, readonly Changes[]]>([
    [
      'if it is pending, completed and refunded in turn',
      [{ status: 'pending' }, {}, { status: 'refunded', refund: JUNE }],
    ],
    [
      'if it is free',
      [
        {
          amount: '0.00',
          payouts: {
            ...transaction('any', 10).payouts,
            seller_earnings: '0.00',
            service_fee: '0.00',
          },
        },
      ],
    ],
    [
      'for several partial refunds, of which the refund has the total',
      [
        { refund: refund('2025-06-20T12:00:00Z', { refund_amount: '10.00' }) },
        { refund: refund('2025-06-28T12:00:00Z', { refund_amount: '20.00' }) },
      ],
    ],
    ['if it is charged back with a refund', [{ status: 'charged_back', refund: JUNE }]],
    [
      'if its customer is another by name, or by the case of the e-mail',
      [
        { customer: CUSTOMER },
        { customer: { ...CUSTOMER, email: 'C@Example.TEST', first_name: 'Augusta' } },
      ],
    ],
    [
      'if the e-mail of its customer becomes known',
      [{ customer: { ...CUSTOMER, email: '' } }, { customer: CUSTOMER }],
    ],
    [
      'if its date is the same in another form',
      [{ sale_date: '2025-06-01T12:00:00Z' }, { sale_date: '2025-06-01 14:00+02' }],
    ],
    ['if amounts and status change', [{}, { amount: '50.00', status: 'pending' }]],
  ])('%s', async (_, states) => {
    expect(await warningsOf(...states)).toBeNull();
  });
});
