import type { AffiliationRecord } from '../../ledger-format/affiliation.record.js';
import type { ClicksRecord } from '../../ledger-format/clicks.record.js';

/** What a vendor may make of a relationship (interface 2.5, 3). */
export const APPROVAL_STATUSES = ['INSTANT', 'DELAYED', 'DENIED'] as const;
export type ApprovalStatus = (typeof APPROVAL_STATUSES)[number];

export interface AffiliationKey {
  readonly affiliate_id: number;
  readonly product_id: number;
}

/** How the audit log names a relationship. */
export function subjectOf({ affiliate_id, product_id }: AffiliationKey): string {
  return `affiliate ${affiliate_id}, product ${product_id}`;
}

/** A relationship (interface 2.4), as the ledger format has it. */
export type Affiliation = AffiliationRecord;
export type AffiliationStatus = Affiliation['status'];

export type DailyClicks = ClicksRecord;

/** Terms that a vendor sets: absent leaves what is stored, null clears it (decisions: PUT). */
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

/** What an update sets besides, whatever it says. */
export const ALWAYS_SET = ['status', 'delayed_commission'] as const;

export interface AffiliationUpdate {
  readonly approval_status: ApprovalStatus;
  readonly terms: AffiliationTerms;
  /** A check: where it is given, it must be the affiliate's. */
  readonly affiliate_verification_email: string | null;
}
