/**
 * `again`: no answer, or it is too busy. `key`: the key is not accepted. `refused`: a change was not
 * taken. `odd`: the answer is not what the interface says.
 */
export type UpstreamFault = 'again' | 'key' | 'refused' | 'odd';

/** A call to an upstream failed. The message is for people: `the upstream answered 500`. */
export class UpstreamError extends Error {
  constructor(
    readonly fault: UpstreamFault,
    message: string,
    /** When to ask again, if the upstream says so. */
    readonly retrySeconds: number | null = null,
    /** True if the upstream may answer other calls: some fail, or refuse, for one record alone. */
    readonly isPerhapsOfOne = false,
  ) {
    super(message);
  }
}

/** For an answer that is about something else than was asked for. */
export function anotherThing(what: string): UpstreamError {
  return new UpstreamError('odd', `the upstream answered with another ${what}`);
}

/** True if the fault is that of one record; otherwise none can be read now. */
export function isOfOneRecord(error: unknown): error is UpstreamError {
  return error instanceof UpstreamError && (error.fault === 'odd' || error.fault === 'refused');
}

/** True if the fault may be that of one record. Another call tells whether it is. */
export function isPerhapsOfOneRecord(error: unknown): error is UpstreamError {
  return isOfOneRecord(error) || (error instanceof UpstreamError && error.isPerhapsOfOne);
}

/** Returns a fault that may be that of one record. @throws every other one */
export function faultOfOneRecord(error: unknown): UpstreamError {
  if (isPerhapsOfOneRecord(error)) return error;
  throw error;
}
