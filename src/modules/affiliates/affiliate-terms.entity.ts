import {
  day,
  flag,
  key,
  longText,
  dateTime,
  optional,
  text,
  wholeNumber,
} from '../../platform/database/entities/columns.js';
import { entityOf, type EntityRow } from '../../platform/database/entities/entity-of.js';
import type { AffiliateTermsStatus } from './affiliate-terms.model.js';

/** Stores the terms of an affiliate for a product. */
export const AffiliateTermsEntity = entityOf({
  name: 'Affiliation',
  tableName: 'affiliations',
  columns: {
    affiliate_id: key(wholeNumber()),
    product_id: key(wholeNumber()),
    created: dateTime(),
    status: text(32),
    comments: optional(longText()),
    custom_commission: optional(wholeNumber()),
    delayed_commission: flag(),
    custom_sales_page_url: optional(text(2048)),
    custom_payment_1st_payout: optional(wholeNumber()),
    custom_payment_trial_payout: optional(wholeNumber()),
    overruled: optional(longText()),
    record_version: optional(wholeNumber()),
  },
  indices: [{ name: 'affiliations_by_product', columns: ['product_id', 'affiliate_id'] }],
});
export interface AffiliateTermsRow extends EntityRow<typeof AffiliateTermsEntity> {
  readonly status: AffiliateTermsStatus;
}

/** Stores the number of clicks on an affiliate's links for a product on one day. */
export const DailyClicksEntity = entityOf({
  name: 'DailyClicks',
  tableName: 'daily_clicks',
  columns: {
    affiliate_id: key(wholeNumber()),
    product_id: key(wholeNumber()),
    date: key(day()),
    clicks: wholeNumber(),
    unique_clicks: wholeNumber(),
    record_version: optional(wholeNumber()),
  },
  indices: [
    {
      name: 'daily_clicks_by_product',
      columns: ['product_id', 'date', 'affiliate_id', 'clicks', 'unique_clicks'],
    },
    { name: 'daily_clicks_by_product_affiliate', columns: ['product_id', 'affiliate_id'] },
  ],
});
export type DailyClicksRow = EntityRow<typeof DailyClicksEntity>;
