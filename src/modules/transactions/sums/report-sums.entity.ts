import { EntitySchema } from 'typeorm';
import { recordOf } from '../../../common/record-of.js';
import { day, key, text, wholeNumber } from '../../../database/columns.js';
import {
  AFFILIATE_DAY_SUMS,
  VENDOR_SUMS,
  type AffiliateDaySum,
  type SumKind,
  type SumSeries,
  type VendorSum,
} from './kept-sums.model.js';

interface StoredVendorSums extends Readonly<Record<VendorSum, number>> {
  readonly vendor_id: number;
  readonly series: SumSeries;
  readonly kind: SumKind;
  readonly day: string;
  readonly item_id: number;
}

interface StoredAffiliateDaySums extends Readonly<Record<AffiliateDaySum, number>> {
  readonly vendor_id: number;
  readonly kind: SumKind;
  readonly day: string;
  readonly affiliate_id: number;
  readonly product_id: number;
}

/** Stores the kept sums of a vendor's days, products and affiliates. The item of a total is 0. */
export const VendorSumsEntity = new EntitySchema<StoredVendorSums>({
  name: 'VendorSums',
  tableName: 'vendor_sums',
  columns: {
    vendor_id: key(wholeNumber()),
    series: key(text(32)),
    kind: key(text(32)),
    day: key(day()),
    item_id: key(wholeNumber()),
    ...recordOf(VENDOR_SUMS, wholeNumber),
  },
});

/** Stores the kept sums of an affiliate's sales of a vendor's product on a day. */
export const AffiliateDaySumsEntity = new EntitySchema<StoredAffiliateDaySums>({
  name: 'AffiliateDaySums',
  tableName: 'affiliate_day_sums',
  columns: {
    vendor_id: key(wholeNumber()),
    kind: key(text(32)),
    day: key(day()),
    affiliate_id: key(wholeNumber()),
    product_id: key(wholeNumber()),
    ...recordOf(AFFILIATE_DAY_SUMS, wholeNumber),
  },
  indices: [{ name: 'affiliate_day_sums_by_affiliate', columns: ['affiliate_id', 'day'] }],
});
