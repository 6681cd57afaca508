import {
  dateTime,
  flag,
  key,
  optional,
  text,
  wholeNumber,
} from '../../../platform/database/entities/columns.js';
import { entityOf, type EntityRow } from '../../../platform/database/entities/entity-of.js';

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
