import type { NotedReasons } from '../changes/reasons/change-reasons.js';
import type { Versioned } from '../records/record-version.js';
import type { TransactionRecord } from '../records/transaction.record.js';
import type { LedgerChange, Place } from '../revisions/ledger-change.model.js';

export interface PlacedRecord extends Versioned<TransactionRecord> {
  readonly place: Place;
  /** Position of its latest change in the vendor's feed of changes. */
  readonly sequence: number;
  /** Reasons of its changes. */
  readonly reasons: NotedReasons;
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
export interface TransactionChange extends Omit<LedgerChange, 'place'> {
  readonly after: TransactionRecord;
  readonly record_version: number | null;
  /** Null for a new transaction. */
  readonly place: Place | null;
  /** Reasons of the changes of the stored record; null for a new transaction. */
  readonly reasons_before: NotedReasons | null;
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
  /** Text of the reasons, as it is stored; null if the state of the transaction shows them. */
  readonly reasons: string | null;
}
