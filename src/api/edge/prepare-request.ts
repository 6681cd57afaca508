import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { versionOfPath } from '../versions/api-versions.js';
import { ApiError } from '../errors/api-error.js';
import { setRequestId } from './request-id.js';
import { escapeMalformedUrl } from './malformed-url.js';
import { PlainHttp } from './plain-http.js';

const HOST = 'host';

/**
 * Sets the headers of every response, and normalizes the path for the router, before any other
 * step. If HTTPS is required, plain HTTP is rejected here, before any other check.
 */
export function prepareRequest({
  requireHttps,
}: {
  readonly requireHttps: boolean;
}): RequestHandler {
  const plainHttp = new PlainHttp();
  return (request: Request, response: Response, next: NextFunction) => {
    request.url = originForm(request.url);
    setRequestId(response, request.get('X-Request-Id'));
    response.setHeader('X-API-Version', versionOfPath(request.url));
    escapeMalformedUrl(request);
    const error = requireHttps ? plainHttp.errorOf(request) : null;
    next(error ?? hostProblem(request));
  };
}

/** Removes the scheme and host of a request to a proxy, and trailing slashes of the path. */
function originForm(url: string): string {
  const target = url.replace(/^https?:\/\/[^/?#]*/i, '');
  const mark = target.indexOf('?');
  const path = mark < 0 ? target : target.slice(0, mark);
  return (withoutTrailingSlashes(path) || '/') + target.slice(path.length);
}

/**
 * Removes slashes in linear time. A regular expression would take quadratic time for thousands of
 * slashes.
 */
function withoutTrailingSlashes(path: string): string {
  let end = path.length;
  while (path[end - 1] === '/') end -= 1;
  return path.slice(0, end);
}

/**
 * Rejects a missing or repeated Host header. Node uses the first of several; a proxy in front of it
 * may have used another.
 */
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

/**
 * Lets the service answer below the path of PUBLIC_URL by removing that path from requests. A proxy
 * may also remove it, so requests without it are served as well.
 * @param basePath such as `/reports`; empty if the service is at the root of its host
 */
export function belowBasePath(basePath: string): RequestHandler {
  return (request, _response, next) => {
    const path = basePath === '' ? null : pathBelow(basePath, request.url);
    if (path !== null) {
      request.url = path;
      // Express keeps the target twice, and pages read the original one.
      request.originalUrl = path;
    }
    next();
  };
}

/** Returns the target without the base path, or null if it is not below the base path. */
function pathBelow(basePath: string, target: string): string | null {
  const path = target.replace(/^https?:\/\/[^/?#]*/i, '');
  if (!path.startsWith(basePath)) return null;
  const rest = path.slice(basePath.length);
  if (rest === '' || rest.startsWith('?')) return `/${rest}`;
  return rest.startsWith('/') ? rest : null;
}
