import { dayOf } from '../../../common/time.js';
import type { TransactionRecord } from '../../../ledger-format/transaction.record.js';
import type { SumKind } from './stored-sums.model.js';

/** What a transaction counts as on a day (stored-sums.model.ts), and which of its money counts there. */
export interface Occasion {
  readonly kind: SumKind;
  readonly day: string;
  readonly money: 'sold' | 'pending' | 'returned' | 'none';
}

/** What decides when a transaction counts. */
export type Dated = Pick<TransactionRecord, 'sale_date' | 'status' | 'refund_date'>;

export function occasionsOf({ sale_date, status, refund_date }: Dated): Occasion[] {
  const day = dayOf(sale_date);
  if (status === 'pending') return [{ kind: 'pending', day, money: 'pending' }];
  const sale: Occasion = { kind: 'sale', day, money: 'sold' };
  const back = status === 'charged_back' ? 'chargeback' : 'refund';
  if (refund_date === null) {
    return status === 'completed'
      ? [sale]
      : [sale, { kind: `undated_${back}`, day, money: 'none' }];
  }
  return [
    sale,
    { kind: `${back}_by_sale`, day, money: 'returned' },
    { kind: `${back}_by_refund`, day: dayOf(refund_date), money: 'returned' },
  ];
}
