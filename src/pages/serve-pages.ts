import type { NestExpressApplication } from '@nestjs/platform-express';
import { Router, type Express } from 'express';
import { AddressLimits } from '../access/limits/address-limits.js';
import { isApiPath } from '../common/api-versions.js';
import { documentRouter } from '../openapi/serve-documents.js';
import { ApplicationPages } from './applications/applications.pages.js';
import { referenceRouter } from './reference/reference.pages.js';
import { ReportPages } from './reports/reports.pages.js';
import { SecurityPages } from './security/security.pages.js';
import { assetRouter } from './ui/assets.js';
import { PageRouter } from './http/page-router.js';
import { SignInPages } from './sign-in/sign-in.pages.js';
import { startPage } from './start/start.page.js';

/** The parts of the account; each adds its pages. */
const PARTS = [SignInPages, ReportPages, ApplicationPages, SecurityPages];

/**
 * Answers what is meant for people, and the documents that describe the interface. Every controller
 * stands behind the guard of the API keys, without exception (docs/adr/0014-pages-outside-the-api.md), so these are routers of
 * Express; a request of the interface passes them all by one look at its path.
 */
export function servePages(app: NestExpressApplication): void {
  const express: Express = app.getHttpAdapter().getInstance();
  const router = pagesRouter(app);
  express.use((request, response, next) => {
    if (isApiPath(request.path)) next();
    else router(request, response, next);
  });
}

/** Every path of the pages and of what they load. */
export function pagesRouter(app: NestExpressApplication): Router {
  const limits = app.get(AddressLimits);
  const router = Router({ caseSensitive: true });
  // Of a path that has a GET alone, Express answers OPTIONS by itself, and without an envelope.
  router.all('/', startPage(limits));
  router.use('/assets', assetRouter(limits));
  router.use('/openapi', documentRouter(limits));
  router.use('/docs', referenceRouter(limits));
  router.use(
    '/account',
    app.get(PageRouter).of(PARTS.map((part) => app.get<InstanceType<typeof part>>(part))),
  );
  return router;
}
