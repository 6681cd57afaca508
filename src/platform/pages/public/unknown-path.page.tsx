import {
  type ErrorRequestHandler,
  type Request,
  type RequestHandler,
  type Response,
  Router,
} from 'express';
import { ApiError } from '../../../api/errors/api-error.js';
import { setFailure } from '../../../api/errors/catalogue.js';
import { pageSecurityHeaders } from '../../../api/edge/security-headers.js';
import { isForPrograms } from '../../../api/versions/api-versions.js';
import { methodsAt } from '../../../api/versions/operations.js';
import type { AddressLimits } from '../../limits/limiter.js';
import { REPORTS_PATH, SIGN_IN_PATH } from '../paths.js';
import { StrangersHeader } from '../frame/header.view.js';
import { Document, renderDocument } from '../frame/layout.view.js';
import { isRead, wantsHtml } from './browser.js';

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
 * @param basePath path of PUBLIC_URL; empty for the root
 */
export function unknownPaths(
  limits: AddressLimits,
  basePath: string,
): [RequestHandler, ErrorRequestHandler] {
  const pages = pagesOfUnknownPaths(basePath);
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

function pagesOfUnknownPaths(basePath: string): Router {
  const html = renderNotFound(basePath);
  const router = Router({ caseSensitive: true });
  router.use((_request, response, next) => {
    response.vary('Accept');
    next();
  });
  for (const [path, page] of Object.entries(EXPECTED)) {
    router.get(path, (_request, response) => {
      response.redirect(SEE_OTHER, basePath + page);
    });
  }
  router.use(...pageSecurityHeaders(), (_request: Request, response: Response) => {
    setFailure(response, 'not_found');
    response.type('html').send(html);
  });
  return router;
}

function renderNotFound(basePath: string): string {
  return renderDocument(
    <Document title="Page not found">
      <StrangersHeader path="" />
      <main id="content">
        <h1>Page not found</h1>
        <p>There is no page at this address. It may be mistyped, or from an old link.</p>
        <ul>
          <li>
            <a href={REPORTS_PATH}>Your reports</a>
          </li>
          <li>
            <a href="/docs/guide">Guide</a> and <a href="/docs">API reference</a>
          </li>
          <li>
            <a href="/">Home page</a>
          </li>
        </ul>
      </main>
    </Document>,
    basePath,
  );
}
