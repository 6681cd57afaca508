import type { Request } from 'express';
import { ApiError } from '../../common/errors/api-error.js';

const unreadable = new WeakSet<Request>();

/**
 * Lets an address whose percent-encoding is malformed take the way of all others, so that nobody
 * without a key is told of it (decisions: Order of the checks). The router, which would refuse it,
 * sees each percent sign as a character like any other.
 */
export function passOnUnreadable(request: Request): void {
  try {
    // A plus sign aside, which is no percent-encoding, this is how path and query are read later.
    decodeURIComponent(request.url);
  } catch {
    unreadable.add(request);
    request.url = request.url.replaceAll('%', '%25');
  }
}

export function isUnreadable(request: Request): boolean {
  return unreadable.has(request);
}

/** Comes behind the guards. @throws ApiError bad_request for such an address */
export function refuseUnreadable(request: Request): void {
  if (!isUnreadable(request)) return;
  throw new ApiError('bad_request', 'The percent-encoding of the address is malformed.');
}
