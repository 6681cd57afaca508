import { Module } from '@nestjs/common';
import { AnswerMemoryModule } from '../answer-memory/answer-memory.module.js';
import { LimitsModule } from '../access/limits/limits.module.js';
import { AccountsModule } from '../modules/accounts/accounts.module.js';
import { AffiliatesModule } from '../modules/affiliates/affiliates.module.js';
import { ProductsModule } from '../modules/products/products.module.js';
import { AffiliatePages } from './affiliates/affiliates.pages.js';
import { TermsPages } from './affiliates/terms.pages.js';
import { ApplicationPages } from './applications/applications.pages.js';
import { DataProtectionPages } from './data-protection/data-protection.pages.js';
import { PasswordConfirmation } from './confirm/password-confirmation.js';
import { ExportsModule } from '../modules/exports/exports.module.js';
import { PeopleModule } from '../modules/people/people.module.js';
import { PersonalReadsModule } from '../modules/personal-reads/personal-reads.module.js';
import { RecurringModule } from '../modules/recurring/recurring.module.js';
import { RetentionModule } from '../modules/retention/retention.module.js';
import { ReportsModule } from '../modules/reports/reports.module.js';
import { CohortPages } from './reports/cohorts/cohorts.pages.js';
import { ReportPages } from './reports/reports.pages.js';
import { SearchPages } from './search/search.pages.js';
import { PeoplePages } from './people/people.pages.js';
import { SecurityPages } from './security/security.pages.js';
import { RecentlyMade } from './security/recent/recently-made.js';
import { TwoFactorPages } from './security/two-factor/two-factor.pages.js';
import { TrackingPages } from './tracking/tracking.pages.js';
import { SubscriptionPages } from './subscriptions/subscriptions.pages.js';
import { TransactionsModule } from '../modules/transactions/transactions.module.js';
import { BrowserSessions } from './session/browser-sessions.js';
import { KnownBrowsers } from './session/known-browsers.js';
import { SessionList } from './session/session-list.js';
import { PageRouter } from './http/page-router.js';
import { WebhooksModule } from '../modules/webhooks/webhooks.module.js';
import { WebhookPages } from './webhooks/webhooks.pages.js';
import { UpstreamsModule } from '../modules/upstreams/upstreams.module.js';
import { UpstreamPages } from './upstreams/upstreams.pages.js';
import { TransactionPages } from './transactions/transactions.pages.js';
import { PasswordLinkPages } from './password-links/password-link.pages.js';
import { CodePages } from './sign-in/code.pages.js';
import { SignInPages } from './sign-in/sign-in.pages.js';

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
  providers: [
    PageRouter,
    BrowserSessions,
    KnownBrowsers,
    SessionList,
    PasswordConfirmation,
    SignInPages,
    CodePages,
    PasswordLinkPages,
    SecurityPages,
    TwoFactorPages,
    RecentlyMade,
    ReportPages,
    CohortPages,
    TransactionPages,
    TrackingPages,
    SubscriptionPages,
    AffiliatePages,
    TermsPages,
    SearchPages,
    PeoplePages,
    DataProtectionPages,
    ApplicationPages,
    WebhookPages,
    UpstreamPages,
  ],
})
export class PagesModule {}
