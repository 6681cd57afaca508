import { Injectable } from '@nestjs/common';
import { dayOf } from '../../../common/time.js';
import type { Session } from '../../../database/database.js';
import { SumChanges } from '../../../database/sum-changes.js';
import { recurringStatusOf } from '../../../ledger-format/recurring-status.js';
import { NO_DAY, RECURRING_SUMS, type SignedPayment } from './recurring-sums.model.js';

const TABLE = {
  table: 'recurring_sums',
  key: ['vendor_id', 'status', 'day'],
  sums: RECURRING_SUMS,
} as const;

/**
 * Maintains the kept sums of subscriptions, so that the lists have exact counts without counting
 * rows. The caller has locked the vendors' ledgers.
 */
@Injectable()
export class RecurringSumsRepository {
  async apply(session: Session, changes: readonly SignedPayment[]): Promise<void> {
    const sums = new SumChanges(TABLE);
    for (const { vendor_id, payment, sign } of changes) {
      const { next_date, price } = payment;
      const status = recurringStatusOf(payment.status);
      const day = next_date === null ? NO_DAY : dayOf(next_date);
      sums.add([vendor_id, status, day], { agreements: 1, amount: price }, sign);
    }
    await sums.save(session);
  }
}
