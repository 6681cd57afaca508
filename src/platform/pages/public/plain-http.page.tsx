import type { ErrorRequestHandler } from 'express';
import { isApiPath } from '../../../api/versions/api-versions.js';
import { setFailure } from '../../../api/errors/catalogue.js';
import { PlainHttpError } from '../../../api/edge/plain-http.js';
import { renderDocument } from '../ui/layout.view.js';
import { wantsHtml } from './home.page.js';

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
