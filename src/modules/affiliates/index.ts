export {
  type AffiliateTerms,
  APPROVAL_STATUSES,
  type ApprovalStatus,
  type DailyClicks,
  PAYOUT,
  PERCENT,
  subjectOf,
  type TermsUpdate,
} from './affiliate-terms.model.js';
export { AffiliatesModule } from './affiliates.module.js';
export { AffiliatesService } from './affiliates.service.js';
export { RelationshipWritesService } from './relationship-writes.service.js';
export { TERMS_ACTIONS } from './relationship-writes.service.js';
