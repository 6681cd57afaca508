import type { RecordFields } from './record-fields.js';
import { LINES_TEXT, NAME_TEXT, TRACKING_TEXT } from '../files/text-rule.js';

const USER_STATUSES = ['active', 'suspended'] as const;

/** Describes a user: a vendor, an affiliate, or both (docs/ledger-file.md). */
export type UserRecord = Readonly<ReturnType<typeof readUser>>;

export function readUser(fields: RecordFields) {
  // This field is checked but not stored, because no response shows it.
  fields.optionalText('processor_email');
  return {
    id: fields.id('id'),
    name: fields.text('name', NAME_TEXT),
    email: fields.text('email', NAME_TEXT),
    display_name: fields.optionalText('display_name', NAME_TEXT),
    status: fields.optionalChoice('status', USER_STATUSES) ?? 'active',
  };
}

/** Describes a product, as in a record of type `product` (docs/ledger-file.md). */
export type ProductRecord = Readonly<ReturnType<typeof readProduct>>;

export function readProduct(fields: RecordFields) {
  const vendor_id = fields.id('vendor_id');
  return { id: fields.id('id'), vendor_id, name: fields.text('name', NAME_TEXT) };
}

const AFFILIATE_TERMS_STATUSES = ['REQUESTED', 'APPROVED', 'DENIED'] as const;

/** Maximum length of a sales page URL, in characters. */
export const SALES_PAGE_URL_LENGTH = TRACKING_TEXT.max;

/**
 * Describes the terms of an affiliate for a product, as in a record of type `affiliation`
 * (docs/ledger-file.md).
 */
export type AffiliationRecord = Readonly<ReturnType<typeof readAffiliation>>;

export function readAffiliation(fields: RecordFields) {
  return {
    affiliate_id: fields.id('affiliate_id'),
    product_id: fields.id('product_id'),
    created: fields.dateTime('created'),
    status: fields.choice('status', AFFILIATE_TERMS_STATUSES),
    comments: fields.optionalText('comments', LINES_TEXT),
    // In percent.
    custom_commission: fields.optionalInteger('custom_commission', 0, 100),
    delayed_commission: fields.optionalFlag('delayed_commission') ?? false,
    custom_sales_page_url: fields.optionalWebAddress('custom_sales_page_url', TRACKING_TEXT),
    custom_payment_1st_payout: fields.optionalInteger('custom_payment_1st_payout'),
    custom_payment_trial_payout: fields.optionalInteger('custom_payment_trial_payout'),
  };
}

/** Describes the clicks on an affiliate's links for a product on one day (docs/ledger-file.md). */
export type ClicksRecord = Readonly<ReturnType<typeof readClicks>>;

export function readClicks(fields: RecordFields) {
  return {
    affiliate_id: fields.id('affiliate_id'),
    product_id: fields.id('product_id'),
    // In UTC.
    date: fields.day('date'),
    clicks: fields.integer('clicks'),
    unique_clicks: fields.integer('unique_clicks'),
  };
}
