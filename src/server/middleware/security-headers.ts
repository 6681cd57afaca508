import type { RequestHandler } from 'express';
import {
  contentSecurityPolicy,
  crossOriginOpenerPolicy,
  referrerPolicy,
  strictTransportSecurity,
  xContentTypeOptions,
} from 'helmet';

/** What an answer may be kept by: a client's own memory of an ETag aside, by nobody. */
export const CACHE_CONTROL = 'private, no-store';

/** Tells browsers, and caches on the way, what they may do with an answer: nothing. */
export function securityHeaders(): RequestHandler {
  const headers = [
    contentSecurityPolicy({
      useDefaults: false,
      directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
    }),
    // Ignored by clients where the answer came over plain HTTP (RFC 6797, 8.1).
    strictTransportSecurity({ includeSubDomains: false }),
    xContentTypeOptions(),
    referrerPolicy(),
  ];
  return (request, response, next) => {
    response.setHeader('Cache-Control', CACHE_CONTROL);
    // Each sets a header and is done: one step of the router is enough for all.
    for (const setHeader of headers) setHeader(request, response, () => undefined);
    next();
  };
}

/**
 * What a page may do: load what this server itself sends, send forms to it, and nothing else. Nothing
 * that stands in a page is run or styles it, so that a hostile text is a text.
 * @param images where from, beside this server
 */
export function pageSecurityHeaders(images: readonly 'data:'[] = []): RequestHandler[] {
  return [
    contentSecurityPolicy({
      useDefaults: false,
      directives: {
        ...{ defaultSrc: ["'none'"], baseUri: ["'none'"], frameAncestors: ["'none'"] },
        ...{ scriptSrc: ["'self'"], styleSrc: ["'self'"], imgSrc: ["'self'", ...images] },
        ...{ connectSrc: ["'self'"], formAction: ["'self'"] },
      },
    }),
    crossOriginOpenerPolicy(),
  ];
}
