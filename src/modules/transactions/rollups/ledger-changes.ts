import { recordOf } from '../../../common/record-of.js';
import { optionalNumberAt, textAt } from '../../../database/values.js';
import type { PlacedChange, TransactionRecord } from '../records/transaction-writes.repository.js';
import { RECORD_COLUMNS, type RecordColumn } from '../transaction.entity.js';

const AT = recordOf(RECORD_COLUMNS, (_, index) => index);

/** What is taken from a vendor's ledger, or added to it. */
export interface SignedRecord {
  readonly record: TransactionRecord;
  readonly sign: 1 | -1;
  readonly vendor_id: number;
}

export function* signedRecords(changes: readonly PlacedChange[]): Generator<SignedRecord> {
  for (const { before, after, place } of changes) {
    const { vendor_id } = place;
    if (before !== undefined) yield { record: before, sign: -1, vendor_id };
    yield { record: after, sign: 1, vendor_id };
  }
}

/** An amount of a record; zero where it has none. */
export function centsOf({ row }: TransactionRecord, column: RecordColumn): number {
  return optionalNumberAt(row, AT[column]) ?? 0;
}

export function wordOf({ row }: TransactionRecord, column: RecordColumn): string {
  return textAt(row, AT[column]);
}
