import {
  ApiApplicationEntity,
  ApiKeyEntity,
} from './modules/accounts/applications/api-application.entity.js';
import { PasswordLinkEntity } from './modules/accounts/links/password-link.entity.js';
import { SessionEntity } from './modules/accounts/sessions/session.entity.js';
import { SignInNetworkEntity } from './modules/accounts/sign-ins/sign-in-network.entity.js';
import {
  RecoveryCodeEntity,
  TwoFactorEntity,
  TwoFactorRequirementEntity,
} from './modules/accounts/two-factor/two-factor.entity.js';
import {
  VendorAffiliateEntity,
  VendorUserEntity,
} from './modules/accounts/seen/vendor-user.entity.js';
import { UserEntity } from './modules/accounts/user.entity.js';
import { UserPasswordEntity } from './modules/accounts/passwords/user-password.entity.js';
import {
  AffiliateTermsEntity,
  DailyClicksEntity,
} from './modules/affiliates/affiliate-terms.entity.js';
import { AuditEntryEntity } from './modules/audit/audit-entry.entity.js';
import { ChangedRecordEntity } from './modules/changes/changed-record.entity.js';
import {
  WebhookDeliveryEntity,
  WebhookEndpointEntity,
} from './modules/webhooks/webhook-endpoint.entity.js';
import {
  EarlyErasuresEntity,
  OpenImportEntity,
} from './modules/people/open-imports/open-import.entity.js';
import {
  ErasedPersonEntity,
  ErasureFileEntity,
  PersonKeyEntity,
} from './modules/people/tombstones/erased-person.entity.js';
import { UpstreamProblemEntity } from './modules/upstreams/problems/upstream-problem.entity.js';
import { UpstreamEntity, UpstreamReadEntity } from './modules/upstreams/upstream.entity.js';
import { PersonalReadEntity } from './modules/personal-reads/personal-read.entity.js';
import { RetainedLedgerEntity, RetentionRuleEntity } from './modules/retention/retention.entity.js';
import { ProductEntity } from './modules/products/product.entity.js';
import { RecurringCancelEntity } from './modules/recurring/cancel/recurring-cancel.entity.js';
import { RECURRING_SUMS } from './modules/recurring/sums/recurring-sums.js';
import { RecurringPaymentEntity } from './modules/recurring/recurring-payment.entity.js';
import {
  LedgerArrivalEntity,
  LedgerRevisionEntity,
} from './modules/transactions/revisions/ledger-revision.entity.js';
import { KEPT_SUMS } from './modules/transactions/sums/kept-sums.repository.js';
import {
  TRACKING_SUMS,
  TrackingValueEntity,
} from './modules/transactions/sums/tracking/tracking-sums.js';
import { PayoutItemEntity } from './modules/transactions/payout-item.entity.js';
import { TransactionEntity } from './modules/transactions/transaction.entity.js';

/** All tables of the service. The tests compare the migrations with them. */
export const ENTITIES = [
  UserEntity,
  VendorAffiliateEntity,
  VendorUserEntity,
  UserPasswordEntity,
  PasswordLinkEntity,
  SessionEntity,
  TwoFactorEntity,
  RecoveryCodeEntity,
  TwoFactorRequirementEntity,
  SignInNetworkEntity,
  ApiApplicationEntity,
  ApiKeyEntity,
  ProductEntity,
  AffiliateTermsEntity,
  DailyClicksEntity,
  RecurringPaymentEntity,
  RECURRING_SUMS.entity,
  ChangedRecordEntity,
  WebhookEndpointEntity,
  WebhookDeliveryEntity,
  UpstreamEntity,
  UpstreamReadEntity,
  UpstreamProblemEntity,
  TransactionEntity,
  PayoutItemEntity,
  LedgerRevisionEntity,
  LedgerArrivalEntity,
  ...KEPT_SUMS.map(({ entity }) => entity),
  TrackingValueEntity,
  TRACKING_SUMS.entity,
  AuditEntryEntity,
  PersonalReadEntity,
  RetentionRuleEntity,
  RetainedLedgerEntity,
  RecurringCancelEntity,
  ErasedPersonEntity,
  PersonKeyEntity,
  ErasureFileEntity,
  OpenImportEntity,
  EarlyErasuresEntity,
] as const;
