/**
 * Classifies a failed call. `again`: there was no answer, or the upstream is too busy. `key`: the
 * key is not accepted. `refused`: the call was rejected. `odd`: the answer does not follow the API.
 */
export type UpstreamFault = 'again' | 'key' | 'refused' | 'odd';

/**
 * Thrown if a call to an upstream fails. The message is written for users: `the upstream answered
 * 500`.
 */
export class UpstreamError extends Error {
  constructor(
    readonly fault: UpstreamFault,
    message: string,
    /** Seconds until the next attempt, if the upstream sends them. */
    readonly retrySeconds: number | null = null,
    /**
     * True if the upstream may answer other calls, because some services fail for one record alone.
     */
    readonly isPerhapsOfOne = false,
  ) {
    super(message);
  }
}

/** Returns the error for an answer about another record than the requested one. */
export function anotherThing(what: string): UpstreamError {
  return new UpstreamError('odd', `the upstream answered with another ${what}`);
}

/** Returns true if the fault concerns one record. Otherwise no record can be read now. */
export function isOfOneRecord(error: unknown): error is UpstreamError {
  return error instanceof UpstreamError && (error.fault === 'odd' || error.fault === 'refused');
}

/** Returns true if the fault may concern one record. Another call then shows whether it does. */
export function isPerhapsOfOneRecord(error: unknown): error is UpstreamError {
  return isOfOneRecord(error) || (error instanceof UpstreamError && error.isPerhapsOfOne);
}

/**
 * Returns a fault that may concern one record.
 * @throws any other error
 */
export function faultOfOneRecord(error: unknown): UpstreamError {
  if (isPerhapsOfOneRecord(error)) return error;
  throw error;
}
