import type { ServerResponse } from 'node:http';

const NO_ACCESS = 'Authenticated user has no access';

/** All outcomes of the API with HTTP status, internal code and message. */
export const CATALOGUE = {
  success: { http_status_code: 200, code: 2000, message: 'Success' },
  no_content: { http_status_code: 204, code: 2040, message: 'No content found' },
  bad_request: { http_status_code: 400, code: 4000, message: 'Bad request' },
  invalid_parameters: { http_status_code: 400, code: 4001, message: 'Invalid parameters' },
  key_missing: { http_status_code: 401, code: 4010, message: 'API key is missing' },
  key_invalid: { http_status_code: 401, code: 4011, message: 'Invalid API key' },
  request_failed: { http_status_code: 402, code: 4000, message: 'Request failed' },
  foreign_product: { http_status_code: 403, code: 4012, message: `${NO_ACCESS} (specific)` },
  account_suspended: { http_status_code: 403, code: 4030, message: `${NO_ACCESS} (general)` },
  insufficient_access: { http_status_code: 403, code: 4030, message: `${NO_ACCESS} (general)` },
  forbidden: { http_status_code: 403, code: 4031, message: `${NO_ACCESS} (forbidden)` },
  not_found: { http_status_code: 404, code: 4040, message: 'Not found' },
  method_not_allowed: { http_status_code: 405, code: 4050, message: 'Method not allowed' },
  too_many_requests: { http_status_code: 429, code: 4290, message: 'Too many requests' },
  internal_error: { http_status_code: 500, code: 5000, message: 'Internal server error' },
} as const;

export type Outcome = keyof typeof CATALOGUE;
/** Names an error of the catalogue, such as `not_found`. */
export type Failure = Exclude<Outcome, 'success' | 'no_content'>;

const codes = new WeakMap<ServerResponse, number>();

/** Sets the status of an error, and keeps its internal code for the log and the metrics. */
export function setFailure(response: ServerResponse, failure: Failure): void {
  const { http_status_code, code } = CATALOGUE[failure];
  response.statusCode = http_status_code;
  codes.set(response, code);
}

/** Returns the internal code of a response, as in CATALOGUE. */
export function internalCodeOf(response: ServerResponse): number {
  const { success, no_content } = CATALOGUE;
  const isEmpty = response.statusCode === no_content.http_status_code;
  return codes.get(response) ?? (isEmpty ? no_content.code : success.code);
}
