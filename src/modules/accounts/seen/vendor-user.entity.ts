import { EntitySchema } from 'typeorm';
import { key, optional, text, wholeNumber, type Column } from '../../../database/columns.js';
import type { GivenUser } from './seen-user.model.js';

/** The name and the e-mail that the source of one vendor gave to a user; no other vendor sees them. */
export interface VendorUserRow extends Omit<GivenUser, 'id'> {
  readonly vendor_id: number;
  readonly user_id: number;
  /** The version of the record that said it, or null. */
  readonly record_version: number | null;
}

/** A user as the source or upstream of a vendor knows it, if it told something after the user was there. */
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
