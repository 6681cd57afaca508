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
  /** JSON. */
  readonly state_before: string | null;
  readonly state_after: string;
}

/** One change that somebody made through the service; entries are only ever added. */
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
