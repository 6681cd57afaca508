import { formatDecimal } from '../../../platform/values/money.js';
import { formatDateTime } from '../../../platform/values/time.js';
import type { AffiliateTerms, AffiliateTermsStatus } from '../affiliate-terms.model.js';

const STATUS_ID = {
  REQUESTED: 1,
  APPROVED: 2,
  DENIED: 3,
} as const satisfies Record<AffiliateTermsStatus, number>;

/** A fraction has the last two digits of the percent as decimals: 75 percent is 0.75. */
const PERCENT_PLACES = 2;

/** Returns affiliate terms as a relationship of API 2.0. */
export function presentAffiliation(affiliation: AffiliateTerms) {
  return {
    created: formatDateTime(affiliation.created),
    product_id: affiliation.product_id,
    affiliate_id: String(affiliation.affiliate_id),
    comments: affiliation.comments ?? '',
    status_id: STATUS_ID[affiliation.status],
    custom_commission: formatDecimal(affiliation.custom_commission ?? 0, PERCENT_PLACES),
    delayed_commission: affiliation.delayed_commission ? ('1' as const) : ('0' as const),
  };
}
