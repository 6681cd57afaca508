import type { StubAnswer, StubHook, StubRequest } from '../stub-upstream.js';

type Fields = Readonly<Record<string, unknown>>;
export interface Envelope {
  readonly meta: Fields;
  readonly results: readonly Fields[];
}

export const LIST = /^\/v3\.0\/transactions\?/;

/**
 * Replaces the response to some requests.
 * @param path matches the path and query of the requests
 */
export function answering(path: RegExp, make: (answer: StubAnswer) => StubAnswer): StubHook {
  return (request, answer) => (isAsked(request, path) ? make(answer) : answer);
}

/** Changes the envelope of a response. */
export function spoiling(path: RegExp, change: (envelope: Envelope) => unknown): StubHook {
  return answering(path, (answer) => {
    const envelope = JSON.parse(String(answer.body)) as Envelope;
    return { ...answer, body: JSON.stringify(change(envelope)) };
  });
}

/** Changes each result whose field has this value. */
export function spoilingResult(
  path: RegExp,
  [field, value]: readonly [field: string, value: unknown],
  change: (result: Fields) => unknown,
): StubHook {
  return spoiling(path, ({ meta, results }) => ({
    meta,
    results: results.map((result) => (result[field] === value ? change(result) : result)),
  }));
}

function isAsked({ method, path }: StubRequest, pattern: RegExp): boolean {
  return method === 'GET' && pattern.test(path);
}
