import type { RequestHandler } from 'express';
import {
  contentSecurityPolicy,
  crossOriginOpenerPolicy,
  referrerPolicy,
  strictTransportSecurity,
  xContentTypeOptions,
} from 'helmet';

/** No cache may store a response; clients may still keep it with its ETag. */
export const CACHE_CONTROL = 'private, no-store';

export function securityHeaders(): RequestHandler {
  const headers = [
    contentSecurityPolicy({
      useDefaults: false,
      directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
    }),
    // Clients ignore this header over plain HTTP (RFC 6797, 8.1).
    strictTransportSecurity({ includeSubDomains: false }),
    xContentTypeOptions(),
    referrerPolicy(),
  ];
  return (request, response, next) => {
    response.setHeader('Cache-Control', CACHE_CONTROL);
    // Each function sets its header synchronously, so one router step is enough for all.
    for (const setHeader of headers) setHeader(request, response, () => undefined);
    next();
  };
}

/**
 * Lets a page load files only from this server, and send forms only to it. Inline scripts and
 * styles are blocked, so hostile text cannot run as code.
 * @param images further sources of images
 */
export function pageSecurityHeaders(images: readonly 'data:'[] = []): RequestHandler[] {
  return [
    contentSecurityPolicy({
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        baseUri: ["'none'"],
        frameAncestors: ["'none'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'"],
        imgSrc: ["'self'", ...images],
        fontSrc: ["'self'"],
        connectSrc: ["'self'"],
        formAction: ["'self'"],
      },
    }),
    crossOriginOpenerPolicy(),
  ];
}
