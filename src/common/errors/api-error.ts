import type { Failure } from './catalogue.js';

/** An answer other than success, thrown from any depth and turned into the envelope by the filter. */
export class ApiError extends Error {
  /**
   * @param failure which row of the catalogue
   * @param detail one sentence that tells the caller how to mend the request, or null
   * @param headers header fields that belong to this answer, `Allow` for example
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
