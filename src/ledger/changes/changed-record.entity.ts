import { dateTime, key, text, wholeNumber } from '../../platform/database/entities/columns.js';
import { entityOf } from '../../platform/database/entities/entity-of.js';

/**
 * Holds the latest change of each subscription, affiliate terms, product and affiliate in a
 * vendor's ledger, and of each record that left it.
 */
export const ChangedRecordEntity = entityOf({
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
  },
  indices: [
    { name: 'changed_records_by_sequence', columns: ['vendor_id', 'kind', 'sequence'] },
    { name: 'changed_records_by_key', columns: ['kind', 'record_key'] },
  ],
});
