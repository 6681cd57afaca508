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
  ) {
    super(message);
  }
}
