import { Module } from '@nestjs/common';
import { AnswerMemoryModule } from '../answer-memory/answer-memory.module.js';
import { LimitsModule } from '../access/limits/limits.module.js';
import { AccountsModule } from '../modules/accounts/accounts.module.js';
import { AffiliatesModule } from '../modules/affiliates/affiliates.module.js';
import { ExportsModule } from '../modules/exports/exports.module.js';
import { PeopleModule } from '../modules/people/people.module.js';
import { PersonalReadsModule } from '../modules/personal-reads/personal-reads.module.js';
import { ProductsModule } from '../modules/products/products.module.js';
import { RecurringModule } from '../modules/recurring/recurring.module.js';
import { ReportsModule } from '../modules/reports/reports.module.js';
import { RetentionModule } from '../modules/retention/retention.module.js';
import { TransactionsModule } from '../modules/transactions/transactions.module.js';
import { UpstreamsModule } from '../modules/upstreams/upstreams.module.js';
import { WebhooksModule } from '../modules/webhooks/webhooks.module.js';
import { AffiliatePages } from './affiliates/affiliate.pages.js';
import { AffiliatesPages } from './affiliates/affiliates.pages.js';
import { TermsPages } from './affiliates/terms.pages.js';
import { ApplicationPages } from './applications/applications.pages.js';
import { PasswordConfirmation } from './resource/password-confirmation.js';
import { DataProtectionPages } from './data-protection/data-protection.pages.js';
import { PageRouter } from './http/page-router.js';
import { PeoplePages } from './people/people.pages.js';
import { CohortPages } from './reports/cohorts.pages.js';
import { TransactionListPages } from './transactions/list.pages.js';
import { ReportPages } from './reports/report.pages.js';
import { TrackingPages } from './reports/tracking.pages.js';
import { SearchPages } from './search/search.pages.js';
import { SecurityPages } from './security/security.pages.js';
import { TwoFactorPages } from './security/two-factor.pages.js';
import { BrowserSessions } from './session/browser-sessions.js';
import { KnownBrowsers } from './session/known-browsers.js';
import { PasswordLinkPages } from './sign-in/password-link.pages.js';
import { SignInPages } from './sign-in/sign-in.pages.js';
import { SubscriptionPages } from './subscriptions/subscriptions.pages.js';
import { TransactionPages } from './transactions/transactions.pages.js';
import { UpstreamPages } from './upstreams/upstream.pages.js';
import { WebhookPages } from './webhooks/webhooks.pages.js';

/** The account pages; the first one with a path serves it. */
export const PAGES = [
  SignInPages,
  PasswordLinkPages,
  ReportPages,
  TransactionListPages,
  CohortPages,
  TransactionPages,
  AffiliatesPages,
  AffiliatePages,
  TermsPages,
  SubscriptionPages,
  TrackingPages,
  SearchPages,
  PeoplePages,
  ApplicationPages,
  WebhookPages,
  UpstreamPages,
  SecurityPages,
  TwoFactorPages,
  DataProtectionPages,
];

@Module({
  imports: [
    AnswerMemoryModule,
    AccountsModule,
    AffiliatesModule,
    ProductsModule,
    ExportsModule,
    LimitsModule,
    PeopleModule,
    PersonalReadsModule,
    RecurringModule,
    ReportsModule,
    RetentionModule,
    TransactionsModule,
    UpstreamsModule,
    WebhooksModule,
  ],
  providers: [PageRouter, BrowserSessions, KnownBrowsers, PasswordConfirmation, ...PAGES],
})
export class PagesModule {}
