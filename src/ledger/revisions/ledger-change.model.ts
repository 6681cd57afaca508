import { dayOf, daysBetween } from '../../platform/values/time.js';
import type { Signed } from '../sums/kept-sum.js';
import type { TransactionRecord } from '../records/transaction.record.js';
import type { StoredTransaction } from '../reads/transaction.model.js';
import type { StoredRevision } from './ledger-revision.entity.js';

/** Contains the primary key of a stored transaction. */
export type Place = Pick<StoredTransaction, 'vendor_id' | 'arrival'>;

/** Describes a change of a ledger: a transaction that is written or removed. */
export interface LedgerChange {
  /** The stored record; undefined if the transaction is new. */
  readonly before: TransactionRecord | undefined;
  /** The new record; null if the transaction is removed. */
  readonly after: TransactionRecord | null;
  readonly vendor_id: number;
  readonly place: Place;
  /** Position of the stored record in the vendor's feed of changes; null for a new transaction. */
  readonly sequence_before: number | null;
}

/** Describes a record that is removed from a vendor's ledger (-1) or added to it (1). */
export type SignedRecord = Signed<TransactionRecord>;

export function signedRecords(changes: readonly LedgerChange[]): SignedRecord[] {
  const signed: SignedRecord[] = [];
  for (const { before, after, place } of changes) {
    const { vendor_id } = place;
    if (before !== undefined) signed.push({ record: before, sign: -1, vendor_id });
    if (after !== null) signed.push({ record: after, sign: 1, vendor_id });
  }
  return signed;
}

/** Contains the state in which a locked ledger was found. */
export type LockedLedger = Omit<StoredRevision, 'vendor_id' | 'longest_refund_days'>;

/** Contains the state of the locked ledgers, by vendor. */
export type LockedLedgers = ReadonlyMap<number, LockedLedger>;

/** Counts the transactions of a vendor that are new, and all that are written. */
export interface ChangeCounts {
  readonly arrived: number;
  readonly changed: number;
}

/** Counts the new and the written transactions, by vendor. */
export function countChanges(changes: readonly LedgerChange[]): ReadonlyMap<number, ChangeCounts> {
  const counts = new Map<number, ChangeCounts>();
  for (const { vendor_id, before, after } of changes) {
    const { arrived, changed } = counts.get(vendor_id) ?? { arrived: 0, changed: 0 };
    counts.set(vendor_id, {
      arrived: arrived + Number(before === undefined),
      changed: changed + Number(after !== null),
    });
  }
  return counts;
}

/**
 * Collects the longest time between a sale and its refund.
 * @param longest days by vendor, which are raised
 */
export function noteRefundDays(
  changes: readonly LedgerChange[],
  longest: Map<number, number>,
): void {
  for (const { after, vendor_id } of changes) {
    if (typeof after?.refund_date !== 'string') continue;
    const days = daysBetween(dayOf(after.sale_date), dayOf(after.refund_date));
    longest.set(vendor_id, Math.max(days, longest.get(vendor_id) ?? 0));
  }
}

/**
 * Returns the state in which a locked ledger was found.
 * @throws Error if the ledger was not locked
 */
export function foundLedger(ledgers: LockedLedgers, vendor_id: number): LockedLedger {
  const found = ledgers.get(vendor_id);
  if (found === undefined) throw new Error('a ledger is written that was not locked');
  return found;
}
