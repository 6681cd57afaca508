import type { RequestHandler } from 'express';
import type { AddressLimits } from '../../access/limits/address-limits.js';
import { pageSecurityHeaders } from '../../server/middleware/security-headers.js';
import { renderStart } from './start.view.js';

const METHODS = ['GET', 'HEAD'];

/**
 * Tells a browser what this is. Any other client asks for a path that the interface does not have, and
 * is answered so.
 */
export function startPage(limits: AddressLimits): RequestHandler[] {
  const html = renderStart();
  const isForBrowsers: RequestHandler = async (request, response, next) => {
    if (!METHODS.includes(request.method)) {
      next('route');
      return;
    }
    response.vary('Accept');
    // A client that takes anything did not ask for a page.
    if (!/\btext\/html\b/.test(request.get('Accept') ?? '')) {
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
