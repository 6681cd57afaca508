import { Injectable } from '@nestjs/common';
import { dayOf, monthOf } from '../../../../common/time.js';
import type { Session } from '../../../../database/database.js';
import type { LedgerChange } from '../../writes/transaction-writes.model.js';
import { returnKindOf } from '../counted-as.model.js';
import { signedRecords } from '../ledger-changes.js';
import { SumChanges } from '../../../../database/sum-changes.js';
import { COHORT_KEY, COHORT_SUMS, type CohortSeries } from './refund-cohorts.model.js';

const COHORTS = { table: 'refund_cohorts', key: COHORT_KEY, sums: COHORT_SUMS } as const;

/**
 * Maintains the kept sums of refunds and chargebacks by month of sale and month of refund. Sales
 * without a refund or chargeback cost nothing.
 */
@Injectable()
export class RefundCohortsWritesRepository {
  /** Updates the kept sums by the changes. */
  async apply(session: Session, changes: readonly LedgerChange[]): Promise<void> {
    const cohorts = new SumChanges(COHORTS);
    for (const { record, sign, vendor_id } of signedRecords(changes)) {
      const { sale_date, refund_date, product_id, affiliate_id } = record;
      const kind = returnKindOf(record);
      if (kind === null || refund_date === null) continue;
      const months = [monthOf(dayOf(sale_date)), monthOf(dayOf(refund_date))];
      const sums = { transactions: 1, amount: record.refund_amount ?? 0 };
      const add = (series: CohortSeries, item_id: number) => {
        cohorts.add([vendor_id, series, item_id, ...months, kind], sums, sign);
      };
      add('total', 0);
      add('product', product_id);
      if (affiliate_id !== null) add('affiliate', affiliate_id);
    }
    await cohorts.save(session);
  }
}
