import { describe, expect, it } from '@jest/globals';
import { readCursor, cursorText } from '../../../src/api/validation/feed-cursor.js';
import {
  readReasons,
  reasonsAt,
  reasonsSince,
  reasonsText,
} from '../../../src/ledger/changes/reasons/change-reasons.js';
import {
  changeReasonsOf,
  transactionReasons,
} from '../../../src/ledger/changes/reasons/transaction-reasons.js';
import { RecordFields } from '../../../src/ledger/records/record-fields.js';
import { readRecurringPayment } from '../../../src/ledger/records/recurring-payment.record.js';
import { readTransaction } from '../../../src/ledger/records/transaction.record.js';
import { paymentReasonsOf } from '../../../src/modules/recurring/payment-reasons.js';
import {
  recurringPayment,
  refund,
  transaction,
  WITH_COMMISSION,
} from '../../support/builders/ledger-records.js';

type Changes = Readonly<Record<string, unknown>>;

const saleOf = (changes: Changes) =>
  readTransaction(new RecordFields(transaction('sale', 10, changes)));
const paymentOf = (changes: Changes) =>
  readRecurringPayment(new RecordFields(recurringPayment('payment', 10, changes)));

const PART = refund('2025-06-02T12:00:00Z', { refund_amount: '10.00' });
const WHOLE = refund('2025-06-02T12:00:00Z');
const PENDING = { status: 'pending' };
const REFUNDED = { status: 'refunded', refund: WHOLE };
const CHARGED_BACK = { status: 'charged_back', refund: WHOLE };
const ITEM = {
  payee_amount: '1.00',
  payee_user_id: 2,
  payee_name: 'A',
  payout_type: 'B',
  payment_processor: 'C',
  payout_status: 'D',
};

describe('the reasons of a change of a transaction', () => {
  it.each<[string, Changes, Changes, readonly string[]]>([
    ['is settled', PENDING, {}, ['settled']],
    ['is settled with another amount', PENDING, { amount: '48.00' }, ['settled', 'corrected']],
    ['is pending again', {}, PENDING, ['corrected']],
    ['is refunded', {}, REFUNDED, ['refunded']],
    ['is refunded before it is settled', PENDING, REFUNDED, ['refunded']],
    ['is refunded in part', {}, { refund: PART }, ['refunded']],
    ['is settled and refunded in part', PENDING, { refund: PART }, ['settled', 'refunded']],
    ['is refunded without an amount', {}, { status: 'refunded' }, ['refunded']],
    ['has another refund', { refund: PART }, { refund: WHOLE }, ['refund_changed']],
    ['is refunded entirely', { refund: PART }, REFUNDED, ['refund_changed']],
    ['has its refund withdrawn', REFUNDED, {}, ['refund_changed']],
    ['is charged back', {}, CHARGED_BACK, ['charged_back']],
    ['is charged back after a refund', REFUNDED, CHARGED_BACK, ['charged_back']],
    ['has its charge-back withdrawn', CHARGED_BACK, {}, ['refund_changed']],
    ['is a refund after a charge-back', CHARGED_BACK, REFUNDED, ['refund_changed']],
    ['has another amount', {}, { amount: '48.00' }, ['corrected']],
    ['has another customer', {}, { customer: { email: 'a@b.test' } }, ['corrected']],
    [
      'has its commission paid',
      {},
      { affiliate_commission_status: 'PAID' },
      ['commission_changed'],
    ],
    ['has another payout item', {}, { payout_items: [ITEM] }, ['commission_changed']],
    [
      'has another commission',
      {},
      { payouts: WITH_COMMISSION },
      ['corrected', 'commission_changed'],
    ],
    ['has only moved', {}, {}, ['corrected']],
  ])('that %s', (_, before, after, reasons) => {
    const found = changeReasonsOf(saleOf(before), saleOf(after));
    expect(reasonsSince(reasonsAt(1, found), 0)).toEqual(reasons);
  });

  it.each<[Changes, readonly string[]]>([
    [{}, ['sold']],
    [PENDING, ['sold']],
    [{ refund: PART }, ['sold', 'refunded']],
    [REFUNDED, ['sold', 'refunded']],
    [CHARGED_BACK, ['sold', 'charged_back']],
  ])('are those of its state if none are stored: %j', (changes, reasons) => {
    const noted = transactionReasons(null, saleOf(changes), 7);
    expect(reasonsSince(noted, 6)).toEqual(reasons);
    expect(reasonsSince(noted, 7)).toEqual([]);
  });
});

