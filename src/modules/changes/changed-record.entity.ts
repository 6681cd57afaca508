import { EntitySchema } from 'typeorm';
import { dateTime, key, text, wholeNumber, type Column } from '../../database/columns.js';
import type { StoredKind } from './change.model.js';

export interface StoredChange {
  readonly vendor_id: number;
  readonly kind: StoredKind;
  readonly record_key: string;
  readonly sequence: number;
  readonly changed_at: string;
}

/**
 * Holds the latest change of each subscription, affiliate terms, product and affiliate in a
 * vendor's ledger, and of each record that left it.
 */
export const ChangedRecordEntity = new EntitySchema<StoredChange>({
  name: 'ChangedRecord',
  tableName: 'changed_records',
  columns: {
    vendor_id: key(wholeNumber()),
    kind: key(text(32)),
    record_key: key(text()),
    /**
     * The sequence comes from `ledger_revisions.last_sequence`, which also numbers the changes of
     * transactions.
     */
    sequence: wholeNumber(),
    changed_at: dateTime(),
  } satisfies Record<keyof StoredChange, Column>,
  indices: [
    { name: 'changed_records_by_sequence', columns: ['vendor_id', 'kind', 'sequence'] },
    { name: 'changed_records_by_key', columns: ['kind', 'record_key'] },
  ],
});
