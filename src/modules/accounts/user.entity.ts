import { EntitySchema } from 'typeorm';
import { key, optional, text, wholeNumber } from '../../database/columns.js';
import type { UserOfSource } from './account.model.js';

export interface UserRow extends UserOfSource {
  /** The e-mail in lower case, with which the user signs in. No record changes that of a user who can. */
  readonly sign_in_email: string;
  /** Not used. Instances of the previous version read it during an upgrade. */
  readonly processor_email: string;
  readonly record_version: number | null;
}

/** A vendor, an affiliate or both. */
export const UserEntity = new EntitySchema<UserRow>({
  name: 'User',
  tableName: 'users',
  columns: {
    id: key(wholeNumber()),
    name: text(),
    email: text(),
    sign_in_email: { ...text(), default: '' },
    display_name: optional(text()),
    processor_email: { ...text(), default: '' },
    status: text(32),
    record_version: optional(wholeNumber()),
    source_vendor_id: optional(wholeNumber()),
    admitted: optional(text(16)),
  },
  indices: [
    { name: 'users_by_sign_in_email', columns: ['sign_in_email'] },
    {
      name: 'users_by_source',
      columns: ['source_vendor_id', 'id'],
      // Only SQLite has indexes of some rows.
      where: 'source_vendor_id IS NOT NULL',
    },
  ],
});
