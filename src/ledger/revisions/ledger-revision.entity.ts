import { key, wholeNumber } from '../../platform/database/entities/columns.js';
import { entityOf, type EntityRow } from '../../platform/database/entities/entity-of.js';

/**
 * Stores the revision of a vendor's ledger. Every write to the ledger raises it in the same
 * transaction. The row is also the lock of that ledger, which allows one writer at a time.
 */
export const LedgerRevisionEntity = entityOf({
  name: 'LedgerRevision',
  tableName: 'ledger_revisions',
  columns: {
    vendor_id: key(wholeNumber()),
    revision: wholeNumber(),
    /** Maximum number of days between a sale of this vendor and its refund. It is never reduced. */
    longest_refund_days: { ...wholeNumber(), default: 0 },
    /** The arrival of the vendor's latest new transaction. */
    last_arrival: { ...wholeNumber(), default: 0 },
    /** The sequence of the last change in the vendor's ledger (ledger/changes). */
    last_sequence: { ...wholeNumber(), default: 0 },
    /** The sequence of the last change that the kept sums by tracking field include. */
    tracked_sequence: { ...wholeNumber(), default: 0 },
    /** 1 if anything has ever left the ledger and the feed of changes reports it. */
    has_removed: { ...wholeNumber(), default: 0 },
  },
});
export type StoredRevision = EntityRow<typeof LedgerRevisionEntity>;

/** Stores the former counter of arrivals, which is no longer used. */
export const LedgerArrivalEntity = entityOf({
  name: 'LedgerArrival',
  tableName: 'ledger_arrivals',
  columns: { id: key(wholeNumber()), last_arrival: wholeNumber() },
});
