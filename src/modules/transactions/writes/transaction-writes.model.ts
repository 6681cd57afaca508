import type { Versioned } from '../../../ledger-format/record-version.js';
import type { TransactionRecord } from '../../../ledger-format/transaction.record.js';

/** Contains the primary key of a stored transaction. */
export interface Place {
  readonly vendor_id: number;
  readonly arrival: number;
}

export interface PlacedRecord extends Versioned<TransactionRecord> {
  readonly place: Place;
  /** Position of its latest change in the vendor's feed of changes. */
  readonly sequence: number;
}

/** Identifies a product of a vendor. */
export interface ProductKey {
  readonly vendor_id: number;
  readonly product_id: number;
}

/** Contains the new version of a stored transaction. */
export interface PlacedVersion {
  readonly place: Place;
  readonly record_version: number | null;
}

/** Describes a transaction to be saved. */
export interface TransactionChange {
  /** The stored record; undefined if the transaction is new. */
  readonly before: TransactionRecord | undefined;
  readonly after: TransactionRecord;
  readonly record_version: number | null;
  readonly vendor_id: number;
  /** Null for a new transaction. */
  readonly place: Place | null;
  /** Position of the stored record in the vendor's feed of changes; null for a new transaction. */
  readonly sequence_before: number | null;
}

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

/** Contains the result of removing a batch of transactions of a product. */
export interface RemovedSales {
  readonly count: number;
  /** The last arrival that was checked; null if there are no more. */
  readonly last: number | null;
}

export interface PlacedChange extends TransactionChange {
  readonly place: Place;
  /** Position of the change in the vendor's feed of changes. */
  readonly sequence: number;
}

/** Contains the state in which a locked ledger was found. */
export interface LockedLedger {
  readonly revision: number;
  readonly last_arrival: number;
  readonly last_sequence: number;
  /**
   * Sequence of the last change that the kept sums by tracking field include (sums/tracking).
   */
  readonly tracked_sequence: number;
  /** 1 if anything has ever left the ledger. */
  readonly has_removed: number;
}

/** Contains the state of the locked ledgers, by vendor. */
export type LockedLedgers = ReadonlyMap<number, LockedLedger>;

/** Identifies an affiliate whom a vendor's ledger shows. */
export interface ShownAffiliate {
  readonly vendor_id: number;
  readonly affiliate_id: number;
}

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
    const isNew = before === undefined;
    counts.set(vendor_id, {
      arrived: arrived + Number(isNew),
      changed: changed + Number(after !== null),
    });
  }
  return counts;
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
