import { Logger } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { AppModule } from '../app.module.js';
import { EnvelopeInterceptor } from '../api/envelope/rendered-answer.js';
import { ApiErrorFilter, ErrorAnswers } from '../api/errors/api-error.filter.js';
import { ServiceLogger } from '../platform/observability/service-logger.js';
import { ParametersPipe } from '../api/validation/parameters.pipe.js';
import type { Settings } from '../config/settings.js';
import { PersonalReadsInterceptor } from '../modules/privacy/index.js';
import { servePages } from '../platform/pages/serve-pages.js';
import { RequestObserver } from '../platform/observability/request-observer.js';
import { PersonalReads } from '../api/access/personal-reads.js';
import { ChangesModule } from '../ledger/changes/changes.module.js';
import { scopedRequests } from '../api/access/scoped-requests.js';
import { PersonalTables } from '../platform/database/extensions/personal-scope.js';
import { AllFaultsInterceptor } from '../api/versions/all-faults.interceptor.js';
import { RequestBodyInterceptor } from '../api/edge/request-body.interceptor.js';
import type { LoadedExtension } from '../feature.js';
import { usingExtension } from '../platform/errors/extension-error.js';
import { creatingParts } from './extensions/creating-parts.js';
import { loadFeatures, loadPages } from './installed-features.js';
import { belowBasePath, prepareRequest } from '../api/edge/prepare-request.js';
import { securityHeaders } from '../api/edge/security-headers.js';
import { ServiceAdapter } from '../api/server/service-adapter.js';

/**
 * Creates the HTTP service, ready to listen; also used by the tests.
 * @throws StartError if an extension or a check prevents the start; the app is then closed
 */
export async function createApp(
  settings: Settings,
  extensions: readonly LoadedExtension[] = [],
): Promise<NestExpressApplication> {
  const features = await loadFeatures(extensions);
  const pages = await loadPages(extensions);
  const create = () =>
    NestFactory.create<NestExpressApplication>(
      AppModule.of(settings, features, pages),
      new ServiceAdapter(settings.transport),
      {
        logger: new ServiceLogger(settings),
        bodyParser: false,
        abortOnError: false,
        // The catch-all route comes last, whatever the order of the modules.
        routeResolutionStrategy: 'specificity',
        routeConflictPolicy: { duplicate: 'error' },
      },
    );
  const app = await creatingParts(features.extensions, create, pages);
  try {
    configure(app, settings);
    for (const check of features.checks) {
      const owner = features.extensions.find(({ parts }) => parts.checks.includes(check));
      const work = () => app.get(check).check();
      if (owner === undefined) await work();
      else await usingExtension(owner.declaration.name, `the check ${check.name}`, work);
    }
  } catch (error) {
    await app.close();
    throw error;
  }
  // Jobs run until the process stops, whether or not it receives requests.
  for (const job of features.jobs) app.get(job).start();
  return app;
}

/** Adds the pages, and what every request passes. */
function configure(app: NestExpressApplication, settings: Settings): void {
  app.use(
    belowBasePath(settings.basePath),
    app.get(RequestObserver).middleware,
    securityHeaders(),
    prepareRequest(settings.transport),
  );
  const tables = app.get(PersonalTables);
  if (!tables.isEmpty) app.use(scopedRequests(tables));
  servePages(app);
  app.enableVersioning();
  const parameters = new ParametersPipe(app.get(ChangesModule).queries);
  app.useGlobalPipes(parameters);
  app.useGlobalInterceptors(
    new EnvelopeInterceptor(),
    new RequestBodyInterceptor(),
    new AllFaultsInterceptor(parameters),
  );
  if (app.get(PersonalReads).isOn) app.useGlobalInterceptors(app.get(PersonalReadsInterceptor));
  const errors = new ErrorAnswers(new Logger(ApiErrorFilter.name));
  app.useGlobalFilters(new ApiErrorFilter(errors));
}
