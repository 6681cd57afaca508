import { Logger } from '@nestjs/common';
import type { Request } from 'express';
import { ApiError } from '../errors/api-error.js';

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
const HEADER = 'X-Forwarded-Proto';

/** Causes for the operator's log, if a rejected request may have come over HTTPS. */
const CAUSES = {
  noHeader: `the proxy sends no ${HEADER}. Let it set the header to "https"`,
  noTrust: `${HEADER} is "https", but TRUST_PROXY does not include the address that sends it`,
} as const;
type Cause = keyof typeof CAUSES;

/** Rejects plain HTTP, and logs at most once a minute how the proxy must be configured. */
export class PlainHttp {
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
  return request.get(HEADER)?.split(',').at(-1)?.trim().toLowerCase() ?? null;
}

/** Express compiles TRUST_PROXY into this function, but has no type for it. */
function isTrust(value: unknown): value is (address: string, hop: number) => boolean {
  return typeof value === 'function';
}
