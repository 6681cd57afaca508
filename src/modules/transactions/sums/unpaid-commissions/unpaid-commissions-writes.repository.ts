import { Injectable } from '@nestjs/common';
import { dayOf } from '../../../../common/time.js';
import type { Session } from '../../../../database/database.js';
import type { TransactionRecord } from '../../../../ledger-format/transaction.record.js';
import type { LedgerChange } from '../../writes/transaction-writes.model.js';
import { signedRecords } from '../ledger-changes.js';
import { SumChanges } from '../../../../database/sum-changes.js';
import { NO_DAY, UNPAID_SUMS } from './unpaid-commissions.model.js';

const UNPAID = {
  table: 'unpaid_commissions',
  key: ['vendor_id', 'series', 'day', 'affiliate_id'],
  sums: UNPAID_SUMS,
} as const;

/**
 * Maintains the kept sums of unpaid commissions. The bulk statements are hand-written, as for the
 * kept sums of reports.
 */
@Injectable()
export class UnpaidCommissionsWritesRepository {
  async apply(session: Session, changes: readonly LedgerChange[]): Promise<void> {
    const unpaid = new SumChanges(UNPAID);
    for (const { record, sign, vendor_id } of signedRecords(changes)) {
      const { affiliate_id } = record;
      const commission = unpaidOf(record);
      if (affiliate_id === null || commission === 0) continue;
      const sums = { sales: 1, commission };
      unpaid.add([vendor_id, 'day', dayOf(record.sale_date), affiliate_id], sums, sign);
      unpaid.add([vendor_id, 'total', NO_DAY, affiliate_id], sums, sign);
    }
    await unpaid.save(session);
  }
}

/**
 * Returns the unpaid commission of a transaction, in cents. The sum is exact, because an amount has
 * at most 15 digits.
 */
function unpaidOf(record: TransactionRecord): number {
  if (record.status === 'pending' || record.affiliate_commission_status !== 'UNPAID') return 0;
  return record.affiliate_payout + (record.affiliate_refund_impact ?? 0);
}
