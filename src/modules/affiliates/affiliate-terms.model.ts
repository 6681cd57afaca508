import type { AffiliationRecord, ClicksRecord } from '../../ledger/records/user.record.js';
import { relationshipKey, type ChangedRecord } from '../../ledger/changes/change.model.js';
import type { AffiliateSales } from '../../ledger/sums/affiliate-sales.js';

/** Lists the statuses that a vendor can set for affiliate terms. */
export const APPROVAL_STATUSES = ['INSTANT', 'DELAYED', 'DENIED'] as const;
export type ApprovalStatus = (typeof APPROVAL_STATUSES)[number];

export type AffiliateTermsKey = Pick<AffiliateTerms, 'affiliate_id' | 'product_id'>;

/** Returns the subject of the audit entries on affiliate terms. */
export function subjectOf({ affiliate_id, product_id }: AffiliateTermsKey): string {
  return `affiliate ${affiliate_id}, product ${product_id}`;
}

/** Describes the terms of an affiliate for a product, as a ledger file contains them. */
export type AffiliateTerms = AffiliationRecord;
export type AffiliateTermsStatus = AffiliateTerms['status'];

export type DailyClicks = ClicksRecord;

/** Lists the terms that a vendor can set. */
export const TERMS = [
  'custom_commission',
  'custom_sales_page_url',
  'custom_payment_1st_payout',
  'custom_payment_trial_payout',
] as const satisfies readonly (keyof AffiliateTerms)[];

/**
 * Contains the values that a vendor sets. An absent value keeps the stored one, null clears it
 * (docs/api.md#versions-21-and-20).
 */
type TermsOfAffiliate = {
  readonly [Term in (typeof TERMS)[number]]?: AffiliateTerms[Term] | undefined;
};

/** Allowed range of a commission in percent, and of a payout in the currency of the ledger. */
export const PERCENT = { min: 0, max: 100 } as const;
export const PAYOUT = { min: 0, max: Number.MAX_SAFE_INTEGER } as const;

/** Lists the fields that every update sets. */
export const ALWAYS_SET = ['status', 'delayed_commission'] as const;

export interface TermsUpdate {
  readonly approval_status: ApprovalStatus;
  readonly terms: TermsOfAffiliate;
  /** If it is given, it must be the affiliate's e-mail address. */
  readonly affiliate_verification_email: string | null;
}

/** Returns the entry for affiliate terms of a vendor in the feed of changes. */
export function changedRelationship(
  vendor_id: number,
  { affiliate_id, product_id }: AffiliateTermsKey,
): ChangedRecord {
  const record_key = relationshipKey(affiliate_id, product_id);
  return { vendor_id, kind: 'relationship', record_key };
}

export type ClickCounts = Pick<DailyClicks, 'clicks' | 'unique_clicks'>;

/**
 * Contains the statistics of an affiliate for a product, as docs/api.md#versions-21-and-20 defines
 * them.
 */
export interface AffiliateStatistics {
  /** `name` is the display name, or the user's name if there is none. */
  readonly affiliate: { readonly id: number; readonly name: string };
  /** `name` is the current name. */
  readonly product: { readonly id: number; readonly name: string };
  readonly clicks: ClickCounts;
  readonly sales: AffiliateSales;
}
