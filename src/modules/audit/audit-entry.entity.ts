import { EntitySchema } from 'typeorm';
import {
  givenNumber,
  longText,
  dateTime,
  optional,
  text,
  wholeNumber,
} from '../../database/columns.js';

/** One change that somebody made through the service; entries are only ever added. */
export const AuditEntryEntity = new EntitySchema({
  name: 'AuditEntry',
  tableName: 'audit_log',
  columns: {
    id: givenNumber(),
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
