import { EntitySchema } from 'typeorm';
import { recordOf } from '../../../../common/record-of.js';
import { key, wholeNumber } from '../../../../database/columns.js';
import { AFFILIATE_SUMS, type AffiliateSum } from './affiliate-sales.model.js';

type StoredAffiliateSales = Readonly<Record<'affiliate_id' | 'product_id' | AffiliateSum, number>>;

/** Stores the kept sums of an affiliate's sales of a product. */
export const AffiliateSalesEntity = new EntitySchema<StoredAffiliateSales>({
  name: 'AffiliateSales',
  tableName: 'affiliate_sales',
  columns: {
    affiliate_id: key(wholeNumber()),
    product_id: key(wholeNumber()),
    ...recordOf(AFFILIATE_SUMS, wholeNumber),
  },
});
