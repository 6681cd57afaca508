import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { versionOfPath } from '../../common/api-versions.js';
import { ApiError } from '../../common/errors/api-error.js';
import { setRequestId } from '../../common/request-id.js';
import { passOnUnreadable } from './unreadable-address.js';

/**
 * Comes before everything else: gives the answer the headers that every answer has, and the request
 * the one form of its path that the router knows. Plain HTTP is refused here, where HTTPS is
 * required, before anything else of the request is looked at (decisions: Order of the checks).
 */
export function prepareRequest({
  requireHttps,
}: {
  readonly requireHttps: boolean;
}): RequestHandler {
  return (request: Request, response: Response, next: NextFunction) => {
    request.url = originForm(request.url);
    setRequestId(response, request.get('X-Request-Id'));
    response.setHeader('X-API-Version', versionOfPath(request.url));
    passOnUnreadable(request);
    next(requireHttps && !cameByHttps(request) ? plainHttp() : withoutHost(request));
  };
}

/** Without the scheme and host that a proxy's request has, and without slashes at the path's end. */
function originForm(url: string): string {
  const target = url.replace(/^https?:\/\/[^/?#]*/i, '');
  const mark = target.indexOf('?');
  const path = mark < 0 ? target : target.slice(0, mark);
  return (withoutLastSlashes(path) || '/') + target.slice(path.length);
}

/** From the end: a pattern would begin anew at each of thousands of slashes. */
function withoutLastSlashes(path: string): string {
  let end = path.length;
  while (path[end - 1] === '/') end -= 1;
  return path.slice(0, end);
}

/**
 * True where this server spoke TLS, or a proxy that is believed says that it did. Of a list the last
 * word counts, which is the proxy's own: those before it may be the caller's.
 */
function cameByHttps(request: Request): boolean {
  if ('encrypted' in request.socket && request.socket.encrypted === true) return true;
  const trusts: unknown = request.app.get('trust proxy fn');
  const isTrusted = isTrust(trusts) && trusts(request.socket.remoteAddress ?? '', 0);
  const told = request.get('X-Forwarded-Proto')?.split(',').at(-1)?.trim().toLowerCase();
  return isTrusted && told === 'https';
}

/** Express compiles TRUST_PROXY into this function, and hands it out untyped. */
function isTrust(value: unknown): value is (address: string, hop: number) => boolean {
  return typeof value === 'function';
}

function plainHttp(): ApiError {
  return new ApiError(
    'forbidden',
    'Use HTTPS. A key that was sent without it may be known to others: rotate it.',
  );
}

function withoutHost(request: Request): ApiError | undefined {
  if (request.httpVersion !== '1.1' || request.headers.host !== undefined) return undefined;
  return new ApiError('bad_request', 'An HTTP/1.1 request must have a Host header.');
}
