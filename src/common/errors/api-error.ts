import type { Failure } from './catalogue.js';

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
