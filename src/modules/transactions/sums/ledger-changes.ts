import type { TransactionRecord } from '../../../ledger-format/transaction.record.js';
import type { LedgerChange } from '../writes/transaction-writes.model.js';

/** Describes a record that is removed from a vendor's ledger (-1) or added to it (1). */
export interface SignedRecord {
  readonly record: TransactionRecord;
  readonly sign: 1 | -1;
  readonly vendor_id: number;
}

export function* signedRecords(changes: readonly LedgerChange[]): Generator<SignedRecord> {
  for (const { before, after, place } of changes) {
    const { vendor_id } = place;
    if (before !== undefined) yield { record: before, sign: -1, vendor_id };
    if (after !== null) yield { record: after, sign: 1, vendor_id };
  }
}
