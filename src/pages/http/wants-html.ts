import type { Request } from 'express';

/**
 * Returns true for a browser that opens a page. A client that accepts any type does not request
 * HTML.
 */
export function wantsHtml(request: Request): boolean {
  return /\btext\/html\b/.test(request.get('Accept') ?? '');
}