describe('the reasons of a change of a subscription', () => {
  it.each<[string, Changes | null, Changes, readonly string[]]>([
    ['starts', null, {}, ['started']],
    ['arrives when it has ended', null, { status: 'Completed' }, ['started', 'ended']],
    ['is paid', {}, { current_payments: 2, next_date: '2025-08-01T12:00:00Z' }, ['paid']],
    ['is paid a part', {}, { current_payments_amount: '99.00' }, ['paid']],
    ['is canceled', {}, { status: 'CANCELED', next_date: null }, ['canceled']],
    [
      'ends with its last payment',
      {},
      { status: 'COMPLETED', current_payments: 12 },
      ['paid', 'ended'],
    ],
    [
      'is canceled and has another price',
      {},
      { status: 'CANCELED', price: '9.00' },
      ['canceled', 'changed'],
    ],
    ['has another date', {}, { next_date: '2025-08-01T12:00:00Z' }, ['changed']],
    ['is active again', { status: 'CANCELED' }, {}, ['changed']],
    ['has fewer payments', { current_payments: 5 }, {}, ['changed']],
    ['has the same content', {}, {}, ['changed']],
  ])('that %s', (_, before, after, reasons) => {
    const from = before === null ? undefined : paymentOf(before);
    const found = paymentReasonsOf(from, paymentOf(after));
    expect(reasonsSince(reasonsAt(1, found), 0)).toEqual(reasons);
  });
});

describe('stored reasons', () => {
  it('have the latest sequence of each reason', () => {
    const first = readReasons('sold:3,refunded:5', 5, 'corrected');
    const text = reasonsText(first, reasonsAt(9, ['refund_changed', 'refunded']));
    expect(text).toBe('sold:3,refunded:9,refund_changed:9');
    expect(reasonsSince(readReasons(text, 9, 'corrected'), 3)).toEqual([
      'refunded',
      'refund_changed',
    ]);
  });

  it('get one for a change that a former version has written without a reason', () => {
    const noted = readReasons('sold:3,refunded:5', 8, 'corrected');
    expect(reasonsSince(noted, 5)).toEqual(['corrected']);
  });

  it('get that of the state too, if a former version may have written it', () => {
    const refunded = saleOf({ status: 'refunded' });
    const since = (text: string) => reasonsSince(transactionReasons(text, refunded, 8), 5);
    expect(since('sold:3,settled:5')).toEqual(['refunded', 'corrected']);
    expect(since('sold:3,refunded:5')).toEqual(['corrected']);
    expect(since('sold:3,charged_back:5,corrected:8')).toEqual(['corrected']);
  });

  it('skip words of a later version', () => {
    expect([...readReasons('sold:3,vanished:4', 4, 'corrected')]).toEqual([
      ['sold', 3],
      ['corrected', 4],
    ]);
  });

  it('fit into their column with the highest sequences', () => {
    const all = ['sold', 'settled', 'refunded', 'refund_changed', 'charged_back'] as const;
    const noted = reasonsAt(Number.MAX_SAFE_INTEGER, [...all, 'corrected', 'commission_changed']);
    expect(reasonsText(noted, new Map()).length).toBeLessThanOrEqual(255);
  });
});

describe('a cursor', () => {
  it.each(['0', '7', '7.0', '7.6', '9007199254740991.9007199254740990'])(
    'of %s is read',
    (text) => {
      const read = readCursor(text);
      expect(read && cursorText(read)).toBe(text);
    },
  );

  it('with equal parts has the old form', () => {
    expect(cursorText({ position: 7, walk_from: 7 })).toBe('7');
  });

  it.each([
    '',
    '.',
    '7.',
    '.7',
    '7.8',
    '-7',
    '7.-1',
    '7.6.5',
    '1e3',
    '9007199254740992',
    ' 7',
    '7.6\n',
  ])('of %j is not read', (text) => {
    expect(readCursor(text)).toBeNull();
  });
});
