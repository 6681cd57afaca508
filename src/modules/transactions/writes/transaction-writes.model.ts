import type { Versioned } from '../../../ledger-format/record-version.js';
import type { TransactionRecord } from '../../../ledger-format/transaction.record.js';

/** The primary key of a stored transaction. */
export interface Place {
  readonly vendor_id: number;
  readonly arrival: number;
}

export interface PlacedRecord extends Versioned<TransactionRecord> {
  readonly place: Place;
  /** Where its latest change stands in the vendor's feed of changes. */
  readonly sequence: number;
}

/** A product of a vendor. */
export interface ProductKey {
  readonly vendor_id: number;
  readonly product_id: number;
}

/** The version of a stored transaction. */
export interface PlacedVersion {
  readonly place: Place;
  readonly record_version: number | null;
}

/** A transaction to be saved. */
export interface TransactionChange {
  /** The stored record, if any. */
  readonly before: TransactionRecord | undefined;
  readonly after: TransactionRecord;
  readonly record_version: number | null;
  readonly vendor_id: number;
  /** Null for a new transaction. */
  readonly place: Place | null;
  /** Where the stored record stands in the vendor's feed of changes; null for a new transaction. */
  readonly sequence_before: number | null;
}

/** A change of a ledger: a transaction that is written, or removed. */
export interface LedgerChange {
  /** The stored record, if any. */
  readonly before: TransactionRecord | undefined;
  /** Null if it is removed. */
  readonly after: TransactionRecord | null;
  readonly vendor_id: number;
  readonly place: Place;
  /** The place of the stored record in the vendor's feed of changes. */
  readonly sequence_before: number | null;
}

/** Transactions of a product that were removed. */
export interface RemovedSales {
  readonly count: number;
  /** The last arrival that was looked at; null if there are no more. */
  readonly last: number | null;
}

export interface PlacedChange extends TransactionChange {
  readonly place: Place;
  /** Where the change stands in the vendor's feed of changes. */
  readonly sequence: number;
}

/** A locked ledger as it was found. */
export interface LockedLedger {
  readonly revision: number;
  readonly last_arrival: number;
  readonly last_sequence: number;
  /** The last change that the sums by tracking field have (rollups/tracking). */
  readonly tracked_sequence: number;
  /** 1 if anything has ever left the ledger. */
  readonly has_removed: number;
}

/** By vendor. */
export type LockedLedgers = ReadonlyMap<number, LockedLedger>;

/** An affiliate whom a vendor's ledger shows. */
export interface ShownAffiliate {
  readonly vendor_id: number;
  readonly affiliate_id: number;
}

/** How many transactions of a vendor are new, and how many are written at all. */
export interface ChangeCounts {
  readonly arrived: number;
  readonly changed: number;
}

/** By vendor. */
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

/** @throws Error if the ledger was not locked */
export function foundLedger(ledgers: LockedLedgers, vendor_id: number): LockedLedger {
  const found = ledgers.get(vendor_id);
  if (found === undefined) throw new Error('a ledger is written that was not locked');
  return found;
}
