import type { RequestHandler, ErrorRequestHandler } from 'express';
import type { VNode } from 'preact';
import type { AddressLimits } from '../../limits/limiter.js';
import { API_VERSIONS, titleOf, VERSIONS, isApiPath } from '../../../api/versions/api-versions.js';
import { documentPath, postmanPath } from '../../openapi/serve-documents.js';
import { pageSecurityHeaders } from '../../../api/edge/security-headers.js';
import { Actions } from '../ui/facts.view.js';
import { Document, renderDocument } from '../frame/layout.view.js';
import { PublicPage, type Visitors } from './public-page.js';
import { setFailure } from '../../../api/errors/catalogue.js';
import { PlainHttpError } from '../../../api/edge/prepare-request.js';
import { isRead, wantsHtml } from './browser.js';

/**
 * Serves the home page to browsers. For any other client, `/` is an unknown path of the API.
 */
export function homePage(limits: AddressLimits, visitors: Visitors): RequestHandler[] {
  // A cache must not store it, because other clients get another answer at this path.
  const page = new PublicPage('/', homeDocument, visitors, {});
  const isForBrowsers: RequestHandler = async (request, response, next) => {
    const isOpened = isRead(request);
    if (isOpened) response.vary('Accept');
    if (!isOpened || !wantsHtml(request)) {
      next('route');
      return;
    }
    await limits.take(request);
    next();
  };
  return [
    isForBrowsers,
    ...pageSecurityHeaders(),
    (request, response) => page.send(request, response),
  ];
}

function homeDocument(header: VNode): VNode {
  return (
    <Document title="Home">
      {header}
      <main id="content">
        <h1>Transactions and affiliates, correct to the cent</h1>
        <p class="lead">
          Reports for vendors of digital products: transactions with payout splits and refunds,
          affiliates, products and recurring payments, as a JSON API and as web pages.
        </p>
        <Actions>
          <a class="button" href="/account">
            Open your account
          </a>
          <a class="button quiet" href="/docs/guide">
            Read the guide
          </a>
        </Actions>
        <ul class="cards">
          <li class="card">
            <h2>
              <a href="/account">Your account</a>
            </h2>
            <p>Reports for any range, CSV downloads, API applications and their keys.</p>
          </li>
          <li class="card">
            <h2>
              <a href="/docs/guide">Guide</a>
            </h2>
            <p>From the first call to reading new data, in curl, JavaScript, Python and PHP.</p>
          </li>
          <li class="card">
            <h2>
              <a href="/docs">API reference</a>
            </h2>
            <p>Every operation with its parameters and responses. Try them with your key.</p>
          </li>
        </ul>
        <p class="hint">
          OpenAPI documents and Postman collections:{' '}
          {VERSIONS.map((version, at) => (
            <>
              {at > 0 && ' · '}
              <a href={documentPath(version)}>{titleOf(version)}</a>, {API_VERSIONS[version].status}{' '}
              (<a href={postmanPath(version)}>Postman</a>)
            </>
          ))}
        </p>
      </main>
    </Document>
  );
}

/**
 * Shows browsers an HTML page saying that HTTPS is required. All other clients get the error format
 * of the API.
 */
export const plainHttpPage: ErrorRequestHandler = (error: unknown, request, response, next) => {
  const isOfPage = error instanceof PlainHttpError && !isApiPath(request.path);
  if (isOfPage) response.vary('Accept');
  if (!isOfPage || !wantsHtml(request)) {
    next(error);
    return;
  }
  setFailure(response, error.failure);
  response.type('html').send(renderPlainHttp(error.detail ?? ''));
};

/**
 * Renders a page without styles and links, because no other file is sent over plain HTTP either.
 */
function renderPlainHttp(detail: string): string {
  return renderDocument(
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>Use HTTPS · Vendor Reporting API</title>
      </head>
      <body>
        <main>
          <h1>Use HTTPS</h1>
          <p>{detail}</p>
          <p>
            If the address begins with https:// already, ask the operator of this service. The proxy
            in front of it must send the header <code>X-Forwarded-Proto</code> and be listed in{' '}
            <code>TRUST_PROXY</code>.
          </p>
        </main>
      </body>
    </html>,
    '',
  );
}
