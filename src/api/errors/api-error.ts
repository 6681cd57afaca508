import type { Failure } from './catalogue.js';

/** Value of WWW-Authenticate. */
export const BASIC_CHALLENGE = 'Basic realm="Vendor Reporting API", charset="UTF-8"';

/** Represents an error response. Any code can throw it; ApiErrorFilter sends it in the envelope. */
export class ApiError extends Error {
  /**
   * Creates the error of a failure.
   * @param failure key of the catalogue
   * @param detail one sentence that says how to fix the request, or null
   * @param headers additional response headers, for example `Allow`
   */
  constructor(
    readonly failure: Failure,
    readonly detail: string | null = null,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(detail ?? failure);
    this.name = 'ApiError';
  }
}

/** Returns the error of a 401 response, which must have WWW-Authenticate (RFC 9110, 11.6.1). */
export function unauthorized(failure: 'key_missing' | 'key_invalid', detail: string): ApiError {
  return new ApiError(failure, detail, { 'WWW-Authenticate': BASIC_CHALLENGE });
}
