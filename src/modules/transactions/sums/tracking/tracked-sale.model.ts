import type { TransactionRecord } from '../../../../ledger-format/transaction.record.js';
import { occasionsOf } from '../counted-as.model.js';
import type { SumKind } from '../kept-sums.model.js';
import { TRACKED_FIELDS } from './tracking.model.js';

export const TRACKED_COLUMNS = [
  ...(['sale_date', 'status', 'refund_date'] as const),
  ...(['amount', 'seller_earnings', 'refund_amount', 'seller_refund_impact'] as const),
  ...TRACKED_FIELDS,
] as const satisfies readonly (keyof TransactionRecord)[];

/**
 * Contains the fields of a transaction that the kept sums by tracking field depend on. Money is in
 * cents.
 */
export type TrackedSale = Pick<TransactionRecord, (typeof TRACKED_COLUMNS)[number]>;

/** Describes a sale, a refund or a chargeback that counts on a day. */
export interface TrackedOccasion {
  readonly kind: SumKind;
  readonly day: string;
  readonly amount: number;
  readonly earnings: number;
}

/** Returns the occasions on which a transaction counts. A pending transaction has none. */
export function trackedOccasionsOf(sale: TrackedSale): TrackedOccasion[] {
  return occasionsOf(sale).flatMap(({ kind, day, money }) => {
    if (money === 'pending') return [];
    if (money === 'none') return [{ kind, day, amount: 0, earnings: 0 }];
    const [amount, earnings] =
      money === 'sold'
        ? [sale.amount, sale.seller_earnings]
        : [sale.refund_amount ?? 0, sale.seller_refund_impact ?? 0];
    return [{ kind, day, amount, earnings }];
  });
}
