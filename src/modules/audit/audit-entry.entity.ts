import { EntitySchema } from 'typeorm';
import {
  generatedId,
  longText,
  dateTime,
  optional,
  text,
  wholeNumber,
} from '../../database/columns.js';
import type { RecordedAuditEntry } from './audit.model.js';

export interface AuditEntryRow extends Omit<RecordedAuditEntry, 'before' | 'after'> {
  /** State before the change, as JSON. */
  readonly state_before: string | null;
  readonly state_after: string;
}

/** Each row is a change made through the service. Rows are only added, never changed. */
export const AuditEntryEntity = new EntitySchema<AuditEntryRow>({
  name: 'AuditEntry',
  tableName: 'audit_log',
  columns: {
    id: generatedId(),
    created: dateTime(),
    user_id: wholeNumber(),
    application_id: wholeNumber(),
    source: optional(text()),
    action: text(),
    subject: text(),
    state_before: optional(longText()),
    state_after: longText(),
  },
});
