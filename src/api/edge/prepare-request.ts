import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { Logger } from '@nestjs/common';
import { versionOfPath } from '../versions/api-versions.js';
import { ApiError } from '../errors/api-error.js';
import type { TransportSettings } from '../../config/settings/transport-settings.js';

const HEADER = 'X-Request-Id';
export const VALID_REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/;
/** Matches an API key, plain or in base64, which must not reach the log or the response. */
const KEY = /(?:vra_|dnJhX)[0-9A-Za-z]{20}/;

/** Keeps a valid incoming request id, or generates one. */
function setRequestId(response: ServerResponse, incoming: string | undefined): void {
  const isKept = incoming !== undefined && VALID_REQUEST_ID.test(incoming) && !KEY.test(incoming);
  response.setHeader(HEADER, isKept ? incoming : randomUUID());
}

export function requestIdOf(response: ServerResponse): string {
  return String(response.getHeader(HEADER));
}

const malformed = new WeakSet<Request>();

/**
 * Escapes a URL whose percent-encoding is malformed, so that the router accepts it. It is rejected
 * after the guards, so that a request without a key gets 401.
 */
function escapeMalformedUrl(request: Request): void {
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

const HOST = 'host';

/**
 * Sets the headers of every response, and normalizes the path for the router, before any other
 * step. If HTTPS is required, plain HTTP is rejected here, before any other check.
 */
export function prepareRequest({ requireHttps }: TransportSettings): RequestHandler {
  const plainHttp = new PlainHttp();
  return (request: Request, response: Response, next: NextFunction) => {
    request.url = originForm(request.url);
    setRequestId(response, request.get(HEADER));
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

/** Reports that the request did not come over HTTPS, as far as the service can know. */
export class PlainHttpError extends ApiError {
  constructor() {
    super(
      'forbidden',
      'Use HTTPS. A key that was sent without it may be known to others: rotate it.',
    );
  }
}

const EVERY_MS = 60_000;
const PROTOCOL_HEADER = 'X-Forwarded-Proto';

/** Causes for the operator's log, if a rejected request may have come over HTTPS. */
const CAUSES = {
  noHeader: `the proxy sends no ${PROTOCOL_HEADER}. Let it set the header to "https"`,
  noTrust: `${PROTOCOL_HEADER} is "https", but TRUST_PROXY does not include the address that sends it`,
} as const;
type Cause = keyof typeof CAUSES;

/** Rejects plain HTTP, and logs at most once a minute how the proxy must be configured. */
class PlainHttp {
  private readonly logger = new Logger('Server');
  private readonly loggedAt = new Map<Cause, number>();
  private refused = 0;

  /**
   * Returns the error for a request over plain HTTP.
   * @returns null for a request over HTTPS, terminated by this server or by a trusted proxy
   */
  errorOf(request: Request): PlainHttpError | null {
    if ('encrypted' in request.socket && request.socket.encrypted === true) return null;
    const trusts: unknown = request.app.get('trust proxy fn');
    const isTrusted = isTrust(trusts) && trusts(request.socket.remoteAddress ?? '', 0);
    const protocol = protocolOf(request);
    if (isTrusted && protocol === 'https') return null;
    this.refused += 1;
    if (isTrusted && protocol === null) this.log('noHeader');
    if (!isTrusted && protocol === 'https') this.log('noTrust');
    return new PlainHttpError();
  }

  private log(cause: Cause): void {
    const now = performance.now();
    if (now - (this.loggedAt.get(cause) ?? -Infinity) < EVERY_MS) return;
    this.loggedAt.set(cause, now);
    const message = `REQUIRE_HTTPS refuses requests with 403: ${CAUSES[cause]}.`;
    this.logger.warn({ message, requests: this.refused });
    this.refused = 0;
  }
}

/**
 * Returns the last value of the header, which is from the proxy; earlier ones may be from the
 * client. Returns null without the header.
 */
function protocolOf(request: Request): string | null {
  return request.get(PROTOCOL_HEADER)?.split(',').at(-1)?.trim().toLowerCase() ?? null;
}

/** Express compiles TRUST_PROXY into this function, but has no type for it. */
function isTrust(value: unknown): value is (address: string, hop: number) => boolean {
  return typeof value === 'function';
}
