import { CATALOGUE, type Failure } from '../common/errors/catalogue.js';
import { failureExample, isCommon, describeFailure } from './failures.js';
import { headerRefs, OF_EVERY_ANSWER, OF_FILES, OF_LIMITS, type Header } from './headers.js';
import { refTo, type MediaType, type Response } from './open-api.model.js';
import type { Example } from './requests.js';
import { JSON_MEDIA } from '../server/middleware/body-fields.js';
import type { RoutedOperation } from './routed-operations.js';

const SUCCESS = CATALOGUE.success.http_status_code;
const HEADERS_OF_STATUS: Readonly<Record<number, readonly Header[]>> = {
  401: ['WWW-Authenticate'],
  429: [...OF_LIMITS, 'Retry-After'],
  500: [...OF_LIMITS, 'Retry-After'],
};

/**
 * Returns all responses of an operation: success, 304 if it has an ETag, and the failures by
 * status.
 * @param ownHeaders further headers of a success
 */
export function responsesOf(
  operation: RoutedOperation,
  failures: readonly Failure[],
  example: Example | undefined,
  ownHeaders: readonly Header[],
): Record<string, Response> {
  return {
    [SUCCESS]: successOf(operation, example, ownHeaders),
    ...(operation.hasETag ? { 304: unchanged(ownHeaders) } : {}),
    ...failuresByStatus(operation, failures, example),
  };
}

/** Returns the name of the schema of a success, such as `ListTransactionsAnswer`. */
export function answerNameOf({ description: { id } }: RoutedOperation): string {
  return `${capitalized(id)}Answer`;
}

export function capitalized(word: string): string {
  return `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`;
}

function successOf(
  operation: RoutedOperation,
  example: Example | undefined,
  ownHeaders: readonly Header[],
): Response {
  const headers: Header[] = [
    ...OF_EVERY_ANSWER,
    ...ownHeaders,
    ...(operation.hasETag ? (['ETag'] as const) : []),
    ...(operation.hasSuccessor ? (['Link'] as const) : []),
    ...(isFile(operation) ? OF_FILES : []),
    ...OF_LIMITS,
  ];
  return {
    description: `${CATALOGUE.success.code} ${CATALOGUE.success.message}`,
    headers: headersOf(operation, headers),
    content: contentOf(operation, example),
  };
}

/** Returns true if a success is a file, and not JSON in the API's format. */
export function isFile({ description }: RoutedOperation): boolean {
  return description.fileType !== undefined;
}

function contentOf(
  operation: RoutedOperation,
  example: Example | undefined,
): Record<string, MediaType> {
  const { fileType } = operation.description;
  if (fileType !== undefined) {
    return { [fileType]: { schema: { type: 'string' } } };
  }
  const schema = refTo('schemas', answerNameOf(operation));
  return { [JSON_MEDIA]: { schema, example: example?.answer } };
}

function unchanged(ownHeaders: readonly Header[]): Response {
  return {
    description: 'Not modified: the response with the ETag in `If-None-Match` is still current.',
    headers: headerRefs([...OF_EVERY_ANSWER, ...ownHeaders, 'ETag', ...OF_LIMITS]),
  };
}

function failuresByStatus(
  operation: RoutedOperation,
  failures: readonly Failure[],
  example: Example | undefined,
): Record<string, Response> {
  const statuses = [...new Set(failures.map((failure) => CATALOGUE[failure].http_status_code))];
  return Object.fromEntries(
    statuses.map((status) => [
      status,
      failureOf(
        operation,
        status,
        failures.filter((failure) => CATALOGUE[failure].http_status_code === status),
        example,
      ),
    ]),
  );
}

function failureOf(
  operation: RoutedOperation,
  status: number,
  failures: readonly Failure[],
  example: Example | undefined,
): Response {
  return {
    description: failures.map(describeFailure).join('\n\n'),
    headers: headersOf(operation, [
      ...OF_EVERY_ANSWER,
      ...(HEADERS_OF_STATUS[status] ?? OF_LIMITS),
    ]),
    content: {
      [JSON_MEDIA]: {
        schema: refTo('schemas', 'failure'),
        examples: Object.fromEntries(
          // Failures with the same code differ only in their `detail`, so the first one is enough.
          failures
            .filter(isFirstOfCode)
            .map((failure) => [
              CATALOGUE[failure].code,
              ownExample(failure, example?.failures[failure]),
            ]),
        ),
      },
    },
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
  return answer === undefined || isCommon(failure)
    ? refTo('examples', failure)
    : failureExample(failure, answer);
}
