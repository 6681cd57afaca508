import { EntitySchema } from 'typeorm';
import { key, optional, text, wholeNumber, type Column } from '../../../database/columns.js';
import type { GivenUser } from './seen-user.model.js';

/**
 * This row has the names and the e-mail that the source of one vendor gave to a user. No other
 * vendor sees them.
 */
export interface VendorUserRow extends Omit<GivenUser, 'id'> {
  readonly vendor_id: number;
  readonly user_id: number;
  /** Version of the record that the data is from, or null. */
  readonly record_version: number | null;
}

/**
 * Each row is a user as the source or upstream of a vendor knows it. It exists only if the source
 * sent a record after the user existed.
 */
export const VendorUserEntity = new EntitySchema<VendorUserRow>({
  name: 'VendorUser',
  tableName: 'vendor_users',
  columns: {
    vendor_id: key(wholeNumber()),
    user_id: key(wholeNumber()),
    name: text(),
    email: text(),
    display_name: optional(text()),
    record_version: optional(wholeNumber()),
  } satisfies Record<keyof VendorUserRow, Column>,
  indices: [{ name: 'vendor_users_by_user', columns: ['user_id'] }],
});
