import type { TransactionRecord } from '../../../ledger-format/transaction.record.js';

/** Which transaction of which vendor's ledger: the primary key. */
export interface Place {
  readonly vendor_id: number;
  readonly arrival: number;
}

export interface StoredTransaction {
  readonly record: TransactionRecord;
  readonly place: Place;
}

/** A transaction to be saved. */
export interface TransactionChange {
  /** What is stored, if anything. */
  readonly before: TransactionRecord | undefined;
  readonly after: TransactionRecord;
  readonly vendor_id: number;
  /** Where it is stored, or null. */
  readonly place: Place | null;
}

/** The same with a place in any case. */
export interface PlacedChange extends TransactionChange {
  readonly place: Place;
}
