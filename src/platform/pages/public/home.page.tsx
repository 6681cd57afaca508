import type { Request, RequestHandler } from 'express';
import type { AddressLimits } from '../../limits/address-limits.js';
import { API_VERSIONS, titleOf, VERSIONS } from '../../../api/versions/api-versions.js';
import { documentPath, postmanPath } from '../../openapi/serve-documents.js';
import { pageSecurityHeaders } from '../../../api/edge/security-headers.js';
import { Document, renderDocument, SiteHead } from '../ui/layout.view.js';

/**
 * Returns true for a browser that opens a page. A client that accepts any type does not request
 * HTML.
 */
export function wantsHtml(request: Request): boolean {
  return /\btext\/html\b/.test(request.get('Accept') ?? '');
}

/**
 * Serves the home page to browsers. For any other client, `/` is an unknown path of the API.
 * @param basePath path of PUBLIC_URL; empty for the root
 */
export function homePage(limits: AddressLimits, basePath: string): RequestHandler[] {
  const html = renderHome(basePath);
  const isForBrowsers: RequestHandler = async (request, response, next) => {
    const isRead = ['GET', 'HEAD'].includes(request.method);
    if (isRead) response.vary('Accept');
    if (!isRead || !wantsHtml(request)) {
      next('route');
      return;
    }
    await limits.take(request);
    next();
  };
  return [
    isForBrowsers,
    ...pageSecurityHeaders(),
    (_request, response) => {
      response.type('html').send(html);
    },
  ];
}

function renderHome(basePath: string): string {
  return renderDocument(
    <Document title="Home">
      <SiteHead />
      <main id="content" class="start">
        <h1>Transactions and affiliates, correct to the cent</h1>
        <p class="lead">
          Reports for vendors of digital products: transactions with payout splits and refunds,
          affiliates, products and recurring payments, as a JSON API and as web pages.
        </p>
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
          <li class="card">
            <h2>OpenAPI</h2>
            <ul>
              {VERSIONS.map((version) => (
                <li>
                  <a href={documentPath(version)}>{titleOf(version)}</a>,{' '}
                  {API_VERSIONS[version].status} (<a href={postmanPath(version)}>Postman</a>)
                </li>
              ))}
            </ul>
          </li>
        </ul>
      </main>
    </Document>,
    basePath,
  );
}
