import { EntitySchema } from 'typeorm';
import { day, key, wholeNumber } from '../../../database/columns.js';

export interface StoredRevision {
  readonly vendor_id: number;
  readonly revision: number;
  readonly longest_refund_days: number;
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
 * What changes with every write to a vendor's ledger, in the same transaction. Its row is also the
 * lock that lets one writer at a time into that ledger.
 */
export const LedgerRevisionEntity = new EntitySchema<StoredRevision>({
  name: 'LedgerRevision',
  tableName: 'ledger_revisions',
  columns: {
    vendor_id: key(wholeNumber()),
    revision: wholeNumber(),
    /** No refund of this vendor came later after its sale; it never shrinks. */
    longest_refund_days: { ...wholeNumber(), default: 0 },
  },
});

/** One row: the number of the last transaction that came in, whichever vendor's it was. */
export const LedgerArrivalEntity = new EntitySchema<StoredArrival>({
  name: 'LedgerArrival',
  tableName: 'ledger_arrivals',
  columns: { id: key(wholeNumber()), last_arrival: wholeNumber() },
});

/** How many sales a vendor made on a day (UTC): with these, no page is found by counting rows. */
export const SaleCountEntity = new EntitySchema<SaleCount>({
  name: 'SaleCount',
  tableName: 'sale_counts',
  columns: { vendor_id: key(wholeNumber()), sale_day: key(day()), sales: wholeNumber() },
});

/** How many sales of one day were refunded on another. */
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
