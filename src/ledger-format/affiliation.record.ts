import type { RecordFields } from './record-fields.js';

const AFFILIATION_STATUSES = ['REQUESTED', 'APPROVED', 'DENIED'] as const;

/** The longest address of a sales page, in characters. */
export const SALES_PAGE_URL_LENGTH = 2048;

/** The relationship between an affiliate and a product (ledger format: affiliation). */
export interface AffiliationRecord {
  readonly affiliate_id: number;
  readonly product_id: number;
  /** A date-time in UTC. */
  readonly created: string;
  readonly status: (typeof AFFILIATION_STATUSES)[number];
  readonly comments: string | null;
  /** Percent, 0 to 100. */
  readonly custom_commission: number | null;
  readonly delayed_commission: boolean;
  readonly custom_sales_page_url: string | null;
  readonly custom_payment_1st_payout: number | null;
  readonly custom_payment_trial_payout: number | null;
}

export function readAffiliation(fields: RecordFields): AffiliationRecord {
  return {
    affiliate_id: fields.id('affiliate_id'),
    product_id: fields.id('product_id'),
    created: fields.dateTime('created'),
    status: fields.choice('status', AFFILIATION_STATUSES),
    comments: fields.optionalLongText('comments'),
    custom_commission: fields.optionalInteger('custom_commission', 0, 100),
    delayed_commission: fields.optionalFlag('delayed_commission') ?? false,
    custom_sales_page_url: fields.optionalText('custom_sales_page_url', SALES_PAGE_URL_LENGTH),
    custom_payment_1st_payout: fields.optionalInteger('custom_payment_1st_payout'),
    custom_payment_trial_payout: fields.optionalInteger('custom_payment_trial_payout'),
  };
}
