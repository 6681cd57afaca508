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
import { VendorAffiliateEntity } from './modules/accounts/seen/vendor-affiliate.entity.js';
import { VendorUserEntity } from './modules/accounts/seen/vendor-user.entity.js';
import { UserEntity } from './modules/accounts/user.entity.js';
import { UserPasswordEntity } from './modules/accounts/passwords/user-password.entity.js';
import { AffiliationEntity, DailyClicksEntity } from './modules/affiliates/affiliation.entity.js';
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
import { RecurringSumsEntity } from './modules/recurring/sums/recurring-sums.entity.js';
import { RecurringPaymentEntity } from './modules/recurring/recurring-payment.entity.js';
import {
  LedgerArrivalEntity,
  LedgerRevisionEntity,
  RefundCountEntity,
  SaleCountEntity,
} from './modules/transactions/sums/ledger-count.entity.js';
import { AffiliateSalesEntity } from './modules/transactions/sums/affiliate-sales/affiliate-sales.entity.js';
import {
  AffiliateDaySumsEntity,
  VendorSumsEntity,
} from './modules/transactions/sums/report-sums.entity.js';
import { RefundCohortsEntity } from './modules/transactions/sums/refund-cohorts/refund-cohorts.entity.js';
import { UnpaidCommissionsEntity } from './modules/transactions/sums/unpaid-commissions/unpaid-commissions.entity.js';
import {
  TrackingSumsEntity,
  TrackingValueEntity,
} from './modules/transactions/sums/tracking/tracking.entity.js';
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
  AffiliationEntity,
  DailyClicksEntity,
  RecurringPaymentEntity,
  RecurringSumsEntity,
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
  SaleCountEntity,
  RefundCountEntity,
  AffiliateSalesEntity,
  VendorSumsEntity,
  AffiliateDaySumsEntity,
  RefundCohortsEntity,
  UnpaidCommissionsEntity,
  TrackingValueEntity,
  TrackingSumsEntity,
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
