import { CATALOGUE, type Failure } from '../../api/errors/catalogue.js';
import { headerRefs, OF_EVERY_ANSWER, OF_FILES, OF_LIMITS, type Header } from './headers.js';
import { refTo } from './open-api.model.js';
import { type Documented, type Example, capitalized, fieldsOf, type Field } from './requests.js';
import { recordOf } from '../values/record-of.js';
import { JSON_MEDIA } from '../../api/edge/request-body.interceptor.js';
import type { RoutedOperation } from './routed-operations.js';
import type { ApiVersion } from '../../api/versions/api-versions.js';
import { errorEnvelope } from '../../api/envelope/envelope.js';
import { ApiError } from '../../api/errors/api-error.js';
import type { RequestInput } from '../../api/validation/request-inputs.js';

const HEADERS_OF_STATUS: Readonly<Record<number, readonly Header[]>> = {
  401: ['WWW-Authenticate'],
  429: [...OF_LIMITS, 'Retry-After'],
  500: [...OF_LIMITS, 'Retry-After'],
};

/**
 * Returns all responses of an operation: success, 304 if it has an ETag, and the failures by
 * status.
 */
export function responsesOf(operation: Documented): Record<string, object> {
  return {
    [operation.status]: successOf(operation),
    ...(operation.hasETag ? { 304: unchanged(operation) } : {}),
    ...failuresByStatus(operation),
  };
}

/** Returns the name of the schema of a success, such as `ListTransactionsAnswer`. */
export function answerNameOf({ description: { id } }: RoutedOperation): string {
  return `${capitalized(id)}Answer`;
}

function successOf(operation: Documented) {
  const headers: Header[] = [
    ...OF_EVERY_ANSWER,
    ...operation.ownHeaders,
    ...(operation.hasETag ? (['ETag'] as const) : []),
    ...(operation.hasSuccessor ? (['Link'] as const) : []),
    ...(isFile(operation) ? OF_FILES : []),
    ...OF_LIMITS,
  ];
  return {
    description: `${CATALOGUE.success.code} ${CATALOGUE.success.message}`,
    headers: headersOf(operation, headers),
    content: contentOf(operation),
  };
}

/** Returns true if a success is a file, and not JSON in the API's format. */
export function isFile({ description }: RoutedOperation): boolean {
  return description.fileType !== undefined;
}

function contentOf(operation: Documented): object {
  const { fileType } = operation.description;
  if (fileType !== undefined) return { [fileType]: { schema: { type: 'string' } } };
  const schema = refTo('schemas', answerNameOf(operation));
  return { [JSON_MEDIA]: { schema, example: operation.example?.answer } };
}

function unchanged({ ownHeaders }: Documented) {
  return {
    description: 'Not modified: the response with the ETag in `If-None-Match` is still current.',
    headers: headerRefs([...OF_EVERY_ANSWER, ...ownHeaders, 'ETag', ...OF_LIMITS]),
  };
}

function failuresByStatus(operation: Documented) {
  const statusOf = (failure: Failure) => CATALOGUE[failure].http_status_code;
  const failures = failuresOf(operation);
  const statuses = [...new Set(failures.map(statusOf))].map((status) => {
    const own = failures.filter((failure) => statusOf(failure) === status);
    return [status, failureOf(operation, status, own)] as const;
  });
  return Object.fromEntries(statuses);
}

function failureOf(operation: Documented, status: number, failures: readonly Failure[]) {
  const headers = [...OF_EVERY_ANSWER, ...(HEADERS_OF_STATUS[status] ?? OF_LIMITS)];
  // Failures with the same code differ only in their `detail`, so the first one is enough.
  const examples = failures.filter(isFirstOfCode).map((failure): [number, object] => {
    return [CATALOGUE[failure].code, ownExample(failure, operation.example?.failures[failure])];
  });
  const schema = refTo('schemas', 'failure');
  return {
    description: failures.map(describeFailure).join('\n\n'),
    headers: headersOf(operation, headers),
    content: { [JSON_MEDIA]: { schema, examples: Object.fromEntries(examples) } },
  };
}

/**
 * Returns references to headers. Those of an open operation do not include limits, because its
 * limits are not those of a key.
 */
function headersOf({ isOpen }: RoutedOperation, names: readonly Header[]) {
  return headerRefs(isOpen ? names.filter((name) => !OF_LIMITS.includes(name)) : names);
}

function isFirstOfCode(failure: Failure, at: number, all: readonly Failure[]): boolean {
  return at === all.findIndex((other) => CATALOGUE[other].code === CATALOGUE[failure].code);
}

/** Returns the operation's own example, or the shared one. */
function ownExample(failure: Failure, answer: unknown): object {
  return answer === undefined || COMMON.includes(failure)
    ? refTo('examples', failure)
    : failureExample(failure, answer);
}

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
  'bad_request',
  'key_missing',
  'key_invalid',
  'account_suspended',
  'insufficient_access',
  'forbidden',
  'too_many_requests',
  'internal_error',
];

/** Failures that only requests with a key can get. */
const OF_KEYS: readonly Failure[] = [
  'key_missing',
  'key_invalid',
  'account_suspended',
  'insufficient_access',
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
function describeFailure(failure: Failure): string {
  const { code, message } = CATALOGUE[failure];
  return `${code} ${message}: ${WHEN[failure]}`;
}

function failureExample(failure: Failure, answer: unknown): object {
  return { summary: CATALOGUE[failure].message, value: answer };
}

/**
 * Returns an example of each failure.
 * @param real the examples that there are; the others have no detail
 */
export function failureExamples(version: ApiVersion, real: Example['failures']) {
  return recordOf(Object.keys(CATALOGUE).filter(isFailure), (failure) => {
    const bare: unknown = JSON.parse(errorEnvelope(version, new ApiError(failure)));
    return failureExample(failure, real[failure] ?? bare);
  });
}

function isFailure(outcome: string): outcome is Failure {
  return Object.hasOwn(CATALOGUE, outcome) && outcome !== 'success' && outcome !== 'no_content';
}

function orderOf(failure: Failure): number {
  const { http_status_code, code } = CATALOGUE[failure];
  return http_status_code * 10_000 + code;
}
