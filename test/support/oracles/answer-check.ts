import { CATALOGUE } from '../../../src/api/errors/catalogue.js';
import { plainText, type Answer } from '../http/http.js';
import { AnswerSchemas } from './json-schema.js';
import { VERSIONS } from './operations.js';

const REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/;
const SCHEMAS = new Map<string, AnswerSchemas>(
  VERSIONS.map((version) => [version, new AnswerSchemas(version)]),
);
/** All outcomes that the API may return, without details. */
const OUTCOMES = new Set(
  Object.values(CATALOGUE).map(({ http_status_code, code, message }) =>
    JSON.stringify([http_status_code, http_status_code, code, message]),
  ),
);

/** Returns what is wrong in a response, by the rules that hold for responses to all requests. */
export function faultsOf(answer: Answer, operation: string, version: string): string[] {
  const { status, headers } = answer;
  const faults = [
    ...(headers['x-api-version'] === version ? [] : ['X-API-Version']),
    ...(REQUEST_ID.test(String(headers['x-request-id'])) ? [] : ['X-Request-Id']),
    ...(status === 500 ? ['an internal error'] : []),
    ...(status === 405 && headers.allow === undefined ? ['no Allow'] : []),
  ];
  if (status === 304) return faults;
  const body = bodyOf(answer);
  if (body === null) return [...faults, 'no envelope'];
  return [
    ...faults,
    ...outcomeFaults(body, status),
    ...bodyFaults(body, status, operation, version),
  ];
}

/** Returns what is wrong in a response to HEAD, which has only headers. */
export function faultsOfHead(answer: Answer, version: string): string[] {
  const { status } = answer;
  const isKnown =
    status === 304 || Object.values(CATALOGUE).some((o) => o.http_status_code === status);
  return [
    ...(answer.headers['x-api-version'] === version ? [] : ['X-API-Version']),
    ...(REQUEST_ID.test(String(answer.headers['x-request-id'])) ? [] : ['X-Request-Id']),
    ...(isKnown && status !== 500 ? [] : [`the status ${status}`]),
    ...(answer.text === '' ? [] : ['a body']),
  ];
}

interface Body {
  readonly meta: {
    readonly status: {
      readonly http_status_code: unknown;
      readonly code: unknown;
      readonly message: unknown;
    };
    readonly api_version: unknown;
    readonly results_count: unknown;
  };
  readonly results: readonly unknown[];
}

/** @returns null if the response has no envelope */
function bodyOf(answer: Answer): Body | null {
  if (answer.headers['content-type'] !== 'application/json; charset=utf-8') return null;
  try {
    const body = JSON.parse(plainText(answer)) as Body;
    return Array.isArray(body.results) && typeof body.meta.status === 'object' ? body : null;
  } catch {
    return null;
  }
}

function outcomeFaults({ meta, results }: Body, status: number): string[] {
  const { http_status_code, code, message } = meta.status;
  const outcome = JSON.stringify([status, http_status_code, code, message]);
  const count = status === 200 ? results.length : 0;
  return [
    ...(OUTCOMES.has(outcome) ? [] : [`no outcome of the interface: ${outcome}`]),
    ...(meta.results_count === count ? [] : [`results_count: ${String(meta.results_count)}`]),
  ];
}

function bodyFaults(body: Body, status: number, operation: string, version: string): string[] {
  const schemas = SCHEMAS.get(version);
  if (schemas === undefined) return [`no version: ${version}`];
  const name = status === 200 ? operation : 'failure';
  return schemas.has(name) ? schemas.faults(name, body) : [`a success of no operation: ${name}`];
}
