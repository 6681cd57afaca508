import type { NestExpressApplication } from '@nestjs/platform-express';
import { Router, type Express } from 'express';
import { AddressLimits } from '../access/limits/address-limits.js';
import { Settings } from '../config/settings.js';
import { isApiPath } from '../common/api-versions.js';
import { documentRouter } from '../openapi/serve-documents.js';
import { AffiliatePages } from './affiliates/affiliates.pages.js';
import { ApplicationPages } from './applications/applications.pages.js';
import { DataProtectionPages } from './data-protection/data-protection.pages.js';
import { referenceRouter } from './reference/reference.pages.js';
import { CohortPages } from './reports/cohorts/cohorts.pages.js';
import { ReportPages } from './reports/reports.pages.js';
import { SearchPages } from './search/search.pages.js';
import { PeoplePages } from './people/people.pages.js';
import { SecurityPages } from './security/security.pages.js';
import { TwoFactorPages } from './security/two-factor/two-factor.pages.js';
import { TrackingPages } from './tracking/tracking.pages.js';
import { SubscriptionPages } from './subscriptions/subscriptions.pages.js';
import { assetRouter } from './ui/assets.js';
import { PageRouter } from './http/page-router.js';
import { PasswordLinkPages } from './password-links/password-link.pages.js';
import { CodePages } from './sign-in/code.pages.js';
import { SignInPages } from './sign-in/sign-in.pages.js';
import { TransactionPages } from './transactions/transactions.pages.js';
import { TermsPages } from './affiliates/terms.pages.js';
import { UpstreamPages } from './upstreams/upstreams.pages.js';
import { WebhookPages } from './webhooks/webhooks.pages.js';
import { homePage } from './home/home.page.js';
import { plainHttpPage } from './plain-http/plain-http.page.js';

const PARTS = [
  SignInPages,
  CodePages,
  PasswordLinkPages,
  ReportPages,
  CohortPages,
  TransactionPages,
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

/**
 * Adds the pages and the OpenAPI documents. They are Express routers, because every controller is
 * behind the API key guard (docs/adr/0014-pages-outside-the-api.md). API requests skip them.
 */
export function servePages(app: NestExpressApplication): void {
  const express: Express = app.getHttpAdapter().getInstance();
  const router = pagesRouter(app);
  express.use((request, response, next) => {
    if (isApiPath(request.path)) next();
    else router(request, response, next);
  });
  express.use(plainHttpPage);
}

export function pagesRouter(app: NestExpressApplication): Router {
  const limits = app.get(AddressLimits);
  const settings = app.get(Settings);
  const router = Router({ caseSensitive: true });
  // `all` instead of `get`, because Express would otherwise answer OPTIONS itself, without the
  // error format of the API.
  router.all('/', homePage(limits, settings.basePath));
  router.use('/assets', assetRouter(limits));
  router.use('/openapi', documentRouter(limits, settings));
  router.use('/docs', referenceRouter(limits, settings.basePath));
  router.use(
    '/account',
    app.get(PageRouter).of(PARTS.map((part) => app.get<InstanceType<typeof part>>(part))),
  );
  return router;
}
