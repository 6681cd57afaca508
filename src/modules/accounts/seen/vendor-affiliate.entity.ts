import { EntitySchema } from 'typeorm';
import { key, wholeNumber, type Column } from '../../../database/columns.js';
import type { VendorAffiliate } from './seen-user.model.js';

/**
 * Each row is an affiliate that a record of the operator gave to a vendor by a sale, affiliate
 * terms or clicks.
 */
export const VendorAffiliateEntity = new EntitySchema<VendorAffiliate>({
  name: 'VendorAffiliate',
  tableName: 'vendor_affiliates',
  columns: {
    vendor_id: key(wholeNumber()),
    affiliate_id: key(wholeNumber()),
  } satisfies Record<keyof VendorAffiliate, Column>,
});
