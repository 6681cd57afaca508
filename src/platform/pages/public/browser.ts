import type { Request } from 'express';

/** Returns true for a request that changes nothing. */
export function isRead({ method }: Request): boolean {
  return method === 'GET' || method === 'HEAD';
}

/**
 * Returns true for a browser that opens a page. A client that accepts any type, or rejects HTML
 * with the quality 0, does not request HTML.
 */
export function wantsHtml(request: Request): boolean {
  return (request.get('Accept') ?? '').split(',').some((range) => {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    return type === 'text/html' && !parameters.some((each) => REJECTED.test(each));
  });
}

/** Matches the quality 0 of a media type, which excludes it (RFC 9110, section 12.4.2). */
const REJECTED = /^q\s*=\s*0(?:\.0*)?$/;
