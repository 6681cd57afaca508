import type { Request } from 'express';

/** True for a browser that opens a page. A client that accepts everything does not ask for one. */
export function wantsHtml(request: Request): boolean {
  return /\btext\/html\b/.test(request.get('Accept') ?? '');
}
