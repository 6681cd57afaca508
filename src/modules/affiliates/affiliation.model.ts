import type { AffiliationRecord } from '../../ledger-format/affiliation.record.js';
import { relationshipKey, type ChangedRecord } from '../changes/change.model.js';
import type { ClicksRecord } from '../../ledger-format/clicks.record.js';

/** The statuses that a vendor can set (interface 2.5, 3). */
export const APPROVAL_STATUSES = ['INSTANT', 'DELAYED', 'DENIED'] as const;
export type ApprovalStatus = (typeof APPROVAL_STATUSES)[number];

export interface AffiliationKey {
  readonly affiliate_id: number;
  readonly product_id: number;
}

/** The numbers of a product's relationships and days of clicks. */
export interface ProductAffiliates {
  readonly relationships: number;
  /** Days of clicks. */
  readonly clicks: number;
}

/** The subject of a relationship's audit entries. */
export function subjectOf({ affiliate_id, product_id }: AffiliationKey): string {
  return `affiliate ${affiliate_id}, product ${product_id}`;
}

/** A relationship (interface 2.4), as the ledger format has it. */
export type Affiliation = AffiliationRecord;
export type AffiliationStatus = Affiliation['status'];

export type DailyClicks = ClicksRecord;

/** Terms that a vendor sets: absent keeps the stored value, null clears it (decisions: PUT). */
export interface AffiliationTerms {
  readonly custom_commission?: number | null | undefined;
  readonly custom_sales_page_url?: string | null | undefined;
  readonly custom_payment_1st_payout?: number | null | undefined;
  readonly custom_payment_trial_payout?: number | null | undefined;
}

export const TERMS = [
  'custom_commission',
  'custom_sales_page_url',
  'custom_payment_1st_payout',
  'custom_payment_trial_payout',
] as const satisfies readonly (keyof AffiliationTerms)[];

/** What a commission can be, in percent, and a payout, in the currency of the ledger. */
export const PERCENT = { min: 0, max: 100 } as const;
export const PAYOUT = { min: 0, max: Number.MAX_SAFE_INTEGER } as const;

/** Fields that every update sets. */
export const ALWAYS_SET = ['status', 'delayed_commission'] as const;

export interface AffiliationUpdate {
  readonly approval_status: ApprovalStatus;
  readonly terms: AffiliationTerms;
  /** If given, it must be the affiliate's. */
  readonly affiliate_verification_email: string | null;
}

/** A relationship of the vendor, in the feed of changes. */
export function changedRelationship(
  vendor_id: number,
  { affiliate_id, product_id }: AffiliationKey,
): ChangedRecord {
  const record_key = relationshipKey(affiliate_id, product_id);
  return { vendor_id, kind: 'relationship', record_key };
}
