import { formatDateTime } from '../../../platform/values/time.js';
import type { AffiliateTerms } from '../affiliate-terms.model.js';

/** Returns affiliate terms as a relationship of API 2.1. Numbers that are not set are 0. */
export function presentAffiliation(affiliation: AffiliateTerms) {
  return {
    created: formatDateTime(affiliation.created),
    product_id: affiliation.product_id,
    affiliate_id: affiliation.affiliate_id,
    comments: affiliation.comments ?? '',
    status: affiliation.status,
    custom_commission: affiliation.custom_commission ?? 0,
    delayed_commission: affiliation.delayed_commission,
    custom_sales_page_url: affiliation.custom_sales_page_url,
    custom_payment_1st_payout: affiliation.custom_payment_1st_payout ?? 0,
    custom_payment_trial_payout: affiliation.custom_payment_trial_payout ?? 0,
  };
}
