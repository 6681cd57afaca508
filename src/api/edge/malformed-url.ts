import type { Request } from 'express';
import { ApiError } from '../errors/api-error.js';

const malformed = new WeakSet<Request>();

/**
 * Escapes a URL whose percent-encoding is malformed, so that the router accepts it. It is rejected
 * after the guards, so that a request without a key gets 401.
 */
export function escapeMalformedUrl(request: Request): void {
  try {
    // Path and query are later decoded in the same way, except for plus signs.
    decodeURIComponent(request.url);
  } catch {
    malformed.add(request);
    request.url = request.url.replaceAll('%', '%25');
  }
}

export function isMalformedUrl(request: Request): boolean {
  return malformed.has(request);
}

/**
 * Rejects a URL whose percent-encoding is malformed.
 * @throws ApiError bad_request
 */
export function rejectMalformedUrl(request: Request): void {
  if (!isMalformedUrl(request)) return;
  throw new ApiError('bad_request', 'The percent-encoding of the URL is malformed.');
}
