import { dayOf } from '../../platform/values/time.js';
import type { TransactionRecord } from '../records/transaction.record.js';

/**
 * Lists the kinds under which a transaction counts on a day. Completed, refunded and charged-back
 * transactions are sales; pending ones are not. A refund or chargeback is in two rows, one under
 * the day of its sale and one under its own day; a report reads one of the two. Without a date, it
 * is under the day of its sale only.
 */
export const SUM_KINDS = [
  'sale',
  'pending',
  'refund_by_sale',
  'refund_by_refund',
  'undated_refund',
  'chargeback_by_sale',
  'chargeback_by_refund',
  'undated_chargeback',
] as const;
export type SumKind = (typeof SUM_KINDS)[number];

/** Lists the tracking fields by which reports group a vendor's sales. */
export const TRACKED_FIELDS = [
  'utm_source',
  'utm_campaign',
  'tid',
  'sub_id1',
  'sub_id2',
  'sub_id3',
  'sub_id4',
  'sub_id5',
] as const;
export type TrackedField = (typeof TRACKED_FIELDS)[number];

/** Describes a kind under which a transaction counts on a day, and the money that counts there. */
export interface Occasion {
  readonly kind: SumKind;
  readonly day: string;
  readonly money: 'sold' | 'pending' | 'returned' | 'none';
}

/** Contains the fields that decide when a transaction counts. */
type Dated = Pick<TransactionRecord, 'sale_date' | 'status' | 'refund_date'>;

/**
 * Returns whether a transaction is a refund or a chargeback, or null if it is neither. A completed
 * sale with a refund object is a partial refund. A pending transaction is neither, even with a
 * refund object.
 */
export function returnKindOf(
  transaction: Pick<Dated, 'status' | 'refund_date'>,
): 'refund' | 'chargeback' | null {
  switch (transaction.status) {
    case 'pending':
      return null;
    case 'completed':
      return transaction.refund_date === null ? null : 'refund';
    case 'refunded':
      return 'refund';
    case 'charged_back':
      return 'chargeback';
  }
}

/** Selects the rows of `transactions` for which `returnKindOf` returns `refund`. */
export const IS_REFUND =
  "(status = 'refunded' OR status = 'completed' AND refund_date IS NOT NULL)";

export function occasionsOf({ sale_date, status, refund_date }: Dated): Occasion[] {
  const day = dayOf(sale_date);
  if (status === 'pending') return [{ kind: 'pending', day, money: 'pending' }];
  const sale: Occasion = { kind: 'sale', day, money: 'sold' };
  const back = returnKindOf({ status, refund_date });
  if (back === null) return [sale];
  if (refund_date === null) return [sale, { kind: `undated_${back}`, day, money: 'none' }];
  return [
    sale,
    { kind: `${back}_by_sale`, day, money: 'returned' },
    { kind: `${back}_by_refund`, day: dayOf(refund_date), money: 'returned' },
  ];
}
