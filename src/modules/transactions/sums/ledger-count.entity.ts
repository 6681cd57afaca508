import { EntitySchema } from 'typeorm';
import { day, key, wholeNumber } from '../../../database/columns.js';

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

export interface SaleCount {
  readonly vendor_id: number;
  readonly sale_day: string;
  readonly sales: number;
}

export interface RefundCount {
  readonly vendor_id: number;
  readonly refund_day: string;
  readonly sale_day: string;
  readonly refunds: number;
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

/**
 * Stores the former counter of arrivals, which is no longer used. Instances of the previous version
 * read and write it during an upgrade.
 */
export const LedgerArrivalEntity = new EntitySchema<StoredArrival>({
  name: 'LedgerArrival',
  tableName: 'ledger_arrivals',
  columns: { id: key(wholeNumber()), last_arrival: wholeNumber() },
});

/**
 * Stores a vendor's number of sales on a day (UTC), so that pages are found without counting rows.
 */
export const SaleCountEntity = new EntitySchema<SaleCount>({
  name: 'SaleCount',
  tableName: 'sale_counts',
  columns: { vendor_id: key(wholeNumber()), sale_day: key(day()), sales: wholeNumber() },
});

/** Stores a vendor's number of sales of one day that were refunded on another. */
export const RefundCountEntity = new EntitySchema<RefundCount>({
  name: 'RefundCount',
  tableName: 'refund_counts',
  columns: {
    vendor_id: key(wholeNumber()),
    refund_day: key(day()),
    sale_day: key(day()),
    refunds: wholeNumber(),
  },
});
