import type { ApiVersion } from '../common/api-versions.js';
import { errorEnvelope } from '../common/envelope/envelope.js';
import { ApiError } from '../common/errors/api-error.js';
import { CATALOGUE, type Failure } from '../common/errors/catalogue.js';
import type { RequestInput } from '../common/validation/request-inputs.js';
import { fieldsOf, type Field } from './fields.js';
import type { RoutedOperation } from './routed-operations.js';

const WHEN: Readonly<Record<Failure, string>> = {
  bad_request: 'the request cannot be parsed',
  invalid_parameters: 'a parameter or a body field is missing or invalid; `detail` names each one',
  key_missing: 'the request has no Basic authentication, or its user name is empty',
  key_invalid: 'the key is incomplete, unknown, revoked or expired, or the password is not `x`',
  request_failed:
    'the payment processor, or the service that the ledger mirrors, rejected the request or has not confirmed it yet; `detail` says which',
  foreign_product: 'the product belongs to another vendor',
  account_suspended: 'the account is suspended',
  insufficient_access: 'the access of the application does not include this operation',
  forbidden:
    'the request used HTTP but HTTPS is required, or the client address is not on the allow list of the key',
  not_found: 'the resource does not exist, or you have no access to it',
  method_not_allowed: 'the path does not support this method',
  too_many_requests: 'a rate limit is exceeded; retry after the number of seconds in `Retry-After`',
  internal_error: 'an unexpected error occurred; `detail` contains the request id',
};

/** Failures that every operation with a key can answer. */
const COMMON: readonly Failure[] = [
  ...(['bad_request', 'key_missing', 'key_invalid', 'account_suspended'] as const),
  ...(['insufficient_access', 'forbidden'] as const),
  ...(['too_many_requests', 'internal_error'] as const),
];

/** Failures that only requests with a key can get. */
const OF_KEYS: readonly Failure[] = [
  ...(['key_missing', 'key_invalid'] as const),
  ...(['account_suspended', 'insufficient_access'] as const),
];

/** Returns all failures of an operation, ordered by HTTP status and code. */
export function failuresOf(operation: RoutedOperation): Failure[] {
  const { description, inputs, isOpen, isLenient } = operation;
  const common = COMMON.filter((failure) => !isOpen || !OF_KEYS.includes(failure));
  const isValidated = !isLenient && inputs.some(canBeInvalid);
  const validation: readonly Failure[] = isValidated ? ['invalid_parameters'] : [];
  const failures = new Set([...common, ...validation, ...(description.failures ?? [])]);
  return [...failures].sort((left, right) => orderOf(left) - orderOf(right));
}

/**
 * Returns whether an input can be invalid. A path contains each of its parameters, so one that may
 * be any text is always valid.
 */
function canBeInvalid({ from, type }: RequestInput): boolean {
  const isAnyText = ({ schema: { type: kind, ...rules } }: Field) =>
    kind === 'string' && Object.values(rules).every((rule) => rule === undefined);
  return from !== 'path' || !fieldsOf(type).every(isAnyText);
}

/** Describes a failure, such as `4040 Not found: the resource does not exist, …`. */
export function describeFailure(failure: Failure): string {
  const { code, message } = CATALOGUE[failure];
  return `${code} ${message}: ${WHEN[failure]}`;
}

export function isCommon(failure: Failure): boolean {
  return COMMON.includes(failure);
}

export function failureExample(failure: Failure, answer: unknown): object {
  return { summary: CATALOGUE[failure].message, value: answer };
}

/** Returns the answer of a failure without a detail. */
export function bareFailure(failure: Failure, version: ApiVersion): unknown {
  return JSON.parse(errorEnvelope(version, new ApiError(failure)));
}

function orderOf(failure: Failure): number {
  const { http_status_code, code } = CATALOGUE[failure];
  return http_status_code * 10_000 + code;
}
