import {
  dateTime,
  day,
  flag,
  key,
  longText,
  optional,
  text,
  wholeNumber,
} from '../../platform/database/entities/columns.js';
import { entityOf, type EntityRow } from '../../platform/database/entities/entity-of.js';

/** A rule limits how long a vendor's personal data is kept. */
export const RetentionRuleEntity = entityOf({
  name: 'RetentionRule',
  tableName: 'retention_rules',
  columns: {
    /** Id of the vendor, or ALL_VENDORS for vendors without a rule of their own. */
    vendor_id: key(wholeNumber()),
    /** Number of months that personal data is kept, or null for ever. */
    months: optional(wholeNumber()),
  },
});
export type RetentionRule = EntityRow<typeof RetentionRuleEntity>;

/**
 * Each row records how far a vendor's personal data has been removed. The process with the lease
 * removes it.
 */
export const RetainedLedgerEntity = entityOf({
  name: 'RetainedLedger',
  tableName: 'retained_ledgers',
  columns: {
    vendor_id: key(wholeNumber()),
    /**
     * Sales before this day keep no personal data, no matter when they arrive. The day never goes
     * back.
     */
    retained_from: day(),
    /**
     * Date of the last stored sale whose personal data was removed. `emptied_arrival` is its
     * arrival.
     */
    emptied_to: dateTime(),
    emptied_arrival: wholeNumber(),
    /**
     * Number of transactions from which the current run, or an interrupted one, has removed
     * personal data. `recurring_payments` counts subscriptions.
     */
    transactions: wholeNumber(),
    recurring_payments: wholeNumber(),
    /** Day of the last completed run, or null if no run has completed. */
    done_on: optional(day()),
    claim: optional(text(36)),
    claim_ends: optional(dateTime()),
  },
});
export type RetainedLedger = EntityRow<typeof RetainedLedgerEntity>;

/** Each row is an import that has not ended. */
export const OpenImportEntity = entityOf({
  name: 'OpenImport',
  tableName: 'open_imports',
  columns: {
    id: key(text(36)),
    /** Id of the vendor, or 0 if the records may belong to any vendor. */
    vendor_id: wholeNumber(),
    /** The import is open until this time, in UTC, unless its process ends or extends it. */
    ends: dateTime(),
  },
});
export type OpenImport = EntityRow<typeof OpenImportEntity>;

/** Each row counts a vendor's tombstones of customers without stored data. */
export const EarlyErasuresEntity = entityOf({
  name: 'EarlyErasures',
  tableName: 'early_erasures',
  columns: {
    /** Id of the vendor, or 0 for erasures at all vendors. */
    vendor_id: key(wholeNumber()),
    tombstones: wholeNumber(),
  },
});
export type EarlyErasures = EntityRow<typeof EarlyErasuresEntity>;

export const ErasedPersonEntity = entityOf({
  name: 'ErasedPerson',
  tableName: 'erased_people',
  columns: {
    /** Id of the vendor, or 0 for all vendors. */
    vendor_id: key(wholeNumber()),
    /** Keyed hash of the e-mail, in hexadecimal. */
    person: key(text(64)),
    /**
     * Time of the erasure, in UTC. Sales of the customer until then are erased, no matter when they
     * arrive.
     */
    erased_at: dateTime(),
    /** One of ERASURE_STATES. */
    is_pending: flag(),
    /**
     * Number of the database transaction that stored the tombstone, in commit order. 0 for none.
     */
    number: { ...wholeNumber(), default: 0 },
    /**
     * The `erased_at` to which the number belongs. An instance of the previous version changes only
     * `erased_at`.
     */
    numbered_at: optional(dateTime()),
  },
  indices: [
    { name: 'erased_people_by_erased_at', columns: ['vendor_id', 'erased_at'] },
    { name: 'erased_people_by_number', columns: ['number', 'vendor_id', 'person'] },
    { name: 'erased_people_by_pending', columns: ['is_pending', 'vendor_id', 'person'] },
  ],
});
export type ErasedPersonRow = EntityRow<typeof ErasedPersonEntity>;

/** The only row has the encrypted key of the hashes. */
export const PersonKeyEntity = entityOf({
  name: 'PersonKey',
  tableName: 'person_keys',
  columns: {
    id: key(wholeNumber()),
    secret: text(),
    /** Last number that was given to tombstones. */
    last_number: { ...wholeNumber(), default: 0 },
  },
});
export type PersonKeyRow = EntityRow<typeof PersonKeyEntity>;

/** Each row describes a file of erasures when an instance last compared it with the database. */
export const ErasureFileEntity = entityOf({
  name: 'ErasureFile',
  tableName: 'erasure_files',
  columns: {
    id: key(text(32)),
    /** Number of tombstones in the first `bytes`, including repeated ones. */
    entries: wholeNumber(),
    /** The database has the tombstones of this many bytes. */
    bytes: wholeNumber(),
    /** Hash of the last of these bytes, which detects another file with the same id. */
    ending: text(64),
    /** Last encrypted key in these bytes. Empty if there is none. */
    secret: text(),
    /** The file has the database's tombstones up to this number. */
    through: wholeNumber(),
    seen: dateTime(),
  },
});
export type ErasureFile = EntityRow<typeof ErasureFileEntity>;

export const OPERATION_LENGTH = 64;
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
    /**
     * Keys of records that were shown one by one, in the format of `textOfKeys`. Null for a list.
     */
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
