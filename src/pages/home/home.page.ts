import type { RequestHandler } from 'express';
import type { AddressLimits } from '../../access/limits/address-limits.js';
import { pageSecurityHeaders } from '../../server/middleware/security-headers.js';
import { wantsHtml } from '../http/wants-html.js';
import { renderHome } from './home.view.js';

const METHODS = ['GET', 'HEAD'];

/**
 * Serves the home page to browsers. For any other client, `/` is an unknown path of the API.
 * @param basePath path of PUBLIC_URL; empty for the root
 */
export function homePage(limits: AddressLimits, basePath: string): RequestHandler[] {
  const html = renderHome(basePath);
  const isForBrowsers: RequestHandler = async (request, response, next) => {
    const isRead = METHODS.includes(request.method);
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
