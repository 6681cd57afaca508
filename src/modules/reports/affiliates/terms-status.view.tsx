import type { AffiliateTerms } from '../../affiliates/index.js';
import { Badge } from '../../../platform/pages/ui/facts.view.js';

export type TermsStatus = AffiliateTerms['status'];

/** Statuses by how much they matter if the terms of an affiliate differ. */
const BY_WEIGHT = ['REQUESTED', 'APPROVED', 'DENIED'] as const;
const WORDS: Readonly<Record<TermsStatus, string>> = {
  REQUESTED: 'Requested',
  APPROVED: 'Approved',
  DENIED: 'Rejected',
};
const STYLES: Readonly<Record<TermsStatus, string>> = {
  REQUESTED: 'pending',
  APPROVED: 'active',
  DENIED: 'revoked',
};

/** Returns the status of each affiliate that matters most. */
export function termsStatuses(
  terms: readonly Pick<AffiliateTerms, 'affiliate_id' | 'status'>[],
): ReadonlyMap<number, TermsStatus> {
  const statuses = new Map<number, TermsStatus>();
  for (const status of BY_WEIGHT.toReversed()) {
    for (const each of terms) if (each.status === status) statuses.set(each.affiliate_id, status);
  }
  return statuses;
}

/** Shows the status of affiliate terms; a dash without terms. */
export function TermsBadge({ status }: { readonly status: TermsStatus | null }) {
  return status === null ? <>–</> : <Badge style={STYLES[status]}>{WORDS[status]}</Badge>;
}
