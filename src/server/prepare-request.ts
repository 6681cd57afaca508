import type { NextFunction, Request, Response } from 'express';
import { versionOfPath } from '../common/api-versions.js';
import { ApiError } from '../common/errors/api-error.js';
import { giveRequestId } from '../common/request-id.js';

/**
 * Comes before everything else: gives the answer the headers that every answer has, and the request
 * the one form of its path that the router knows.
 */
export function prepareRequest(request: Request, response: Response, next: NextFunction): void {
  request.url = originForm(request.url);
  giveRequestId(response, request.get('X-Request-Id'));
  response.setHeader('X-API-Version', versionOfPath(request.url));
  next(unreadable(request));
}

/** Without the scheme and host that a proxy's request has, and without slashes at the path's end. */
function originForm(url: string): string {
  const [, path = '', query = ''] = /^(?:https?:\/\/[^/?#]*)?([^?]*)(.*)$/is.exec(url) ?? [];
  return (path.replace(/\/+$/, '') || '/') + query;
}

function unreadable(request: Request): ApiError | undefined {
  if (request.httpVersion === '1.1' && request.headers.host === undefined) {
    return new ApiError('bad_request', 'An HTTP/1.1 request must have a Host header.');
  }
  try {
    // A plus sign aside, which is no percent-encoding, this is how path and query are read later.
    decodeURIComponent(request.url);
    return undefined;
  } catch {
    return new ApiError('bad_request', 'The percent-encoding of the address is malformed.');
  }
}
