import { EntitySchema } from 'typeorm';
import {
  dateTime,
  day,
  key,
  longText,
  optional,
  text,
  wholeNumber,
  type Column,
} from '../../database/columns.js';
import { WRITER_LENGTH, type KeptReads } from './personal-read.model.js';

const OPERATION_LENGTH = 64;

/**
 * Each row is a group of reads of personal data. Because of `writer` and `number`, no two processes
 * ever write the same row.
 */
export const PersonalReadEntity = new EntitySchema<KeptReads>({
  name: 'PersonalRead',
  tableName: 'personal_reads',
  columns: {
    vendor_id: key(wholeNumber()),
    read_at: key(dateTime()),
    writer: key(text(WRITER_LENGTH)),
    number: key(wholeNumber()),
    user_id: wholeNumber(),
    application_id: wholeNumber(),
    operation: text(OPERATION_LENGTH),
    record_keys: optional(longText()),
    first_day: optional(day()),
    last_day: optional(day()),
    records: optional(wholeNumber()),
    times: wholeNumber(),
  } satisfies Record<keyof KeptReads, Column>,
});
