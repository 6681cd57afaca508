import { key, optional, text, wholeNumber } from '../../../platform/database/entities/columns.js';
import { entityOf, type EntityRow } from '../../../platform/database/entities/entity-of.js';

/**
 * Each row is a user as the source or upstream of a vendor knows it. It exists only if the source
 * sent a record after the user existed. No other vendor sees its names and its e-mail.
 */
export const VendorUserEntity = entityOf({
  name: 'VendorUser',
  tableName: 'vendor_users',
  columns: {
    vendor_id: key(wholeNumber()),
    user_id: key(wholeNumber()),
    name: text(),
    email: text(),
    display_name: optional(text()),
    /** Version of the record that the data is from, or null. */
    record_version: optional(wholeNumber()),
  },
  indices: [{ name: 'vendor_users_by_user', columns: ['user_id'] }],
});
export type VendorUserRow = EntityRow<typeof VendorUserEntity>;

/**
 * Each row is an affiliate that a record of the operator gave to a vendor by a sale, affiliate
 * terms or clicks.
 */
export const VendorAffiliateEntity = entityOf({
  name: 'VendorAffiliate',
  tableName: 'vendor_affiliates',
  columns: { vendor_id: key(wholeNumber()), affiliate_id: key(wholeNumber()) },
});
