import type { ApiVersion } from '../common/api-versions.js';
import { errorEnvelope } from '../common/envelope/envelope.js';
import { ApiError } from '../common/errors/api-error.js';
import { CATALOGUE, type Failure } from '../common/errors/catalogue.js';
import type { RoutedOperation } from './routed-operations.js';

/** When each failure is answered (decisions: Which code when). */
const WHEN: Readonly<Record<Failure, string>> = {
  bad_request: 'the request can not be read',
  invalid_parameters: 'a parameter or a field of the body is missing or invalid; `detail` names it',
  key_missing: 'there is no Basic authentication, or its user name is empty',
  key_invalid: 'the key is unknown, revoked or expired, or the password is not `x`',
  request_failed:
    'the payment processor did not take it, or has not said so far whether it did; `detail` says which',
  foreign_product: "the product is another vendor's",
  account_suspended: 'the account of the key is suspended',
  forbidden:
    "the request came over plain HTTP where HTTPS is required, or from an address that is not on the key's allow list",
  not_found: 'there is no such thing that you may see',
  method_not_allowed: 'the path answers other methods',
  too_many_requests: 'a limit is used up; wait as many seconds as `Retry-After` says',
  internal_error: 'something went wrong in the service; `detail` names the request',
};

/** What every operation answers when it can not be reached: interface 5, 7 and 8. */
const COMMON: readonly Failure[] = [
  ...(['bad_request', 'key_missing', 'key_invalid', 'account_suspended', 'forbidden'] as const),
  ...(['too_many_requests', 'internal_error'] as const),
];

/** Every failure of an operation, by its HTTP status and code. */
export function failuresOf({ description, takes }: RoutedOperation): Failure[] {
  const checked: readonly Failure[] = takes.length > 0 ? ['invalid_parameters'] : [];
  const failures = new Set([...COMMON, ...checked, ...(description.failures ?? [])]);
  return [...failures].sort((left, right) => orderOf(left) - orderOf(right));
}

/** `4040 Not found: there is …`. */
export function tellFailure(failure: Failure): string {
  const { code, message } = CATALOGUE[failure];
  return `${code} ${message}: ${WHEN[failure]}`;
}

/** True for what every operation answers alike. */
export function isCommon(failure: Failure): boolean {
  return COMMON.includes(failure);
}

export function failureExample(failure: Failure, answer: unknown): object {
  return { summary: CATALOGUE[failure].message, value: answer };
}

/** An answer as the service itself makes it, without a detail. */
export function bareFailure(failure: Failure, version: ApiVersion): unknown {
  return JSON.parse(errorEnvelope(version, new ApiError(failure)));
}

function orderOf(failure: Failure): number {
  const { http_status_code, code } = CATALOGUE[failure];
  return http_status_code * 10_000 + code;
}
