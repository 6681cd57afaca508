import type { NestExpressApplication } from '@nestjs/platform-express';
import { Router, type Express } from 'express';
import { AddressLimits } from '../limits/limiter.js';
import { Settings } from '../../config/settings.js';
import { publicFiles } from '../../api/edge/public-file.js';
import { isApiPath } from '../../api/versions/api-versions.js';
import { ApiDocuments } from '../openapi/api-documents.js';
import { documentRouter } from '../openapi/serve-documents.js';
import { homePage, plainHttpPage } from './public/home.page.js';
import { PageRouter } from './page-router.js';
import { llmsRouter, referenceRouter } from './public/reference.page.js';
import { unknownPaths } from './public/unknown-path.page.js';
import { assetRouter, rootFiles } from './frame/assets.js';

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
  express.use(unknownPaths(app.get(AddressLimits), app.get(PageRouter)), plainHttpPage);
}

export function pagesRouter(app: NestExpressApplication): Router {
  const limits = app.get(AddressLimits);
  const settings = app.get(Settings);
  const extensions = app.get(ApiDocuments).ofExtensions();
  const pages = app.get(PageRouter);
  const router = Router({ caseSensitive: true });
  // `all` instead of `get`, because Express would otherwise answer OPTIONS itself, without the
  // error format of the API.
  router.all('/', homePage(limits, pages));
  router.use('/assets', assetRouter(limits));
  router.use('/openapi', documentRouter(limits, settings, extensions));
  router.use('/docs', referenceRouter(limits, pages, extensions));
  router.use('/llms.txt', llmsRouter(limits, settings.basePath));
  for (const [path, file] of rootFiles()) {
    router.use(path, publicFiles(limits, new Map([['/', file]])));
  }
  router.use('/account', pages.router());
  return router;
}
