import {
  type ErrorRequestHandler,
  type Request,
  type RequestHandler,
  type Response,
  Router,
} from 'express';
import type { VNode } from 'preact';
import { ApiError } from '../../../api/errors/api-error.js';
import { setFailure } from '../../../api/errors/catalogue.js';
import { pageSecurityHeaders } from '../../../api/edge/security-headers.js';
import { isForPrograms } from '../../../api/versions/api-versions.js';
import { methodsAt } from '../../../api/versions/operations.js';
import type { AddressLimits } from '../../limits/limiter.js';
import { REPORTS_PATH, SIGN_IN_PATH } from '../paths.js';
import { Document } from '../frame/layout.view.js';
import { NotFound, shownAddress } from '../frame/not-found.view.js';
import { isRead, wantsHtml } from './browser.js';
import { OwnPart, PublicPage, type Visitors } from './public-page.js';

/** Addresses that people type, and the pages that they expect there. */
const EXPECTED: Readonly<Record<string, string>> = {
  '/login': SIGN_IN_PATH,
  '/signin': SIGN_IN_PATH,
  '/sign-in': SIGN_IN_PATH,
  '/reports': REPORTS_PATH,
};
/** A status that a browser follows with GET (RFC 9110, section 15.4.4). */
const SEE_OTHER = 303;

/**
 * Shows browsers a page where the path is unknown. The error for programs would have a challenge,
 * for which browsers ask for a password that no page has. The second handler is for public files
 * that do not exist.
 * @param visitors finds who is signed in, whose header the page has
 */
export function unknownPaths(
  limits: AddressLimits,
  visitors: Visitors,
): [RequestHandler, ErrorRequestHandler] {
  const pages = pagesOfUnknownPaths(visitors);
  return [
    async (request, response, next) => {
      if (!isUnknownToBrowser(request)) {
        next();
        return;
      }
      await limits.take(request);
      pages(request, response, next);
    },
    (error: unknown, request, response, next) => {
      const isUnknown = error instanceof ApiError && error.failure === 'not_found';
      if (isUnknown && isUnknownToBrowser(request)) pages(request, response, next);
      else next(error);
    },
  ];
}

/** Returns true if a browser opens a path that names no operation. */
function isUnknownToBrowser(request: Request): boolean {
  if (!isRead(request) || !wantsHtml(request) || isForPrograms(request.path)) return false;
  return methodsAt(request.app, request.path).length === 0;
}

function pagesOfUnknownPaths(visitors: Visitors): Router {
  const page = new PublicPage('', notFoundDocument, visitors, {});
  const { basePath } = visitors.settings;
  const router = Router({ caseSensitive: true });
  router.use((_request, response, next) => {
    response.vary('Accept');
    next();
  });
  for (const [path, expected] of Object.entries(EXPECTED)) {
    router.get(path, (_request, response) => {
      response.redirect(SEE_OTHER, basePath + expected);
    });
  }
  router.use(...pageSecurityHeaders(), async (request: Request, response: Response) => {
    setFailure(response, 'not_found');
    await page.send(request, response, <>{shownAddress(request)}</>);
  });
  return router;
}

function notFoundDocument(header: VNode, isSignedIn: boolean): VNode {
  return (
    <Document title="Page not found">
      {header}
      <main id="content">
        <div class="narrow card">
          <div class="page-head">
            <h1>Page not found</h1>
          </div>
          <NotFound address={<OwnPart />} detail={null} isSignedIn={isSignedIn} />
        </div>
      </main>
    </Document>
  );
}
