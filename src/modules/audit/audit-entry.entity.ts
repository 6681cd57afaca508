import {
  generatedId,
  longText,
  dateTime,
  optional,
  text,
  wholeNumber,
} from '../../platform/database/entities/columns.js';
import { entityOf, type EntityRow } from '../../platform/database/entities/entity-of.js';

/** Each row is a change made through the service. Rows are only added, never changed. */
export const AuditEntryEntity = entityOf({
  name: 'AuditEntry',
  tableName: 'audit_log',
  columns: {
    id: generatedId(),
    /** Time of the change, in UTC. */
    created: dateTime(),
    /** Author of the change. */
    user_id: wholeNumber(),
    application_id: wholeNumber(),
    source: optional(text()),
    action: text(),
    subject: text(),
    /** State before the change, as JSON. */
    state_before: optional(longText()),
    state_after: longText(),
    /** Account whose activity shows the entry; NO_ACCOUNT for none. */
    account_id: { ...wholeNumber(), default: 0 },
  },
  indices: [
    { name: 'audit_log_by_account', columns: ['account_id', 'created', 'id', 'action'] },
    { name: 'audit_log_by_subject', columns: ['account_id', 'subject', 'created', 'id'] },
  ],
});
export type AuditEntryRow = EntityRow<typeof AuditEntryEntity>;
