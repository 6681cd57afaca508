import {
  dateTime,
  day,
  key,
  longText,
  optional,
  text,
  wholeNumber,
} from '../../../platform/database/entities/columns.js';
import { entityOf, type EntityRow } from '../../../platform/database/entities/entity-of.js';

const OPERATION_LENGTH = 64;
/** Length of the name of a process that writes reads. */
export const WRITER_LENGTH = 16;

/**
 * Each row is a group of reads of personal data, of one second, caller and operation. Because of
 * `writer` and `number`, no two processes ever write the same row.
 */
export const PersonalReadEntity = entityOf({
  name: 'PersonalRead',
  tableName: 'personal_reads',
  columns: {
    /** Vendor whose customers' data was read. */
    vendor_id: key(wholeNumber()),
    /** Time of the reads, in UTC. */
    read_at: key(dateTime()),
    /** Process that wrote the row, and the row's number in that process. */
    writer: key(text(WRITER_LENGTH)),
    number: key(wholeNumber()),
    /** Reader: the user of the key or session, or OPERATOR. */
    user_id: wholeNumber(),
    /** API application of the reader, or NO_APPLICATION. */
    application_id: wholeNumber(),
    operation: text(OPERATION_LENGTH),
    /** Keys of records that were shown one by one, in the format of `textOfKeys`. Null for a list. */
    record_keys: optional(longText()),
    /** First and last requested day of a list. Null for no bound. */
    first_day: optional(day()),
    last_day: optional(day()),
    /** Number of records shown, or null if it was not counted. */
    records: optional(wholeNumber()),
    times: wholeNumber(),
  },
});
export type KeptReads = EntityRow<typeof PersonalReadEntity>;
