import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { versionOfPath } from '../../common/api-versions.js';
import { ApiError } from '../../common/errors/api-error.js';
import { setRequestId } from '../../common/request-id.js';
import { escapeMalformedUrl } from './malformed-url.js';

const HOST = 'host';

/**
 * The first step: sets the headers of every response, and normalizes the path for the router. If HTTPS is
 * required, plain HTTP is rejected here, before any other check (decisions: Order of the checks).
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
    escapeMalformedUrl(request);
    next(requireHttps && !isHttps(request) ? plainHttp() : hostProblem(request));
  };
}

/** Removes the scheme and host of a request to a proxy, and trailing slashes of the path. */
function originForm(url: string): string {
  const target = url.replace(/^https?:\/\/[^/?#]*/i, '');
  const mark = target.indexOf('?');
  const path = mark < 0 ? target : target.slice(0, mark);
  return (withoutTrailingSlashes(path) || '/') + target.slice(path.length);
}

/** A regular expression would take quadratic time for thousands of slashes. */
function withoutTrailingSlashes(path: string): string {
  let end = path.length;
  while (path[end - 1] === '/') end -= 1;
  return path.slice(0, end);
}

/**
 * True if this server or a trusted proxy terminated TLS. The last value of X-Forwarded-Proto is from the
 * proxy; earlier ones may be from the client.
 */
function isHttps(request: Request): boolean {
  if ('encrypted' in request.socket && request.socket.encrypted === true) return true;
  const trusts: unknown = request.app.get('trust proxy fn');
  const isTrusted = isTrust(trusts) && trusts(request.socket.remoteAddress ?? '', 0);
  const protocol = request.get('X-Forwarded-Proto')?.split(',').at(-1)?.trim().toLowerCase();
  return isTrusted && protocol === 'https';
}

/** Express compiles TRUST_PROXY into this function, but has no type for it. */
function isTrust(value: unknown): value is (address: string, hop: number) => boolean {
  return typeof value === 'function';
}

function plainHttp(): ApiError {
  return new ApiError(
    'forbidden',
    'Use HTTPS. A key that was sent without it may be known to others: rotate it.',
  );
}

/** Node takes the first of several; a proxy in front of it may have taken another. */
function hostProblem({ httpVersion, rawHeaders }: Request): ApiError | undefined {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    if (name.length === HOST.length && name.toLowerCase() === HOST) hosts += 1;
  }
  if (hosts > 1) return new ApiError('bad_request', 'A request must have one Host header.');
  if (hosts === 1 || httpVersion !== '1.1') return undefined;
  return new ApiError('bad_request', 'An HTTP/1.1 request must have a Host header.');
}
