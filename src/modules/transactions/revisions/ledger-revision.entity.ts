import { EntitySchema } from 'typeorm';
import { key, wholeNumber } from '../../../database/columns.js';

export interface StoredRevision {
  readonly vendor_id: number;
  readonly revision: number;
  readonly longest_refund_days: number;
  readonly last_arrival: number;
  readonly last_sequence: number;
  readonly tracked_sequence: number;
  readonly has_removed: number;
}

export interface StoredArrival {
  readonly id: number;
  readonly last_arrival: number;
}

/**
 * Stores the revision of a vendor's ledger. Every write to the ledger raises it in the same
 * transaction. The row is also the lock of that ledger, which allows one writer at a time.
 */
export const LedgerRevisionEntity = new EntitySchema<StoredRevision>({
  name: 'LedgerRevision',
  tableName: 'ledger_revisions',
  columns: {
    vendor_id: key(wholeNumber()),
    revision: wholeNumber(),
    /** Maximum number of days between a sale of this vendor and its refund. It is never reduced. */
    longest_refund_days: { ...wholeNumber(), default: 0 },
    /** The arrival of the vendor's latest new transaction. */
    last_arrival: { ...wholeNumber(), default: 0 },
    /** The sequence of the last change in the vendor's ledger (modules/changes). */
    last_sequence: { ...wholeNumber(), default: 0 },
    /** The sequence of the last change that the kept sums by tracking field include. */
    tracked_sequence: { ...wholeNumber(), default: 0 },
    /** 1 if anything has ever left the ledger and the feed of changes reports it. */
    has_removed: { ...wholeNumber(), default: 0 },
  },
});

/** Stores the former counter of arrivals, which is no longer used. */
export const LedgerArrivalEntity = new EntitySchema<StoredArrival>({
  name: 'LedgerArrival',
  tableName: 'ledger_arrivals',
  columns: { id: key(wholeNumber()), last_arrival: wholeNumber() },
});
