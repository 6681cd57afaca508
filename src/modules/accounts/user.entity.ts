import { key, optional, text, wholeNumber } from '../../platform/database/entities/columns.js';
import { entityOf, type EntityRow } from '../../platform/database/entities/entity-of.js';

/** Each row of `users` is a vendor, an affiliate or both. */
export const UserEntity = entityOf({
  name: 'User',
  tableName: 'users',
  columns: {
    id: key(wholeNumber()),
    name: text(),
    email: text(),
    /**
     * E-mail that the user signs in with, in lower case. No record changes it if the user has a
     * password.
     */
    sign_in_email: { ...text(), default: '' },
    display_name: optional(text()),
    /** Unused column. */
    processor_email: { ...text(), default: '' },
    status: text(32),
    record_version: optional(wholeNumber()),
    source_vendor_id: optional(wholeNumber()),
    /** Null for users of the operator, and for users of a source who were not admitted. */
    admitted: optional(text(16)),
  },
  indices: [
    { name: 'users_by_sign_in_email', columns: ['sign_in_email'] },
    {
      name: 'users_by_source',
      columns: ['source_vendor_id', 'id'],
      // Only SQLite supports partial indexes.
      where: 'source_vendor_id IS NOT NULL',
    },
  ],
});
export type StoredUser = EntityRow<typeof UserEntity>;

/** Columns that a user is read from, without those that decide how the row may be changed. */
export const USER_COLUMNS = ['id', 'name', 'email', 'display_name', 'status'] as const;
