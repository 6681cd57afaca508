import { Ledger1763700000000 } from './1763700000000-ledger.js';
import { AuditLog1763800000000 } from './1763800000000-audit-log.js';
import { RecurringCancels1763900000000 } from './1763900000000-recurring-cancels.js';
import { AffiliateSales1764000000000 } from './1764000000000-affiliate-sales.js';
import { LongestRefundDays1764100000000 } from './1764100000000-longest-refund-days.js';
import { KeyLife1764200000000 } from './1764200000000-key-life.js';
import { ReportSums1764300000000 } from './1764300000000-report-sums.js';
import { SignIn1764400000000 } from './1764400000000-sign-in.js';
import { BuyersProcessorEmail1764500000000 } from './1764500000000-buyers-processor-email.js';
import { OverruledFields1764600000000 } from './1764600000000-overruled-fields.js';
import { CancelRetries1764700000000 } from './1764700000000-cancel-retries.js';
import { PasswordIds1764800000000 } from './1764800000000-password-ids.js';
import { KeysShown1764900000000 } from './1764900000000-keys-shown.js';
import { RenderedTransactions1765000000000 } from './1765000000000-rendered-transactions.js';
import { ApplicationAccess1765100000000 } from './1765100000000-application-access.js';
import { RecordVersions1765200000000 } from './1765200000000-record-versions.js';
import { ArrivalOfEachVendor1765300000000 } from './1765300000000-arrival-of-each-vendor.js';
import { UsersOfSources1765400000000 } from './1765400000000-users-of-sources.js';
import { Changes1765500000000 } from './1765500000000-changes.js';
import { Webhooks1765600000000 } from './1765600000000-webhooks.js';
import { Upstreams1765700000000 } from './1765700000000-upstreams.js';
import { PaymentsOfAgreements1765800000000 } from './1765800000000-payments-of-agreements.js';
import { CustomersIndex1765900000000 } from './1765900000000-customers-index.js';
import { RefundCohorts1766000000000 } from './1766000000000-refund-cohorts.js';
import { UnpaidCommissions1766100000000 } from './1766100000000-unpaid-commissions.js';
import { RecurringLists1766150000000 } from './1766150000000-recurring-lists.js';
import { TrackingSums1766200000000 } from './1766200000000-tracking-sums.js';
import { TrackingYears1766250000000 } from './1766250000000-tracking-years.js';
import { ErasedPeople1766300000000 } from './1766300000000-erased-people.js';
import { Retention1766350000000 } from './1766350000000-retention.js';
import { PersonalReads1766400000000 } from './1766400000000-personal-reads.js';
import { PasswordLinks1766500000000 } from './1766500000000-password-links.js';
import { TwoFactor1766600000000 } from './1766600000000-two-factor.js';
import { SparseIndexes1766700000000 } from './1766700000000-sparse-indexes.js';
import { InternationalEmails1766790000000 } from './1766790000000-international-emails.js';
import { PartialRefunds1766800000000 } from './1766800000000-partial-refunds.js';
import { NotifiedSales1766860000000 } from './1766860000000-notified-sales.js';
import { PaymentRounds1766870000000 } from './1766870000000-payment-rounds.js';
import { UpstreamProblems1766880000000 } from './1766880000000-upstream-problems.js';
import { RecurringTexts1766900000000 } from './1766900000000-recurring-texts.js';
import { UsersOfVendors1766950000000 } from './1766950000000-users-of-vendors.js';
import { AffiliatesOfVendors1767000000000 } from './1767000000000-affiliates-of-vendors.js';
import { ProvisionalRecords1767200000000 } from './1767200000000-provisional-records.js';
import { ErasureFiles1767300000000 } from './1767300000000-erasure-files.js';
import { FoldedEmails1767400000000 } from './1767400000000-folded-emails.js';
import { FailingDeliveries1767500000000 } from './1767500000000-failing-deliveries.js';

/** All migrations in their order. A released migration is never changed. */
export const MIGRATIONS = [
  Ledger1763700000000,
  AuditLog1763800000000,
  RecurringCancels1763900000000,
  AffiliateSales1764000000000,
  LongestRefundDays1764100000000,
  KeyLife1764200000000,
  ReportSums1764300000000,
  SignIn1764400000000,
  BuyersProcessorEmail1764500000000,
  OverruledFields1764600000000,
  CancelRetries1764700000000,
  PasswordIds1764800000000,
  KeysShown1764900000000,
  RenderedTransactions1765000000000,
  ApplicationAccess1765100000000,
  RecordVersions1765200000000,
  ArrivalOfEachVendor1765300000000,
  UsersOfSources1765400000000,
  Changes1765500000000,
  Webhooks1765600000000,
  Upstreams1765700000000,
  PaymentsOfAgreements1765800000000,
  CustomersIndex1765900000000,
  RefundCohorts1766000000000,
  UnpaidCommissions1766100000000,
  RecurringLists1766150000000,
  TrackingSums1766200000000,
  TrackingYears1766250000000,
  ErasedPeople1766300000000,
  Retention1766350000000,
  PersonalReads1766400000000,
  PasswordLinks1766500000000,
  TwoFactor1766600000000,
  SparseIndexes1766700000000,
  InternationalEmails1766790000000,
  PartialRefunds1766800000000,
  NotifiedSales1766860000000,
  PaymentRounds1766870000000,
  UpstreamProblems1766880000000,
  RecurringTexts1766900000000,
  UsersOfVendors1766950000000,
  AffiliatesOfVendors1767000000000,
  ProvisionalRecords1767200000000,
  ErasureFiles1767300000000,
  FoldedEmails1767400000000,
  FailingDeliveries1767500000000,
] as const;
