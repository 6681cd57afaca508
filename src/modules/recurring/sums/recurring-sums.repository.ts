import { Injectable } from '@nestjs/common';
import { dayOf } from '../../../common/time.js';
import type { Session } from '../../../database/database.js';
import { SumChanges } from '../../../database/sum-changes.js';
import { RECURRING_SUMS, type SignedPayment } from './recurring-sums.model.js';

const TABLE = {
  table: 'recurring_sums',
  key: ['vendor_id', 'status', 'day'],
  sums: RECURRING_SUMS,
} as const;

/**
 * Maintains the counts of recurring payments, so that the lists say exactly how many there are without
 * counting rows. The caller has locked the vendors' ledgers.
 */
@Injectable()
export class RecurringSumsRepository {
  async apply(session: Session, changes: readonly SignedPayment[]): Promise<void> {
    const sums = new SumChanges(TABLE);
    for (const { vendor_id, payment, sign } of changes) {
      const { status, next_payment, price } = payment;
      sums.add([vendor_id, status, dayOf(next_payment)], { agreements: 1, amount: price }, sign);
    }
    await sums.save(session);
  }
}
