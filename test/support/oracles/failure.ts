import { expect } from '@jest/globals';
import { FAILURES, type FailureCode } from '../../../testing/src/checks/problems.js';
import { envelopeOf, type Answer } from '../http/http.js';

export type { FailureCode };

/** Details must not match this pattern, which recognizes internal information. */
const INSIDE = /select |insert |sqlite|mysql|maria|\.ts\b|\.js\b|node_modules|\bat [\w.]+ \(/i;

/**
 * Expects the complete response of a failure: status, media type, headers, and the envelope with no
 * other fields.
 * @param http the HTTP status, if it is not the usual one of the code
 * @returns the detail, which is one sentence, or an empty text if it is null
 */
export function expectFailure(
  answer: Answer,
  code: FailureCode,
  version = '3.0',
  http: number = FAILURES[code].http,
): string {
  const message = http === 402 ? 'Request failed' : FAILURES[code].message;
  const envelope = envelopeOf(answer);
  const { detail } = envelope.meta.status;
  expect(envelope).toEqual({
    meta: {
      status: { http_status_code: http, code, message, detail },
      results_count: 0,
      api_version: version,
    },
    results: [null],
  });
  expect(answer.status).toBe(http);
  if (detail !== null) expect(detail).toMatch(/^[A-Za-z][^\n]*\.$/);
  expect(detail ?? '').not.toMatch(INSIDE);
  expectCommonHeaders(answer, version);
  if (http === 401) expect(answer.headers['www-authenticate']).toMatch(/^Basic\b/);
  return detail ?? '';
}

/** Expects the headers that every response has. */
export function expectCommonHeaders(answer: Answer, version = '3.0'): void {
  expect(answer.headers).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'private, no-store',
    'x-api-version': version,
    'x-content-type-options': 'nosniff',
    'x-request-id': expect.stringMatching(/^[A-Za-z0-9._-]{1,128}$/),
  });
}
