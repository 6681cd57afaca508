import { describe, expect, it } from '@jest/globals';
import {
  PERSONAL_RECURRING_PAYMENTS,
  PERSONAL_TRANSACTIONS,
} from '../../../src/ledger/records/personal-data.js';
import type { RecurringPaymentRecord } from '../../../src/ledger/records/recurring-payment.record.js';
import type { TransactionRecord } from '../../../src/ledger/records/transaction.record.js';
import { keptFrom } from '../../../src/modules/privacy/retention/retention.model.js';

describe('the first day that is kept', () => {
  it.each([
    ['2026-11-25', 1, '2026-10-25'],
    ['2026-11-25', 12, '2025-11-25'],
    ['2026-03-31', 1, '2026-02-28'],
    ['2024-03-31', 1, '2024-02-29'],
    ['2024-03-30', 1, '2024-02-29'],
    ['2024-02-29', 12, '2023-02-28'],
    ['2024-02-29', 48, '2020-02-29'],
    ['2026-05-31', 1, '2026-04-30'],
    ['2026-01-31', 2, '2025-11-30'],
    ['2026-01-01', 1, '2025-12-01'],
    ['2026-12-31', 1_000, '1943-08-31'],
  ])('of %s is, %i months before, %s', (today, months, expected) => {
    expect(keptFrom(today, months)).toBe(expected);
  });

  it('never falls from one day to the next', () => {
    const days = Array.from({ length: 800 }, (_, number) =>
      new Date(Date.UTC(2023, 0, 1 + number)).toISOString().slice(0, 10),
    );
    for (const months of [1, 3, 12]) {
      const kept = days.map((day) => keptFrom(day, months));
      expect(kept).toEqual([...kept].sort());
    }
  });
});

describe('what is before a day', () => {
  const DAY = '2025-06-01';
  const soldAt = (sale_date: string) => ({ sale_date }) as TransactionRecord;
  const paid = (status: string, created: string, last_date: string | null) =>
    ({ status, created, last_date }) as RecurringPaymentRecord;
  const [OLD, NEW] = ['2025-05-31 23:59:59', '2025-06-01 00:00:00'];

  it('is a sale until its last second', () => {
    expect(PERSONAL_TRANSACTIONS.isBefore(soldAt(OLD), DAY)).toBe(true);
    expect(PERSONAL_TRANSACTIONS.isBefore(soldAt(NEW), DAY)).toBe(false);
  });

  it('is a recurring payment that was ended, and neither made nor paid since', () => {
    const isBefore = (record: RecurringPaymentRecord, before?: RecurringPaymentRecord) =>
      PERSONAL_RECURRING_PAYMENTS.isBefore(record, DAY, before);
    expect(isBefore(paid('CANCELED', OLD, OLD))).toBe(true);
    expect(isBefore(paid('COMPLETED', OLD, OLD))).toBe(true);
    expect(isBefore(paid('ACTIVE', OLD, OLD))).toBe(false);
    expect(isBefore(paid('Disabled', OLD, null))).toBe(true);
    expect(isBefore(paid(' active', OLD, null))).toBe(false);
    expect(isBefore(paid('CANCELED', OLD, NEW))).toBe(false);
    expect(isBefore(paid('CANCELED', NEW, OLD))).toBe(false);
    // The payment was canceled here, and the ledger does not have the cancel yet.
    expect(isBefore(paid('ACTIVE', OLD, OLD), paid('CANCELED', OLD, OLD))).toBe(true);
  });
});
